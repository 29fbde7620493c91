/** An assignment under construction: which memory holds which buffers, with a packing of each that is known to fit. */
import type { Packer } from './packer.ts';
import type { Rooms } from './rooms.ts';
import { costIn, isAllowed, type PlaceProblem, sizeIn } from './types.ts';

export const NOWHERE = -1;

export interface State {
  /** By buffer; NOWHERE: in none yet. */
  readonly memory: Int32Array;
  /** Puts the buffer there if the memory then still fits; false: nothing is changed. */
  readonly tryPut: (buffer: number, memory: number) => boolean;
  readonly take: (buffer: number) => void;
  readonly members: (memory: number) => ReadonlySet<number>;
  readonly cost: () => number;
}

/**
 * A buffer first looks for a free place beside those that lie already; only where there is none the memory is packed
 * anew.
 */
export function createState(problem: PlaceProblem, rooms: Rooms, packer: Packer): State {
  const { buffers, memories } = problem;
  const memory = new Int32Array(buffers.length).fill(NOWHERE);
  const members = memories.map(() => new Set<number>());
  const offsets = memories.map(() => new Map<number, number>());
  const plain = buffers.every(({ gaps, mayOverlap, offset }) => {
    return !gaps?.length && !mayOverlap?.length && offset === undefined;
  });

  /** The lowest place beside the members; undefined: none is free. */
  const freePlace = (buffer: number, at: number): number | undefined => {
    const known = offsets[at]!;
    if (!plain) return undefined;
    const memory = memories[at]!;
    const { first, end } = buffers[buffer]!;
    const { bytes, alignment } = sizeIn(buffers[buffer]!, memory);
    const taken = [...members[at]!]
      .filter((other) => buffers[other]!.first < end && first < buffers[other]!.end)
      .map((other) => {
        const from = known.get(other)!;
        return { from, to: from + sizeIn(buffers[other]!, memory).bytes };
      })
      .sort((a, b) => a.from - b.from);
    let lowest = 0;
    for (const { from, to } of taken) {
      if (lowest + bytes <= from) break;
      lowest = Math.max(lowest, Math.ceil(to / alignment) * alignment);
    }
    return lowest + bytes <= memory.room ? lowest : undefined;
  };

  return {
    memory,
    members: (at) => members[at]!,
    tryPut: (buffer, at) => {
      if (!isAllowed(buffers[buffer]!, at) || !rooms.hasRoom(buffer, at)) return false;
      const place = freePlace(buffer, at);
      const anew = place === undefined ? packer.fit(at, [...members[at]!, buffer]) : undefined;
      if (place !== undefined) offsets[at]!.set(buffer, place);
      else if (anew !== undefined) offsets[at] = new Map(anew);
      else return false;
      rooms.put(buffer, at);
      members[at]!.add(buffer);
      memory[buffer] = at;
      return true;
    },
    take: (buffer) => {
      const at = memory[buffer]!;
      rooms.take(buffer, at);
      members[at]!.delete(buffer);
      offsets[at]!.delete(buffer);
      memory[buffer] = NOWHERE;
    },
    cost: () =>
      buffers.reduce((sum, buffer, i) => {
        const at = memory[i]!;
        return at === NOWHERE ? Number.POSITIVE_INFINITY : sum + costIn(buffer, memories[at]!);
      }, 0),
  };
}
