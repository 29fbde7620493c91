/** Finds an order at once: takes what is safe, then always the step that needs the fewest bytes. */
import type { Prepared } from './prepare.ts';
import { createSettle } from './settle.ts';
import { createWalk, type Direction } from './walk.ts';

/** What is safe is looked for up to so many moves. */
export function greedyOrder(
  prepared: Prepared,
  direction: Direction,
  moves: number,
): { readonly order: readonly number[]; readonly moves: number } {
  const walk = createWalk(prepared, direction);
  const settle = createSettle(walk);
  const path: number[] = [];
  let peak = 0;
  settle(peak, path, moves);
  while (walk.size() < prepared.count) {
    let [best, least, change] = [-1, Number.POSITIVE_INFINITY, 0];
    for (let step = walk.nextReady(0); step >= 0; step = walk.nextReady(step + 1)) {
      const bytes = Math.max(peak, walk.during(step));
      if (bytes > least) continue;
      const more = walk.change(step);
      if (bytes < least || more < change) [best, least, change] = [step, bytes, more];
    }
    peak = least;
    walk.take(best);
    path.push(best);
    settle(peak, path, moves);
  }
  return { order: direction === 'forward' ? path : path.reverse(), moves: walk.moves() };
}
