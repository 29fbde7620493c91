/** Hill climbing on the order of placement, aimed at the buffer that ends highest. */
import { arenaBytes, firstFit, firstFitWork } from '../first-fit.ts';
import { durations, orderBy } from '../orders.ts';
import type { Prepared } from '../prepare.ts';
import { seededRandom } from '../random.ts';
import { createStopper, neverStopped } from '../stopper.ts';
import type { Strategy } from '../strategy.ts';

/** Placements when nothing else is asked for. */
const DEFAULT_EFFORT = 100_000;
/** Share of the moves that swap the highest buffer itself; the others swap two that lie below it. */
const DIRECT = 0.7;

export const hillClimb: Strategy = {
  name: 'hill-climb',
  about:
    'Swaps the turns of the highest-ending buffer and one that holds it up, as long as the plan gets no larger.',
  cost: 'O(effort x pairs / n)',
  source: 'the bottleneck search of Vela, the compiler of Arm Ethos-U',
  work: (prepared) => (DEFAULT_EFFORT / Math.max(1, prepared.count)) * firstFitWork(prepared),
  place: (prepared, options, incumbent) => {
    const { count, bytes, bound } = prepared;
    const start = incumbent ?? firstFit(prepared, orderBy(count, bytes, durations(prepared)));
    // First fit from the lowest up rebuilds a plan, or a smaller one.
    let order = orderBy(
      count,
      Float64Array.from(start, (offset) => -offset),
    );
    const stopped = createStopper(options);
    let offsets = firstFit(prepared, order, incumbent === undefined ? neverStopped : stopped);
    if (incumbent !== undefined && stopped()) return { offsets: incumbent };
    let least = arenaBytes(prepared, offsets);
    if (incumbent !== undefined && arenaBytes(prepared, incumbent) < least) {
      offsets = Float64Array.from(incumbent);
      least = arenaBytes(prepared, offsets);
    }
    const enough = Math.max(bound.bytes, options.capacity ?? 0);
    const effort = options.effort ?? DEFAULT_EFFORT;
    const random = seededRandom(count);
    let nodes = count;
    for (; least > enough && nodes < effort && !stopped(); nodes += count) {
      const swapped = swap(order, pickPair(prepared, offsets, least, random));
      const next = firstFit(prepared, swapped, stopped);
      if (stopped()) break;
      const size = arenaBytes(prepared, next);
      if (size > least) continue;
      [order, offsets, least] = [swapped, next, size];
    }
    return { offsets, nodes };
  },
};

/** Two buffers to trade turns: one that ends highest (or lies below it) and one that lies below that. */
function pickPair(
  prepared: Prepared,
  offsets: Float64Array,
  least: number,
  random: () => number,
): readonly [number, number] {
  const { count, bytes } = prepared;
  const highest = pick(
    Array.from({ length: count }, (_, i) => i).filter((i) => offsets[i]! + bytes[i]! === least),
    random,
  );
  const under = holders(prepared, offsets, highest);
  if (under.length === 0) return [highest, Math.floor(random() * count)];
  const holder = pick(under, random);
  if (random() < DIRECT) return [highest, holder];
  const deeper = holders(prepared, offsets, holder);
  return deeper.length === 0 ? [highest, holder] : [holder, pick(deeper, random)];
}

/** Buffers that share a step with i and lie below it. */
function holders(prepared: Prepared, offsets: Float64Array, i: number): readonly number[] {
  const { count, first, end } = prepared;
  return Array.from({ length: count }, (_, j) => j).filter(
    (j) => offsets[j]! < offsets[i]! && first[j]! < end[i]! && first[i]! < end[j]!,
  );
}

function pick(from: readonly number[], random: () => number): number {
  return from[Math.floor(random() * from.length)]!;
}

function swap(order: Int32Array, [a, b]: readonly [number, number]): Int32Array {
  const swapped = order.slice();
  const [x, y] = [order.indexOf(a), order.indexOf(b)];
  swapped[x] = b;
  swapped[y] = a;
  return swapped;
}
