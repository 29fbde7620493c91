/** Two buffers that take turns: the plan most people write by hand for a chain of layers. */
import { roundUp } from '../arithmetic.ts';
import { orderBy } from '../orders.ts';
import type { Strategy } from '../strategy.ts';
import { PINNED } from '../sweep.ts';

export const pingPong: Strategy = {
  name: 'ping-pong',
  about: 'Two blocks that take turns, each as large as its largest tenant; for chains only.',
  cost: 'O(n log n)',
  source: 'double buffering, as written by hand for chains of layers',
  work: (prepared) => prepared.count * 100,
  place: (prepared) => {
    const { count, first, end, bytes, alignment, pin, problem } = prepared;
    if (pin.some((offset) => offset >= 0)) return PINNED;
    const births = orderBy(
      count,
      first.map((time) => -time),
    ).filter((i) => bytes[i]! > 0);
    const tenant: [number, number] = [-1, -1];
    const side = new Uint8Array(count);
    let turn = 1;
    for (const i of births) {
      const free = [0, 1].filter((s) => tenant[s]! < 0 || end[tenant[s]!]! <= first[i]!);
      if (free.length === 0) {
        const [a, b] = tenant.map((j) => problem.buffers[j]!.id);
        const third = `'${problem.buffers[i]!.id}' is born at step ${first[i]} while '${a}' and '${b}' live`;
        return { refused: `two blocks are not enough (a residual connection?): ${third}` };
      }
      turn = free.includes(1 - turn) ? 1 - turn : turn;
      side[i] = turn;
      tenant[turn] = i;
    }
    const lower = births.filter((i) => side[i] === 0).reduce((most, i) => Math.max(most, bytes[i]!), 0);
    return {
      offsets: Float64Array.from(side, (s, i) =>
        s === 0 || bytes[i] === 0 ? 0 : roundUp(lower, alignment[i]!),
      ),
    };
  },
};
