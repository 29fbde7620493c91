/** First fit, the few big ones by pressure before all the rest. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { durations, orderBy, pressures } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

/** Share of the lower bound from which on a buffer is a rock. */
const ROCK = 0.01;

export const rocks: Strategy = {
  name: 'rocks',
  about:
    'Buffers above 1 % of the bound first; in each half those under the heaviest load, there the longest-lived.',
  cost: 'O(pairs log n)',
  source: 'own, found on the data of idealloc; "big rocks first" as in bin packing',
  work: firstFitWork,
  place: (prepared, options) => {
    const big = prepared.bytes.map((bytes) => (bytes > ROCK * prepared.bound.bytes ? 1 : 0));
    const order = orderBy(prepared.count, big, pressures(prepared), durations(prepared), prepared.bytes);
    return placedInOrder(prepared, order, options);
  },
};
