/** Walks over a problem in time: deaths before births, larger births first. Allocators that work online hang on it. */
import type { Prepared } from './prepare.ts';
import type { Placement, Refusal } from './strategy.ts';

/** The answer of strategies that decide step by step. */
export const PINNED: Refusal = { refused: 'some buffers are pinned, and it cannot keep their places free' };

export interface Allocator {
  /** The offset of a buffer that is born; it may not be moved later. */
  readonly take: (buffer: number) => number;
  /** Called at its death. */
  readonly give: (buffer: number, offset: number) => void;
}

/** Elementary steps of a birth and a death: sorting, and the search for a gap. */
export const SWEEP_STEP = 500;

/**
 * Offsets by buffer index, in O(n log n) calls. Gaps count as taken and permitted overlaps are not used, which is
 * always valid. Refused when a buffer is pinned: an allocator that looks at one step cannot keep its place free.
 */
export function sweep(prepared: Prepared, allocator: Allocator): Placement | Refusal {
  const { count, first, end, bytes, pin } = prepared;
  if (pin.some((offset) => offset >= 0)) return PINNED;
  const births = Int32Array.from({ length: count }, (_, i) => i);
  births.sort((a, b) => first[a]! - first[b]! || bytes[b]! - bytes[a]! || a - b);
  const deaths = Int32Array.from({ length: count }, (_, i) => i);
  deaths.sort((a, b) => end[a]! - end[b]! || a - b);
  const offsets = new Float64Array(count);
  let dead = 0;
  for (const i of births) {
    for (; end[deaths[dead]!]! <= first[i]!; dead++) {
      const gone = deaths[dead]!;
      if (bytes[gone]! > 0) allocator.give(gone, offsets[gone]!);
    }
    if (bytes[i]! > 0) offsets[i] = allocator.take(i);
  }
  return { offsets };
}
