/** Free gaps of an address space in order, with coalescing: what an allocator that sweeps over time keeps. */
import { roundUp } from './arithmetic.ts';

/** Each take returns an offset, or -1 when no gap is wide enough. Alignment may leave a gap below the offset. */
export interface FreeList {
  /** From the lowest gap that is wide enough, at its lower end (first fit). */
  readonly takeLowest: (bytes: number, alignment: number) => number;
  /** From the highest such gap, at its upper end. The highest gap must be finite. */
  readonly takeHighest: (bytes: number, alignment: number) => number;
  /** From the smallest such gap (the lowest among equals), at its lower end (best fit). */
  readonly takeBest: (bytes: number, alignment: number) => number;
  /** Gives bytes back and joins them with the free bytes on either side. */
  readonly give: (offset: number, bytes: number) => void;
}

/** Gaps are kept in chunks of at most this many: a change moves few entries, a search skips whole chunks. */
const MOST = 128;

interface Chunk {
  readonly start: number[];
  readonly size: number[];
  /** Size of the widest gap. */
  widest: number;
}

/** A list in which [from, to) is free; `to` may be Infinity. O(gaps / 128 + 128) for each operation. */
export function createFreeList(from: number, to: number): FreeList {
  const chunks: Chunk[] = [{ start: [from], size: [to - from], widest: to - from }];

  /** Takes the bytes at `at` out of gap k of chunk c. */
  const cut = (c: number, k: number, at: number, bytes: number): number => {
    const start = chunks[c]!.start[k]!;
    const end = start + chunks[c]!.size[k]!;
    removeGap(chunks, c, k);
    if (at > start) insertGap(chunks, start, at - start);
    if (end > at + bytes) insertGap(chunks, at + bytes, end - at - bytes);
    return at;
  };

  return {
    takeLowest: (bytes, alignment) => {
      for (let c = 0; c < chunks.length; c++) {
        const { start, size, widest } = chunks[c]!;
        for (let k = 0; widest >= bytes && k < start.length; k++) {
          const at = roundUp(start[k]!, alignment);
          if (at + bytes <= start[k]! + size[k]!) return cut(c, k, at, bytes);
        }
      }
      return -1;
    },
    takeHighest: (bytes, alignment) => {
      for (let c = chunks.length - 1; c >= 0; c--) {
        const { start, size, widest } = chunks[c]!;
        for (let k = start.length - 1; widest >= bytes && k >= 0; k--) {
          const last = start[k]! + size[k]! - bytes;
          const at = last - (last % alignment);
          if (last >= 0 && at >= start[k]!) return cut(c, k, at, bytes);
        }
      }
      return -1;
    },
    takeBest: (bytes, alignment) => {
      let best: readonly [c: number, k: number, at: number] | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (let c = 0; c < chunks.length; c++) {
        const { start, size, widest } = chunks[c]!;
        for (let k = 0; widest >= bytes && k < start.length; k++) {
          const at = roundUp(start[k]!, alignment);
          if (at + bytes > start[k]! + size[k]! || (best !== undefined && size[k]! >= least)) continue;
          best = [c, k, at];
          least = size[k]!;
        }
      }
      return best === undefined ? -1 : cut(...best, bytes);
    },
    give: (offset, bytes) => {
      let start = offset;
      let end = offset + bytes;
      const [below, k] = locate(chunks, offset);
      const lower = chunks[below];
      if (lower !== undefined && k >= 0 && lower.start[k]! + lower.size[k]! === offset) {
        start = lower.start[k]!;
        removeGap(chunks, below, k);
      }
      const [above, m] = locate(chunks, end);
      const upper = chunks[above];
      if (upper !== undefined && m >= 0 && upper.start[m] === end) {
        end += upper.size[m]!;
        removeGap(chunks, above, m);
      }
      insertGap(chunks, start, end - start);
    },
  };
}

/** Chunk and place of the last gap that starts at or below the offset; place -1: there is none. */
function locate(chunks: readonly Chunk[], offset: number): readonly [chunk: number, place: number] {
  let [low, high] = [0, chunks.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (chunks[middle]!.start[0]! <= offset) low = middle;
    else high = middle - 1;
  }
  const starts = chunks[low]?.start ?? [];
  let place = starts.length - 1;
  while (place >= 0 && starts[place]! > offset) place--;
  return [low, place];
}

function insertGap(chunks: Chunk[], start: number, size: number): void {
  if (chunks.length === 0) chunks.push({ start: [], size: [], widest: 0 });
  const [c, place] = locate(chunks, start);
  const chunk = chunks[c]!;
  chunk.start.splice(place + 1, 0, start);
  chunk.size.splice(place + 1, 0, size);
  chunk.widest = Math.max(chunk.widest, size);
  if (chunk.start.length <= MOST) return;
  const half = MOST >> 1;
  const upper = { start: chunk.start.splice(half), size: chunk.size.splice(half), widest: 0 };
  chunks.splice(c + 1, 0, upper);
  chunk.widest = widest(chunk);
  upper.widest = widest(upper);
}

function removeGap(chunks: Chunk[], c: number, k: number): void {
  const chunk = chunks[c]!;
  chunk.start.splice(k, 1);
  const [size] = chunk.size.splice(k, 1);
  if (chunk.start.length === 0) chunks.splice(c, 1);
  else if (size === chunk.widest) chunk.widest = widest(chunk);
}

function widest(chunk: Chunk): number {
  let most = 0;
  for (const size of chunk.size) if (size > most) most = size;
  return most;
}
