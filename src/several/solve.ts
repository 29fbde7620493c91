/** Packs the buffers of several models into one arena: each part by itself, one above the other. */
import type { JointBuffers } from '../lifetime/types.ts';
import { stack } from '../place/stack.ts';
import { type SolveWith, solve } from '../planner/solve.ts';
import type { Buffer, Solution } from '../planner/types.ts';
import type { Part } from './types.ts';

export interface PartSolution {
  readonly solution: Solution;
  /** Buffers of each part, by index. */
  readonly parts: readonly (readonly number[])[];
}

/**
 * Parts run at the same time, so no byte may belong to two of them at any step. Within a part the models take turns,
 * and the one axis of steps says who may share. `alone`: the solution of each model by itself, which stands when its
 * part has no other.
 */
export function solveParts(
  { buffers }: JointBuffers,
  parts: readonly Part[],
  alone: readonly Solution[],
  options: SolveWith,
): PartSolution {
  const partOf = new Map(parts.flatMap(({ models }, part) => models.map((model) => [model, part] as const)));
  const own = parts.map((): number[] => []);
  buffers.forEach(({ members }, index) => {
    own[partOf.get(members[0]!.model)!]!.push(index);
  });
  const blocks = own.map((indexes, part) => {
    const { models } = parts[part]!;
    const problem = { buffers: subset(buffers, indexes) };
    return {
      ...problem,
      solution: models.length === 1 ? alone[models[0]!]! : solve(problem, options),
    };
  });
  const { solution } = stack(blocks);
  const offsets = new Array<number>(buffers.length).fill(0);
  own.flat().forEach((index, at) => {
    offsets[index] = solution.offsets[at]!;
  });
  return { solution: { ...solution, offsets }, parts: own };
}

/** Overlaps name buffers by their place in the same problem. */
function subset(buffers: readonly Buffer[], indexes: readonly number[]): readonly Buffer[] {
  const places = new Map(indexes.map((index, at) => [index, at]));
  return indexes.map((index) => {
    const buffer = buffers[index]!;
    if (buffer.mayOverlap === undefined) return buffer;
    const mayOverlap = buffer.mayOverlap.flatMap((one) => {
      const place = places.get(one.buffer);
      return place === undefined ? [] : [{ ...one, buffer: place }];
    });
    return { ...buffer, mayOverlap };
  });
}
