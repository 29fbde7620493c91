/** Says which distances between two buffers are forbidden: the one rule of space that every strategy shares. */
import type { Buffer } from './types.ts';

/** A stretch of a buffer's life during which the same bytes of it are taken. */
interface Slice {
  readonly first: number;
  readonly end: number;
  /** Taken bytes, as ascending disjoint [from, to) pairs, flat. */
  readonly taken: readonly number[];
}

/** Cuts a buffer's life where a gap begins or ends. A buffer without gaps is one slice. */
export function slices(buffer: Buffer): readonly Slice[] {
  const gaps = (buffer.gaps ?? []).filter((gap) => gap.end > gap.first && gap.to > gap.from);
  if (gaps.length === 0) return [{ first: buffer.first, end: buffer.end, taken: [0, buffer.bytes] }];
  const times = [buffer.first, buffer.end];
  for (const gap of gaps) times.push(gap.first, gap.end);
  const cuts = [...new Set(times)].filter((t) => t >= buffer.first && t <= buffer.end).sort((a, b) => a - b);
  const result: Slice[] = [];
  for (let k = 0; k + 1 < cuts.length; k++) {
    const [first, end] = [cuts[k]!, cuts[k + 1]!];
    const free = gaps.filter((gap) => gap.first <= first && gap.end >= end).sort((a, b) => a.from - b.from);
    const taken: number[] = [];
    let at = 0;
    for (const gap of free) {
      if (gap.from > at) taken.push(at, Math.min(gap.from, buffer.bytes));
      at = Math.max(at, gap.to);
    }
    if (at < buffer.bytes) taken.push(at, buffer.bytes);
    if (taken.length > 0) result.push({ first, end, taken });
  }
  return result;
}

/** The smallest distance above buffer `below` that `above` may keep although both are live; Infinity: none. */
export function allowedDistance(above: Buffer, below: number): number {
  let distance = Number.POSITIVE_INFINITY;
  for (const overlap of above.mayOverlap ?? []) {
    if (overlap.buffer === below) distance = Math.min(distance, overlap.distance);
  }
  return distance;
}

/**
 * Forbidden distances d = offset(b) - offset(a), as ascending disjoint open intervals (low, high), flat.
 * Empty when the two never hold a byte at the same step, or may overlap freely.
 */
export function forbidden(a: Buffer, indexA: number, b: Buffer, indexB: number): readonly number[] {
  if (a.first >= b.end || b.first >= a.end || a.bytes === 0 || b.bytes === 0) return [];
  const most = allowedDistance(b, indexA);
  const least = -allowedDistance(a, indexB);
  const raw: [number, number][] = [];
  for (const sliceA of slices(a)) {
    for (const sliceB of slices(b)) {
      if (sliceA.first >= sliceB.end || sliceB.first >= sliceA.end) continue;
      collect(sliceA.taken, sliceB.taken, least, most, raw);
    }
  }
  return merge(raw);
}

function collect(
  takenA: readonly number[],
  takenB: readonly number[],
  least: number,
  most: number,
  into: [number, number][],
): void {
  for (let p = 0; p < takenA.length; p += 2) {
    for (let q = 0; q < takenB.length; q += 2) {
      const low = Math.max(takenA[p]! - takenB[q + 1]!, least);
      const high = Math.min(takenA[p + 1]! - takenB[q]!, most);
      // An open interval of length 1 between integers forbids nothing.
      if (high - low > 1) into.push([low, high]);
    }
  }
}

function merge(raw: [number, number][]): readonly number[] {
  raw.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const merged: number[] = [];
  for (const [low, high] of raw) {
    const last = merged.length - 1;
    // Open intervals that only touch leave the point between them allowed.
    if (last > 0 && low < merged[last]!) merged[last] = Math.max(merged[last]!, high);
    else merged.push(low, high);
  }
  return merged;
}
