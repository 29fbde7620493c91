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
 *   so the step needs at least sum(roundup(size, g)) - max(roundup(size, g) - size). Buffers whose alignment is no
 *   multiple of g are left out of the sum; rounding them up as well is wrong.
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

/** The largest sum, and the first time at which it is reached. Deaths come before births, which only add. */
function peak(times: readonly number[], deltas: readonly number[]): Bound {
  const order = Array.from(times.keys()).sort((a, b) => times[a]! - times[b]! || deltas[a]! - deltas[b]!);
  let [live, bytes, step] = [0, 0, 0];
  for (const k of order) {
    live += deltas[k]!;
    if (live > bytes) [bytes, step] = [live, times[k]!];
  }
  return { bytes, step };
}

/** Common divisors worth trying: the closure of the alignments under gcd, without 1. */
function divisors(buffers: readonly Buffer[]): ReadonlySet<number> {
  const distinct = new Set(buffers.map((buffer) => buffer.alignment));
  const closure = distinct.size > MAX_DIVISORS ? new Set([[...distinct].reduce(gcd, 0)]) : distinct;
  for (const a of closure) for (const b of closure) closure.add(gcd(a, b));
  closure.delete(1);
  return closure;
}

/** The sharpened bound for one divisor, over the buffers for which it is valid. */
function roundedBytes(buffers: readonly Buffer[], divisor: number): Bound {
  const shared = sharing(buffers);
  const valid = buffers.filter(({ alignment }, i) => alignment % divisor === 0 && !shared.has(i));
  const births = [...valid].sort((a, b) => a.first - b.first);
  const deaths = [...valid].sort((a, b) => a.end - b.end);
  const waste = wasteTracker();
  let live = 0;
  const change = (buffer: Buffer, sign: 1 | -1): void => {
    const rounded = roundUp(buffer.bytes, divisor);
    live += sign * rounded;
    waste.change(rounded - buffer.bytes, sign);
  };
  let [bytes, step, dead] = [0, 0, 0];
  for (const buffer of births) {
    for (; deaths[dead]!.end <= buffer.first; dead++) change(deaths[dead]!, -1);
    change(buffer, 1);
    const needed = live - waste.max();
    if (needed > bytes) [bytes, step] = [needed, buffer.first];
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

/** Buffers with gaps, and one side of every permitted overlap: rounding the others is valid. */
function sharing(buffers: readonly Buffer[]): ReadonlySet<number> {
  const result = new Set<number>();
  buffers.forEach((buffer, i) => {
    if (buffer.gaps !== undefined && buffer.gaps.length > 0) result.add(i);
    for (const overlap of buffer.mayOverlap ?? []) result.add(overlap.buffer);
  });
  return result;
}
