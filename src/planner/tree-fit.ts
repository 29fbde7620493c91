/** First fit that asks a tree over the births which placed buffers overlap: for very long lists with few overlaps. */
import { roundUp } from './arithmetic.ts';
import { orderBy } from './orders.ts';
import type { Prepared } from './prepare.ts';
import type { Stopper } from './stopper.ts';

/**
 * Same result as `walkFit`, in about k log n steps for a buffer with k overlapping ones; the pairs are never stored.
 * Leaf r of the tree is the r-th birth; a node knows the latest death among the placed buffers below it.
 */
export function treeFit(prepared: Prepared, order: ArrayLike<number>, stopped: Stopper): Float64Array {
  const { count, bytes, first, end, alignment, pin } = prepared;
  const births = orderBy(
    count,
    first.map((time) => -time),
  );
  const rank = new Int32Array(count);
  births.forEach((i, r) => {
    rank[i] = r;
  });
  const born = Float64Array.from(births, (i) => first[i]!);
  let leaves = 1;
  while (leaves < count) leaves *= 2;
  const latest = new Float64Array(2 * leaves).fill(Number.NEGATIVE_INFINITY);
  const offsets = new Float64Array(count);
  const put = (i: number, at: number): void => {
    offsets[i] = at;
    if (bytes[i] === 0) return;
    for (let node = leaves + rank[i]!; node > 0; node >>= 1) latest[node] = Math.max(latest[node]!, end[i]!);
  };
  let bottoms = new Float64Array(64);
  let tops = new Float64Array(64);
  let used = 0;
  /** Lists the placed buffers of leaves [low, high) that are born before one time and die after another. */
  const collect = (node: number, low: number, high: number, before: number, after: number): void => {
    if (low >= before || latest[node]! <= after) return;
    if (high - low > 1) {
      const middle = (low + high) >>> 1;
      collect(2 * node, low, middle, before, after);
      collect(2 * node + 1, middle, high, before, after);
      return;
    }
    if (used === tops.length) {
      bottoms = grown(bottoms);
      tops = grown(tops);
    }
    const j = births[low]!;
    bottoms[used] = offsets[j]!;
    tops[used++] = offsets[j]! + bytes[j]!;
  };
  /** The lowest place beside the listed buffers. Any of them in the way moves it past its top, until none is. */
  const lowest = (size: number, step: number): number => {
    let at = 0;
    for (let moved = true; moved; ) {
      moved = false;
      for (let p = 0; p < used; p++) {
        if (bottoms[p]! >= at + size || tops[p]! <= at) continue;
        at = roundUp(tops[p]!, step);
        moved = true;
      }
    }
    return at;
  };
  for (let i = 0; i < count; i++) if (pin[i]! >= 0) put(i, pin[i]!);
  for (let k = 0; k < order.length && !stopped(); k++) {
    const i = order[k]!;
    if (pin[i]! >= 0) continue;
    used = 0;
    if (bytes[i]! > 0) collect(1, 0, leaves, firstNotBelow(born, end[i]!), first[i]!);
    put(i, lowest(bytes[i]!, alignment[i]!));
  }
  return offsets;
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}

function firstNotBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
