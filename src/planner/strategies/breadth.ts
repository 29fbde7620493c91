/** First fit, step by step in order of the bytes that are live there. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { orderBy, pressures } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const breadth: Strategy = {
  name: 'breadth',
  about: 'Steps with the most live bytes first, at each its unplaced buffers from the largest down.',
  cost: 'O(pairs log n)',
  source:
    'Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference, 2020 (greedy by breadth)',
  work: firstFitWork,
  // A buffer is placed at the heaviest step of its life, so sorting by that load visits the steps in order.
  place: (prepared, options) => {
    const order = orderBy(prepared.count, pressures(prepared), prepared.bytes);
    return placedInOrder(prepared, order, options);
  },
};
