/** Local search: orders a few steps around the peak anew, exactly, while all others stay where they are. */
import { searchBothEnds } from './both-ends.ts';
import { partAt } from './parts.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { OrderOptions } from './types.ts';
import { createWalk, highest, profileOf } from './walk.ts';

/** Steps of a window: the next size is tried when one does not help. */
const SIZES = [24, 48, 96] as const;
/** Moves for one window. */
const MOVES = 100_000;

export interface Improved {
  readonly order: readonly number[];
  readonly moves: number;
}

/** Lowers the peak of an order as long as windows do, down to the floor, and about so many moves are left. */
export function improveByWindows(
  prepared: Prepared,
  order: readonly number[],
  floor: number,
  { moves = Number.POSITIVE_INFINITY, interrupted }: OrderOptions,
): Improved {
  let best = order;
  let spent = 0;
  for (let improved = true; improved && spent < moves && !interrupted?.(); ) {
    improved = false;
    const profile = profileOf(prepared, best);
    spent += best.length;
    const peak = highest(profile);
    if (peak <= floor) break;
    const enough = profile.reduce((most, bytes) => (bytes < peak ? Math.max(most, bytes) : most), floor);
    for (const size of SIZES) {
      const start = Math.max(0, profile.indexOf(peak) - size / 2);
      const found = windowOrder(prepared, best, { start, size, peak, enough, interrupted });
      spent += found.moves;
      if (found.order === undefined) continue;
      best = [...best.slice(0, start), ...found.order, ...best.slice(start + size)];
      improved = true;
      break;
    }
  }
  return { order: best, moves: spent };
}

interface Window {
  readonly start: number;
  readonly size: number;
  readonly peak: number;
  readonly enough: number;
  readonly interrupted: OrderOptions['interrupted'];
}

/** The steps of the window in an order with a smaller peak, if the search finds one. */
function windowOrder(
  prepared: Prepared,
  order: readonly number[],
  { start, size, peak, enough, interrupted }: Window,
): { readonly order: readonly number[] | undefined; readonly moves: number } {
  const walk = createWalk(prepared);
  for (const step of order.slice(0, start)) walk.take(step);
  const steps = order.slice(start, start + size);
  const search = searchBothEnds(prepare(partAt(walk, steps)), enough, { interrupted });
  search.advance(MOVES, peak);
  return { order: search.order()?.map((index) => steps[index]!), moves: search.moves() + walk.moves() };
}
