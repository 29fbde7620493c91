/** A problem as typed arrays with its pairs of live-together buffers: what the strategies work on. */
import { type Bound, lowerBound } from './bound.ts';
import { forbidden } from './conflicts.ts';
import type { Problem } from './types.ts';

/**
 * Pairs that hold bytes at a common step, by buffer (compressed rows): entry k of row i, for
 * start[i] <= k < start[i + 1], forbids offset(i) strictly between offset(other[k]) + low[k] and
 * offset(other[k]) + high[k]. A pair with several forbidden stretches has several entries.
 */
export interface Neighbours {
  readonly start: Int32Array;
  readonly other: Int32Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Typed arrays, because strategies read them millions of times; Float64Array holds integers to 2^53. */
export interface Prepared {
  readonly problem: Problem;
  readonly count: number;
  readonly first: Float64Array;
  readonly end: Float64Array;
  readonly bytes: Float64Array;
  readonly alignment: Float64Array;
  /** Pinned offset, or -1. */
  readonly pin: Float64Array;
  readonly bound: Bound;
  /** Pairs with a common step, counted without listing them. */
  readonly pairs: number;
  /** No gaps and no permitted overlaps: every pair is simply disjoint. */
  readonly plain: boolean;
  /** Listed at the first call. Costs memory in the number of pairs: look at `pairs` first. */
  readonly neighbours: () => Neighbours;
}

/** O(n log n); the neighbours O(pairs) when they are asked for. */
export function prepare(problem: Problem): Prepared {
  const { buffers } = problem;
  const first = Float64Array.from(buffers, (buffer) => buffer.first);
  const end = Float64Array.from(buffers, (buffer) => buffer.end);
  let listed: Neighbours | undefined;
  const prepared: Prepared = {
    problem,
    count: buffers.length,
    first,
    end,
    bytes: Float64Array.from(buffers, (buffer) => buffer.bytes),
    alignment: Float64Array.from(buffers, (buffer) => buffer.alignment),
    pin: Float64Array.from(buffers, (buffer) => buffer.offset ?? -1),
    bound: lowerBound(problem),
    pairs: countPairs(first, end),
    plain: buffers.every((buffer) => !buffer.gaps?.length && !buffer.mayOverlap?.length),
    neighbours: () => {
      listed ??= listNeighbours(prepared);
      return listed;
    },
  };
  return prepared;
}

/** Pairs of ranges with a common step: at each birth, everything born before and not yet dead. */
function countPairs(first: Float64Array, end: Float64Array): number {
  const births = first.slice().sort();
  const deaths = end.slice().sort();
  let pairs = 0;
  let dead = 0;
  for (let k = 0; k < births.length; k++) {
    while (deaths[dead]! <= births[k]!) dead++;
    pairs += k - dead;
  }
  return pairs;
}

/** Counts the entries of each row, then fills them in: no growing arrays, since the pairs may be millions. */
function listNeighbours(prepared: Prepared): Neighbours {
  const { count } = prepared;
  const start = new Int32Array(count + 1);
  eachStretch(prepared, (i, j) => {
    start[i + 1]!++;
    start[j + 1]!++;
  });
  for (let i = 0; i < count; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const entries = start[count]!;
  const other = new Int32Array(entries);
  const low = new Float64Array(entries);
  const high = new Float64Array(entries);
  eachStretch(prepared, (i, j, least, most) => {
    // offset(j) - offset(i) may not lie in (least, most), so offset(i) - offset(j) not in (-most, -least).
    const [ofI, ofJ] = [next[i]!++, next[j]!++];
    other[ofI] = j;
    low[ofI] = -most;
    high[ofI] = -least;
    other[ofJ] = i;
    low[ofJ] = least;
    high[ofJ] = most;
  });
  return { start, other, low, high };
}

/** Calls back for every forbidden stretch of every pair with a common step. */
function eachStretch(
  prepared: Prepared,
  visit: (i: number, j: number, least: number, most: number) => void,
): void {
  const { count, first, end, bytes, problem, plain } = prepared;
  const births = Int32Array.from({ length: count }, (_, i) => i);
  births.sort((a, b) => first[a]! - first[b]! || a - b);
  const active = new Int32Array(count);
  let used = 0;
  for (const j of births) {
    if (bytes[j] === 0) continue;
    let kept = 0;
    for (let k = 0; k < used; k++) {
      const i = active[k]!;
      if (end[i]! <= first[j]!) continue;
      active[kept++] = i;
      if (plain) {
        visit(i, j, -bytes[j]!, bytes[i]!);
        continue;
      }
      const stretches = forbidden(problem.buffers[i]!, i, problem.buffers[j]!, j);
      for (let s = 0; s < stretches.length; s += 2) visit(i, j, stretches[s]!, stretches[s + 1]!);
    }
    active[kept++] = j;
    used = kept;
  }
}
