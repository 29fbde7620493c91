/** The lower bound: no plan can be smaller than the bytes that are live together at one step. */
import { gcd, roundUp } from './arithmetic.ts';
import { allowedDistance, slices } from './conflicts.ts';
import { createHeap } from './heap.ts';
import type { Buffer, Problem } from './types.ts';

/** More distinct alignments than this are sharpened with their common divisor only. */
const MAX_DIVISORS = 12;

export interface Bound {
  /** No plan can be smaller, in bytes. */
  readonly bytes: number;
  /** The first step at which the most bytes are live; 0 without buffers. */
  readonly step: number;
}

/**
 * Largest sum of live bytes over the steps, sharpened where that is valid:
 *
 * - If all offsets at a step are multiples of g, every buffer but the topmost occupies its size rounded up to g,
 *   so the step needs at least sum(roundup(size, g)) - max(roundup(size, g) - size). The g of a step is a common
 *   divisor of the alignments of its live buffers; rounding to anything else is wrong with mixed alignments.
 * - Bytes inside a gap do not count while they are free.
 * - A pair that may overlap can share at most the bytes beyond its distance; they are taken off while both live.
 * - A pinned buffer reaches to the end of its pin, and no arena is smaller than its largest buffer.
 */
export function lowerBound(problem: Problem): Bound {
  const plain = liveBytes(problem);
  let { bytes, step } = plain;
  for (const divisor of divisors(problem.buffers)) {
    const rounded = roundedBytes(problem.buffers, divisor);
    if (rounded.bytes > bytes) ({ bytes, step } = rounded);
  }
  for (const buffer of problem.buffers) {
    bytes = Math.max(bytes, (buffer.offset ?? 0) + buffer.bytes);
  }
  return { bytes, step };
}

/** Sweep over births and deaths of live bytes; valid with every feature. */
function liveBytes(problem: Problem): Bound {
  const times: number[] = [];
  const deltas: number[] = [];
  const add = (first: number, end: number, bytes: number): void => {
    times.push(first, end);
    deltas.push(bytes, -bytes);
  };
  for (const buffer of problem.buffers) {
    for (const slice of slices(buffer)) {
      let bytes = 0;
      for (let k = 0; k < slice.taken.length; k += 2) bytes += slice.taken[k + 1]! - slice.taken[k]!;
      add(slice.first, slice.end, bytes);
    }
    for (const partner of new Set(buffer.mayOverlap?.map((overlap) => overlap.buffer))) {
      const other = problem.buffers[partner]!;
      const first = Math.max(buffer.first, other.first);
      const end = Math.min(buffer.end, other.end);
      // Counted from both sides if both name each other: weaker, never wrong.
      if (first < end) add(first, end, -shareable(buffer, other, allowedDistance(buffer, partner)));
    }
  }
  return peak(times, deltas);
}

/** Bytes that two buffers share at most when `above` lies at least `distance` over `below`. */
function shareable(above: Buffer, below: Buffer, distance: number): number {
  return Math.max(0, Math.min(above.bytes, below.bytes, below.bytes - Math.max(0, distance)));
}

function peak(times: readonly number[], deltas: readonly number[]): Bound {
  const order = Array.from(times.keys()).sort((a, b) => times[a]! - times[b]! || deltas[a]! - deltas[b]!);
  let [live, bytes, step] = [0, 0, 0];
  for (let k = 0; k < order.length; k++) {
    live += deltas[order[k]!]!;
    const last = k + 1 === order.length || times[order[k + 1]!]! !== times[order[k]!]!;
    if (last && live > bytes) [bytes, step] = [live, times[order[k]!]!];
  }
  return { bytes, step };
}

/** Common divisors worth trying: the closure of the alignments under gcd, without 1. */
function divisors(buffers: readonly Buffer[]): readonly number[] {
  const distinct = [...new Set(buffers.map((buffer) => buffer.alignment))].sort((a, b) => a - b);
  const all = distinct.reduce(gcd, 0);
  if (distinct.length > MAX_DIVISORS) return all > 1 ? [all] : [];
  const closure = new Set<number>(distinct);
  for (const a of distinct) for (const b of closure) closure.add(gcd(a, b));
  closure.delete(1);
  return [...closure].sort((a, b) => a - b);
}

/** The sharpened bound for one divisor, over the steps at which it is valid. */
function roundedBytes(buffers: readonly Buffer[], divisor: number): Bound {
  const births = Array.from(buffers.keys()).sort((a, b) => buffers[a]!.first - buffers[b]!.first);
  const deaths = Array.from(buffers.keys()).sort((a, b) => buffers[a]!.end - buffers[b]!.end);
  const shared = sharing(buffers);
  const waste = wasteTracker();
  let live = 0;
  let invalid = 0;
  const change = (i: number, sign: 1 | -1): void => {
    if (shared.has(i) || buffers[i]!.alignment % divisor !== 0) {
      invalid += sign;
      return;
    }
    const rounded = roundUp(buffers[i]!.bytes, divisor);
    live += sign * rounded;
    waste.change(rounded - buffers[i]!.bytes, sign);
  };
  let [bytes, step, dead] = [0, 0, 0];
  for (let k = 0; k < births.length; k++) {
    const now = buffers[births[k]!]!.first;
    for (; buffers[deaths[dead]!]!.end <= now; dead++) change(deaths[dead]!, -1);
    change(births[k]!, 1);
    const complete = k + 1 === births.length || buffers[births[k + 1]!]!.first !== now;
    if (complete && invalid === 0 && live - waste.max() > bytes) [bytes, step] = [live - waste.max(), now];
  }
  return { bytes, step };
}

/** The largest waste among the live buffers: counts by value, and a heap that forgets the dead lazily. */
function wasteTracker(): { change: (waste: number, sign: 1 | -1) => void; max: () => number } {
  const counts = new Map<number, number>();
  const heap = createHeap((a, b) => a > b);
  const change = (waste: number, sign: 1 | -1): void => {
    const count = counts.get(waste);
    if (count === undefined) heap.push(waste);
    counts.set(waste, (count ?? 0) + sign);
  };
  const max = (): number => {
    for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
      if (counts.get(top)! > 0) return top;
      counts.delete(heap.pop()!);
    }
    return 0;
  };
  return { change, max };
}

/** Buffers with gaps, and both sides of every permitted overlap: rounding says nothing about them. */
function sharing(buffers: readonly Buffer[]): ReadonlySet<number> {
  const result = new Set<number>();
  buffers.forEach((buffer, i) => {
    if ((buffer.gaps?.length ?? 0) > 0 || (buffer.mayOverlap?.length ?? 0) > 0) result.add(i);
    for (const overlap of buffer.mayOverlap ?? []) result.add(overlap.buffer);
  });
  return result;
}
