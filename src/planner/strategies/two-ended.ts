/** Long lives from the bottom up, short ones from the top down. */
import { arenaBytes } from '../first-fit.ts';
import { createFreeList } from '../free-list.ts';
import { durations } from '../orders.ts';
import type { Prepared } from '../prepare.ts';
import type { Placement, Refusal, Strategy } from '../strategy.ts';
import { SWEEP_STEP, sweep } from '../sweep.ts';

/** Where "long" begins: at these shares of the sorted lengths. */
const SHARES = [0.1, 0.5, 0.8, 0.85, 0.9, 0.98] as const;
/** The space between the ends, in lower bounds. */
const SPACES = [1, 1.02] as const;

export const twoEnded: Strategy = {
  name: 'two-ended',
  about:
    'Walks over the steps; long-lived buffers take the lowest gap, short-lived ones the highest, misfits lie above both.',
  cost: 'O(n log n), twelve times',
  source:
    'segregation by lifetime from both ends of the heap: Wilson et al., Dynamic Storage Allocation, 1995',
  work: (prepared) => prepared.count * SHARES.length * SPACES.length * SWEEP_STEP,
  place: (prepared, { interrupted }) => {
    const lengths = durations(prepared).sort();
    let best: Placement | Refusal = { refused: 'there is nothing to place' };
    let least = Number.POSITIVE_INFINITY;
    for (const share of new Set(SHARES.map((part) => lengths[Math.floor(part * lengths.length)] ?? 0))) {
      for (const space of SPACES) {
        if (least < Number.POSITIVE_INFINITY && interrupted?.()) return best;
        const placement = fromBothEnds(prepared, share, Math.ceil(prepared.bound.bytes * space));
        if ('refused' in placement) return placement;
        const bytes = arenaBytes(prepared, placement.offsets);
        if (bytes >= least) continue;
        [best, least] = [placement, bytes];
        if (least === prepared.bound.bytes) return best;
      }
    }
    return best;
  },
};

function fromBothEnds(prepared: Prepared, long: number, space: number): Placement | Refusal {
  const { first, end, bytes, alignment } = prepared;
  const free = createFreeList(0, space);
  const above = createFreeList(space, Number.POSITIVE_INFINITY);
  return sweep(prepared, {
    take: (i) => {
      const take = end[i]! - first[i]! >= long ? free.takeLowest : free.takeHighest;
      const at = take(bytes[i]!, alignment[i]!);
      return at >= 0 ? at : above.takeLowest(bytes[i]!, alignment[i]!);
    },
    give: (i, offset) => (offset < space ? free : above).give(offset, bytes[i]!),
  });
}
