/** First fit in order of birth. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { orderBy } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const start: Strategy = {
  name: 'start',
  about: 'In order of birth, larger first among those born together, each at its lowest free offset.',
  cost: 'O(pairs log n)',
  source: 'dynamic storage allocation, first fit: Knuth, The Art of Computer Programming 1, section 2.5',
  work: firstFitWork,
  place: (prepared, options) => {
    const order = orderBy(
      prepared.count,
      prepared.first.map((first) => -first),
      prepared.bytes,
    );
    return placedInOrder(prepared, order, options);
  },
};
