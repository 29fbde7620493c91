/** Whether a set of buffers can be packed into a memory: asked often, so answers are remembered. */
import { solve } from '../planner/solve.ts';
import type { Buffer, Solution } from '../planner/types.ts';
import { type Memory, type PlaceableBuffer, type PlaceOptions, type PlaceProblem, sizeIn } from './types.ts';

export interface Packer {
  /**
   * Offsets by buffer at which these buffers, in any order, fit into the memory; undefined: there are none, or none
   * were found within the effort.
   */
  readonly fit: (memory: number, buffers: readonly number[]) => ReadonlyMap<number, number> | undefined;
  /** The smallest packing found: within the room where there is one. */
  readonly pack: (memory: number, buffers: readonly number[], options: PlaceOptions) => Solution;
  /** Packings that were searched for. */
  readonly asked: () => number;
}

export function createPacker({ buffers, memories }: PlaceProblem, effort: number): Packer {
  const known = new Map<string, ReadonlyMap<number, number> | undefined>();
  let asked = 0;
  const fit: Packer['fit'] = (memory, ids) => {
    const sorted = [...ids].sort((a, b) => a - b);
    const key = `${memory}:${sorted.join()}`;
    if (known.has(key)) return known.get(key);
    asked++;
    const { room } = memories[memory]!;
    const { bytes, offsets } = solve(
      { buffers: only(buffers, sorted, memories[memory]!) },
      { capacity: room, effort },
    );
    const found = bytes <= room ? new Map(sorted.map((id, index) => [id, offsets[index]!])) : undefined;
    known.set(key, found);
    return found;
  };
  const pack: Packer['pack'] = (memory, ids, options) => {
    const { room } = memories[memory]!;
    const problem = { buffers: only(buffers, ids, memories[memory]!) };
    const smallest = solve(problem, options);
    if (smallest.bytes <= room) return smallest;
    const within = solve(problem, { capacity: room, effort });
    return within.bytes <= room ? within : smallest;
  };
  return { fit, pack, asked: () => asked };
}

/** Some of the buffers as a problem of their own: permitted overlaps keep those partners that come along. */
function only(
  buffers: readonly PlaceableBuffer[],
  ids: readonly number[],
  memory: Memory,
): readonly Buffer[] {
  const place = new Map(ids.map((id, index) => [id, index]));
  return ids.map((id) => {
    const { bytes, alignment } = sizeIn(buffers[id]!, memory);
    const buffer = { ...buffers[id]!, bytes, alignment };
    if (buffer.mayOverlap === undefined) return buffer;
    const mayOverlap = buffer.mayOverlap.flatMap(({ buffer: other, distance }) => {
      const index = place.get(other);
      return index === undefined ? [] : [{ buffer: index, distance }];
    });
    return { ...buffer, mayOverlap };
  });
}
