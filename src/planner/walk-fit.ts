/** First fit by walking over the placed buffers from the lowest up. */
import { roundUp } from './arithmetic.ts';
import type { Prepared } from './prepare.ts';
import type { Stopper } from './stopper.ts';

/** Placed buffers by rising offset, in chunks: arrays side by side, because the walk reads little else. */
interface Chunk {
  used: number;
  readonly first: Float64Array;
  readonly end: Float64Array;
  readonly offset: Float64Array;
  readonly top: Float64Array;
  /** Highest top: a chunk that ends below the place looked at is skipped. */
  highest: number;
  /** Of all in it the last birth, the first death, and the widest hole: a chunk in which nothing fits is passed at once. */
  latest: number;
  soonest: number;
  widest: number;
}

const ROOM = 256;

/**
 * Places the pinned buffers, then the others in the order given, each at its lowest free offset. Every buffer walks
 * past the placed ones until a gap is wide enough: O(n^2) at worst, but a step is two comparisons on neighbouring
 * memory, most walks end early, and a stack of buffers that live at once is passed in chunks. Needs no list of pairs.
 * Gaps count as taken, overlaps as forbidden.
 */
export function walkFit(prepared: Prepared, order: ArrayLike<number>, stopped: Stopper): Float64Array {
  const { count, bytes, first, end, alignment, pin } = prepared;
  const offsets = new Float64Array(count);
  const chunks: Chunk[] = [createChunk()];
  const put = (i: number, at: number): void => {
    offsets[i] = at;
    if (bytes[i]! > 0) insert(chunks, first[i]!, end[i]!, at, at + bytes[i]!);
  };
  for (let i = 0; i < count; i++) if (pin[i]! >= 0) put(i, pin[i]!);
  for (let k = 0; k < order.length && !stopped(); k++) {
    const i = order[k]!;
    if (pin[i]! < 0)
      put(i, bytes[i] === 0 ? 0 : lowest(chunks, first[i]!, end[i]!, bytes[i]!, alignment[i]!));
  }
  return offsets;
}

function lowest(chunks: readonly Chunk[], born: number, dead: number, size: number, step: number): number {
  let at = 0;
  for (const { used, first, end, offset, top, highest, latest, soonest, widest } of chunks) {
    if (highest <= at) continue;
    if (offset[0]! >= at + size) return at;
    if (latest < dead && soonest > born && widest < size) {
      at = roundUp(highest, step);
      continue;
    }
    for (let p = 0; p < used; p++) {
      if (first[p]! >= dead || end[p]! <= born || top[p]! <= at) continue;
      if (offset[p]! >= at + size) return at;
      at = roundUp(top[p]!, step);
    }
  }
  return at;
}

function createChunk(): Chunk {
  const make = (): Float64Array => new Float64Array(ROOM);
  return {
    ...{ used: 0, first: make(), end: make(), offset: make(), top: make() },
    ...{ highest: 0, latest: 0, soonest: 0, widest: 0 },
  };
}

function insert(chunks: Chunk[], first: number, end: number, offset: number, top: number): void {
  let c = 0;
  let last = chunks.length - 1;
  while (c < last) {
    const middle = (c + last + 1) >>> 1;
    if (chunks[middle]!.offset[0]! <= offset) c = middle;
    else last = middle - 1;
  }
  if (chunks[c]!.used === ROOM) {
    split(chunks, c);
    if (chunks[c + 1]!.offset[0]! <= offset) c++;
  }
  const chunk = chunks[c]!;
  let p = chunk.used;
  while (p > 0 && chunk.offset[p - 1]! > offset) p--;
  const move = (array: Float64Array, value: number): void => {
    array.copyWithin(p + 1, p, chunk.used);
    array[p] = value;
  };
  move(chunk.first, first);
  move(chunk.end, end);
  move(chunk.offset, offset);
  move(chunk.top, top);
  chunk.used++;
  measure(chunk);
}

function measure(chunk: Chunk): void {
  const { used, first, end, offset, top } = chunk;
  let [highest, latest, soonest, widest] = [top[0]!, first[0]!, end[0]!, 0];
  for (let p = 1; p < used; p++) {
    widest = Math.max(widest, offset[p]! - highest);
    highest = Math.max(highest, top[p]!);
    latest = Math.max(latest, first[p]!);
    soonest = Math.min(soonest, end[p]!);
  }
  chunk.highest = highest;
  chunk.latest = latest;
  chunk.soonest = soonest;
  chunk.widest = widest;
}

function split(chunks: Chunk[], c: number): void {
  const lower = chunks[c]!;
  const upper = createChunk();
  const half = ROOM >> 1;
  for (const key of ['first', 'end', 'offset', 'top'] as const) upper[key].set(lower[key].subarray(half));
  lower.used = half;
  upper.used = ROOM - half;
  measure(lower);
  measure(upper);
  chunks.splice(c + 1, 0, upper);
}
