/** What more of one memory would gain, by placing again. */

import { createPacker } from './packer.ts';
import { filled } from './place.ts';
import type { Memory, Placement, PlaceProblem } from './types.ts';

export interface Gain {
  readonly memory: string;
  /** Bytes more of it. */
  readonly bytes: number;
  /** Bytes of traffic that slower memories would then be spared. */
  readonly traffic: number;
}

/** Search nodes for one packing; the answer is an estimate. */
const EFFORT = 1_000;
/** Beyond these, placing again takes too long for a remark. */
const MOST_BUFFERS = 400;

/** For each memory with buffers in slower ones: twice as much of it. Those that would gain nothing are left out. */
export function gainsOf(problem: PlaceProblem, { memory }: Placement): readonly Gain[] {
  const { memories, buffers } = problem;
  if (buffers.length > MOST_BUFFERS) return [];
  const slowest = memory.reduce((most, at) => Math.max(most, memories[at]!.rank), 0);
  return memories.flatMap((larger, at) => {
    const { room, rank, name } = larger;
    if (rank >= slowest || room === 0 || room === Number.POSITIVE_INFINITY) return [];
    const changed = memories.map((m, i): Memory => (i === at ? { ...m, room: 2 * room } : m));
    const again = { ...problem, memories: changed };
    const found = filled(again, createPacker(again, EFFORT));
    if (found === undefined) return [];
    const slower = (places: readonly number[]): number =>
      buffers.reduce((sum, { traffic }, i) => sum + (memories[places[i]!]!.rank > rank ? traffic : 0), 0);
    const traffic = slower(memory) - slower(found.memory);
    return traffic > 0 ? [{ memory: name, bytes: room, traffic }] : [];
  });
}
