/** First fit, longest life first. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { durations, orderBy } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const duration: Strategy = {
  name: 'duration',
  about: 'Longest live range first, each at its lowest free offset.',
  cost: 'O(pairs log n)',
  source: 'the W order of Moffitt, MiniMalloc, 2023',
  work: firstFitWork,
  place: (prepared, options) => {
    const order = orderBy(prepared.count, durations(prepared), prepared.bytes);
    return placedInOrder(prepared, order, options);
  },
};
