/** First fit, largest bytes x duration first. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { areas, orderBy } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const area: Strategy = {
  name: 'area',
  about: 'Largest bytes times duration first, each at its lowest free offset.',
  cost: 'O(pairs log n)',
  source: 'two-dimensional packing folklore; the A order of Moffitt, MiniMalloc, 2023',
  work: firstFitWork,
  place: (prepared, options) => {
    const order = orderBy(prepared.count, areas(prepared), prepared.bytes);
    return placedInOrder(prepared, order, options);
  },
};
