/** Orders the steps for the smallest peak: part by part, exactly where the search can finish. */
import { beamOrder } from './beam.ts';
import { searchBothEnds } from './both-ends.ts';
import { leastPeak } from './bound.ts';
import { greedyOrder } from './greedy.ts';
import { partAt, seriesParts } from './parts.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Ordering, OrderOptions, OrderProblem } from './types.ts';
import { createWalk, type Direction, highest, peakOf, profileOf } from './walk.ts';
import { improveByWindows } from './windows.ts';

/** Steps tried when nobody says otherwise: a few seconds. */
export const DEFAULT_MOVES = 16_000_000;
/** Steps tried before a good order is sought by other means; most parts are finished by then. */
const FIRST_MOVES = 100_000;
/** Orders that are not proved, each improved by windows: the quickest first. A beam of width 1 is greedy. */
const HEURISTICS: readonly { readonly direction: Direction; readonly width: number }[] = [
  { direction: 'backward', width: 1 },
  { direction: 'forward', width: 1 },
  { direction: 'backward', width: 8 },
  { direction: 'forward', width: 8 },
];

interface Part {
  /** Steps of the whole problem, in the order found so far. */
  order: readonly number[];
  peak: number;
  lowerBound: number;
  readonly prepared: Prepared;
}

/**
 * The order with the smallest peak that the search finds, never a worse one than the order given. Deterministic: the
 * search is limited by the steps it tries. With `peak` equal to `lowerBound` no order is better.
 */
export function orderSteps(problem: OrderProblem, options: OrderOptions = {}): Ordering {
  const given = problem.steps.map((_, step) => step);
  const whole = prepare(problem);
  const profile = profileOf(whole, given);
  const givenPeak = highest(profile);
  const runs = seriesParts(problem);
  const base = { order: given, peak: givenPeak, givenPeak, moves: 0 };
  if (runs.every(({ length }) => length === 1)) return { ...base, lowerBound: givenPeak, only: true };

  const parts = partsOf(whole, runs, profile);
  const ceiling = givenPeak * (options.worth ?? Number.POSITIVE_INFINITY);
  let floor = Math.max(options.enough ?? 0, highest(parts.map(({ lowerBound }) => lowerBound)));
  let moves = 0;
  // What the worst part needs at least, the others may need as well.
  for (const part of [...parts].sort((a, b) => b.peak - a.peak)) {
    if (part.lowerBound >= ceiling) break;
    if (part.peak > floor) {
      const left = Math.max(0, (options.moves ?? DEFAULT_MOVES) - moves);
      moves += improvePart(part, { floor, ceiling }, left, options);
    }
    if (part.peak >= ceiling) break;
    floor = Math.max(floor, part.peak);
  }
  const lowerBound = highest(parts.map((part) => part.lowerBound));
  const order = parts.flatMap((part) => part.order);
  const peak = peakOf(whole, order);
  if (peak >= givenPeak) return { ...base, lowerBound, only: false, moves };
  return { order, peak, givenPeak, lowerBound, only: false, moves };
}

function partsOf(
  whole: Prepared,
  runs: readonly (readonly number[])[],
  profile: readonly number[],
): readonly Part[] {
  const walk = createWalk(whole);
  return runs.map((order) => {
    const prepared = prepare(partAt(walk, order));
    for (const step of order) walk.take(step);
    const peak = highest(order.map((step) => profile[step]!));
    return { order, peak, lowerBound: order.length === 1 ? peak : leastPeak(prepared), prepared };
  });
}

interface Range {
  readonly floor: number;
  readonly ceiling: number;
}

/** Looks for an order of the part with a smaller peak, below the ceiling, down to the floor. Returns the moves it took. */
function improvePart(
  part: Part,
  { floor, ceiling }: Range,
  most: number,
  { interrupted }: OrderOptions,
): number {
  const { prepared, order } = part;
  const take = (found: readonly number[] | undefined): void => {
    const peak = found === undefined ? part.peak : peakOf(prepared, found);
    if (found === undefined || peak >= part.peak) return;
    part.order = found.map((index) => order[index]!);
    part.peak = peak;
  };
  const search = searchBothEnds(prepared, floor, { interrupted });
  const advance = (moves: number): void => {
    search.advance(moves, Math.min(part.peak, ceiling));
    if (search.lowerBound() > floor) part.lowerBound = Math.max(part.lowerBound, search.lowerBound());
    take(search.order());
  };
  advance(Math.min(FIRST_MOVES, most));
  if (most <= FIRST_MOVES) return search.moves();
  let others = 0;
  for (const { direction, width } of HEURISTICS) {
    if (search.finished() || part.peak <= floor || interrupted?.()) break;
    const moves = most / 8;
    const found =
      width === 1
        ? greedyOrder(prepared, direction, moves)
        : beamOrder(prepared, direction, { width, ceiling: part.peak, moves });
    others += found.moves;
    if (found.order === undefined) continue;
    const least = Math.max(floor, part.lowerBound);
    const improved = improveByWindows(prepared, found.order, least, { moves, interrupted });
    others += improved.moves;
    take(improved.order);
  }
  if (!search.finished() && part.peak > floor) advance(most - others);
  return search.moves() + others;
}
