/** First fit in a given order: each buffer goes to its lowest free offset, gaps between placed buffers included. */
import { roundUp } from './arithmetic.ts';
import type { Neighbours, Prepared } from './prepare.ts';
import { createStopper, neverStopped, type Stopper } from './stopper.ts';
import type { Placement, Refusal } from './strategy.ts';
import { treeFit } from './tree-fit.ts';
import type { SolveOptions } from './types.ts';
import { walkFit } from './walk-fit.ts';

/** Pairs that may be listed; beyond, gaps count as taken and permitted overlaps are not used. */
const MAX_LISTED = 4_000_000;
/** What one buffer, and one overlapping pair, cost in the tree and in the walk: elementary steps, measured. */
const TREE = { buffer: 1000, pair: 80 } as const;
const WALK = { passed: 1 / 16, pair: 4 } as const;

/**
 * Places the pinned buffers, then the others in the order given (indexes; pinned ones in it are skipped).
 * Returns offsets by buffer index; once `stopped` says so, those of the buffers placed by then alone.
 */
export function firstFit(
  prepared: Prepared,
  order: ArrayLike<number>,
  stopped: Stopper = neverStopped,
): Float64Array {
  if (!prepared.plain && prepared.pairs <= MAX_LISTED) return listFit(prepared, order, stopped);
  return treeWork(prepared) < walkWork(prepared)
    ? treeFit(prepared, order, stopped)
    : walkFit(prepared, order, stopped);
}

/** First fit as a strategy. Half of a plan is none. */
export function placedInOrder(
  prepared: Prepared,
  order: ArrayLike<number>,
  options: SolveOptions,
): Placement | Refusal {
  const stopped = createStopper(options);
  const offsets = firstFit(prepared, order, stopped);
  return stopped() ? { refused: 'it was ended before it had placed every buffer' } : { offsets };
}

/** Roughly how many elementary steps `firstFit` takes. */
export function firstFitWork(prepared: Prepared): number {
  return prepared.plain ? Math.min(treeWork(prepared), walkWork(prepared)) : treeWork(prepared);
}

function treeWork({ count, pairs }: Prepared): number {
  return TREE.buffer * count + TREE.pair * pairs;
}

function walkWork({ count, pairs }: Prepared): number {
  return WALK.passed * count ** 2 + WALK.pair * pairs;
}

/** Lists the overlapping buffers of each: needed where gaps and permitted overlaps make pairs differ. */
function listFit(prepared: Prepared, order: ArrayLike<number>, stopped: Stopper): Float64Array {
  const { count, pin } = prepared;
  const offsets = new Float64Array(count).fill(-1);
  for (let i = 0; i < count; i++) if (pin[i]! >= 0) offsets[i] = pin[i]!;
  const lowest = lowestFit(prepared, prepared.neighbours(), offsets);
  for (let k = 0; k < order.length && !stopped(); k++) {
    const i = order[k]!;
    if (pin[i]! < 0) offsets[i] = lowest(i);
  }
  return offsets;
}

/** A function that finds the lowest legal offset of buffer i among the placed ones (offsets >= 0). */
export function lowestFit(
  prepared: Prepared,
  neighbours: Neighbours,
  offsets: Float64Array,
): (i: number) => number {
  const { start, other, low, high } = neighbours;
  let most = 0;
  for (let i = 0; i < prepared.count; i++) most = Math.max(most, start[i + 1]! - start[i]!);
  const lows = new Float64Array(most);
  const highs = new Float64Array(most);
  return (i) => {
    let used = 0;
    for (let k = start[i]!; k < start[i + 1]!; k++) {
      const base = offsets[other[k]!]!;
      if (base < 0 || base + high[k]! <= 0) continue;
      used = insert(lows, highs, used, base + low[k]!, base + high[k]!);
    }
    const step = prepared.alignment[i]!;
    let at = 0;
    for (let k = 0; k < used && lows[k]! < at; k++) {
      if (highs[k]! > at) at = roundUp(highs[k]!, step);
    }
    return at;
  };
}

/** Keeps the forbidden stretches sorted by their lower end. */
function insert(lows: Float64Array, highs: Float64Array, used: number, low: number, high: number): number {
  let at = used;
  for (; at > 0 && lows[at - 1]! > low; at--) {
    lows[at] = lows[at - 1]!;
    highs[at] = highs[at - 1]!;
  }
  lows[at] = low;
  highs[at] = high;
  return used + 1;
}

/** The end of the arena that these offsets need. */
export function arenaBytes(prepared: Prepared, offsets: ArrayLike<number>): number {
  let bytes = 0;
  for (let i = 0; i < prepared.count; i++) bytes = Math.max(bytes, offsets[i]! + prepared.bytes[i]!);
  return bytes;
}
