/** First fit, those that live through the heaviest step first. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { durations, orderBy, pressures } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const urgency: Strategy = {
  name: 'urgency',
  about: 'Buffers of the heaviest step first, there the longest-lived, each at its lowest free offset.',
  cost: 'O(pairs log n)',
  source: 'the T order of Moffitt, MiniMalloc, 2023',
  work: firstFitWork,
  place: (prepared, options) => {
    const order = orderBy(prepared.count, pressures(prepared), durations(prepared), prepared.bytes);
    return placedInOrder(prepared, order, options);
  },
};
