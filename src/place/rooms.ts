/** How full memories are while buffers are put into them and taken out again. */
import { type PlaceProblem, sizeIn } from './types.ts';

/** Live bytes of every memory; a necessary condition, checked before anything is packed. */
export interface Rooms {
  /** The memory has room for the live bytes at every moment of the buffer's life. */
  readonly hasRoom: (buffer: number, memory: number) => boolean;
  readonly put: (buffer: number, memory: number) => void;
  readonly take: (buffer: number, memory: number) => void;
}

/** Typed arrays, because the searches ask millions of times. */
export function createRooms({ buffers, memories }: PlaceProblem): Rooms {
  const births = [...new Set(buffers.map(({ first }) => first))].sort((a, b) => a - b);
  const at = new Map(births.map((step, index) => [step, index]));
  const from = Int32Array.from(buffers, ({ first }) => at.get(first)!);
  const to = Int32Array.from(buffers, ({ end }) => lowerIndex(births, end));
  const loads = memories.map(() => new Float64Array(births.length));
  const bytesIn = (buffer: number, memory: number): number =>
    sizeIn(buffers[buffer]!, memories[memory]!).bytes;
  const change = (buffer: number, memory: number, sign: 1 | -1): void => {
    const load = loads[memory]!;
    const bytes = sign * bytesIn(buffer, memory);
    for (let moment = from[buffer]!; moment < to[buffer]!; moment++) load[moment]! += bytes;
  };
  // Gaps and permitted overlaps hold less than a buffer's bytes: then only the packing decides.
  const plain = buffers.every(({ gaps, mayOverlap }) => !gaps?.length && !mayOverlap?.length);
  return {
    hasRoom: (buffer, memory) => {
      const { offset = 0 } = buffers[buffer]!;
      const bytes = bytesIn(buffer, memory);
      const { room } = memories[memory]!;
      if (offset + bytes > room) return false;
      if (room === Number.POSITIVE_INFINITY || !plain) return true;
      const load = loads[memory]!;
      for (let moment = from[buffer]!; moment < to[buffer]!; moment++) {
        if (load[moment]! + bytes > room) return false;
      }
      return true;
    },
    put: (buffer, memory) => change(buffer, memory, 1),
    take: (buffer, memory) => change(buffer, memory, -1),
  };
}

/** The first index whose step is not below `end`. */
function lowerIndex(births: readonly number[], end: number): number {
  let [low, high] = [0, births.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (births[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
