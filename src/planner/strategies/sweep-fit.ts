/** First fit over time with a coalescing free list. */
import { createFreeList } from '../free-list.ts';
import type { Strategy } from '../strategy.ts';
import { SWEEP_STEP, sweep } from '../sweep.ts';

export const sweepFit: Strategy = {
  name: 'sweep',
  about:
    'Walks over the steps; a buffer that is born takes the lowest free gap, the dead give theirs back and gaps join.',
  cost: 'O(n log n)',
  source:
    'address-ordered first fit: Wilson et al., Dynamic Storage Allocation: A Survey and Critical Review, 1995',
  work: (prepared) => prepared.count * SWEEP_STEP,
  place: (prepared) => {
    const { bytes, alignment } = prepared;
    const free = createFreeList(0, Number.POSITIVE_INFINITY);
    return sweep(prepared, {
      take: (i) => free.takeLowest(bytes[i]!, alignment[i]!),
      give: (i, offset) => free.give(offset, bytes[i]!),
    });
  },
};
