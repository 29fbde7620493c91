/** The classic embedded pool: a best-fit free list over a cursor that only moves up, with and without coalescing. */
import { roundUp } from '../arithmetic.ts';
import { createFreeList } from '../free-list.ts';
import type { Strategy } from '../strategy.ts';
import { SWEEP_STEP, sweep } from '../sweep.ts';

export const pool: Strategy = {
  name: 'pool',
  about:
    'Walks over the steps: the smallest free block that is wide enough, split; else from a cursor. Free neighbours stay apart.',
  cost: 'O(n x free blocks)',
  source:
    'fixed pools of embedded allocators; best fit: Knuth, The Art of Computer Programming 1, section 2.5',
  work: (prepared) => prepared.count ** 2,
  place: (prepared) => {
    const { bytes, alignment } = prepared;
    const blocks: { start: number; size: number }[] = [];
    let cursor = 0;
    return sweep(prepared, {
      take: (i) => {
        const need = bytes[i]!;
        let best = -1;
        blocks.forEach(({ start, size }, k) => {
          const fits = roundUp(start, alignment[i]!) + need <= start + size;
          if (fits && (best < 0 || size < blocks[best]!.size)) best = k;
        });
        if (best < 0) {
          const at = roundUp(cursor, alignment[i]!);
          cursor = at + need;
          return at;
        }
        const [{ start, size }] = blocks.splice(best, 1) as [{ start: number; size: number }];
        const at = roundUp(start, alignment[i]!);
        if (at > start) blocks.push({ start, size: at - start });
        if (start + size > at + need) blocks.push({ start: at + need, size: start + size - at - need });
        return at;
      },
      give: (i, start) => blocks.push({ start, size: bytes[i]! }),
    });
  },
};

export const coalescingPool: Strategy = {
  name: 'coalescing-pool',
  about: 'The same pool, in which free neighbours join.',
  cost: 'O(n x gaps)',
  source: 'boundary tags: Knuth, The Art of Computer Programming 1, section 2.5',
  work: (prepared) => prepared.count * SWEEP_STEP,
  place: (prepared) => {
    const { bytes, alignment } = prepared;
    const free = createFreeList(0, 0);
    let cursor = 0;
    return sweep(prepared, {
      take: (i) => {
        const found = free.takeBest(bytes[i]!, alignment[i]!);
        if (found >= 0) return found;
        const at = roundUp(cursor, alignment[i]!);
        if (at > cursor) free.give(cursor, at - cursor);
        cursor = at + bytes[i]!;
        return at;
      },
      give: (i, start) => free.give(start, bytes[i]!),
    });
  },
};
