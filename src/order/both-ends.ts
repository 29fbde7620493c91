/** Searches from both ends of the order in turn: which of them is the better one is not known before. */
import type { Prepared } from './prepare.ts';
import { createSearch, type Search } from './search.ts';
import type { OrderOptions } from './types.ts';
import type { Direction } from './walk.ts';

/** Moves of one search before the other has its turn. */
const TURN = 10_000;

/** As `createSearch`; the moves are those of both searches, and the better end decides. */
export function searchBothEnds(
  prepared: Prepared,
  floor: number,
  { interrupted }: OrderOptions = {},
): Search {
  // What only the first step needs does not fit the argument of `settle` when steps are moved to the end.
  const ends: readonly Direction[] = prepared.problem.startBytes > 0 ? ['forward'] : ['backward', 'forward'];
  const searches = ends.map((direction) => createSearch(prepared, direction, floor));
  const done = (): Search | undefined => searches.find((search) => search.finished());
  const moves = (): number => searches.reduce((sum, search) => sum + search.moves(), 0);
  return {
    advance: (most, ceiling) => {
      for (let before = -1; done() === undefined && moves() < most && moves() > before; ) {
        if (interrupted?.()) return;
        before = moves();
        for (const search of searches) {
          const turn = Math.min(TURN, most - moves());
          if (done() === undefined) search.advance(search.moves() + turn, ceiling);
        }
      }
    },
    finished: () => done() !== undefined,
    order: () => done()?.order(),
    lowerBound: () => searches.reduce((most, search) => Math.max(most, search.lowerBound()), floor),
    moves,
  };
}
