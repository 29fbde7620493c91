/** First fit, largest first. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { durations, orderBy } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const size: Strategy = {
  name: 'size',
  about: 'Largest buffer first, each at its lowest free offset.',
  cost: 'O(pairs log n)',
  source:
    'Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference, 2020 (greedy by size)',
  work: firstFitWork,
  place: (prepared, options) => {
    const order = orderBy(prepared.count, prepared.bytes, durations(prepared));
    return placedInOrder(prepared, order, options);
  },
};
