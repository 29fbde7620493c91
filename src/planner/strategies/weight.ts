/** First fit, largest size under the heaviest load first. */
import { firstFitWork, placedInOrder } from '../first-fit.ts';
import { durations, orderBy, pressures } from '../orders.ts';
import type { Strategy } from '../strategy.ts';

export const weight: Strategy = {
  name: 'weight',
  about:
    'Largest bytes times the eighth power of the heaviest load it lives under first, each at its lowest free offset.',
  cost: 'O(pairs log n)',
  source: 'own, found on the data of idealloc',
  work: firstFitWork,
  place: (prepared, options) => {
    const order = orderBy(
      prepared.count,
      pressures(prepared).map((load, i) => Math.log(prepared.bytes[i]!) + 8 * Math.log(load)),
      durations(prepared),
    );
    return placedInOrder(prepared, order, options);
  },
};
