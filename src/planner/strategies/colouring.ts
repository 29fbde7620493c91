/** Interval colouring: whole blocks that one buffer after another takes over. */
import { gcd, roundUp } from '../arithmetic.ts';
import { createHeap } from '../heap.ts';
import type { Strategy } from '../strategy.ts';
import { PINNED, SWEEP_STEP, sweep } from '../sweep.ts';

export const colouring: Strategy = {
  name: 'colouring',
  about:
    'Buffers share whole blocks: each takes the largest free block, or a new one; a block is as large as its largest tenant.',
  cost: 'O(n log n)',
  source: 'interval colouring, Gupta, Lee and Leung, 1979; the slot sharing of many graph runtimes',
  work: (prepared) => prepared.count * SWEEP_STEP,
  place: (prepared) => {
    const { count, bytes, alignment } = prepared;
    const blockOf = new Int32Array(count);
    const size: number[] = [];
    const step: number[] = [];
    const free = createHeap((a, b) => size[a]! > size[b]! || (size[a] === size[b] && a < b));
    const swept = sweep(prepared, {
      take: (i) => {
        const block = free.pop() ?? size.push(0) - 1;
        size[block] = Math.max(size[block]!, bytes[i]!);
        const known = step[block] ?? 1;
        step[block] = (known / gcd(known, alignment[i]!)) * alignment[i]!;
        blockOf[i] = block;
        return 0;
      },
      give: (i) => free.push(blockOf[i]!),
    });
    if ('refused' in swept) return PINNED;
    let top = 0;
    const base = size.map((block, k) => {
      const at = roundUp(top, step[k]!);
      top = at + block;
      return at;
    });
    return { offsets: Float64Array.from(blockOf, (block, i) => (bytes[i] === 0 ? 0 : base[block]!)) };
  },
};
