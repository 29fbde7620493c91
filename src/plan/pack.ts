/** Puts the buffers of a schedule into one arena, and elides copies only where that makes it no larger. */
import type { TypedGraph } from '../graph/types.ts';
import { buildWithStates, type Stated } from '../lifetime/states.ts';
import type { Buffers, Schedule, TensorBuffer } from '../lifetime/types.ts';
import { type SolveWith, solve } from '../planner/solve.ts';
import type { Solution } from '../planner/types.ts';
import type { Settings } from './settings.ts';

export interface Packed extends Stated {
  readonly solution: Solution;
}

/**
 * Buffers with the smallest peak, packed. Elided copies make large buffers that are partly free, which may leave holes
 * that copies would not: where the arena is above the bytes that are live at once, it is packed with copies too, and
 * the smaller one taken. `staged`: buffers of weights, which share bytes with nothing at one time. Throws what `buildWithStates` and `solve` throw.
 */
export function pack(
  graph: TypedGraph,
  schedule: Schedule,
  { lifetime, kernels }: Pick<Settings, 'lifetime' | 'kernels'>,
  options: SolveWith,
  staged: readonly TensorBuffer[] = [],
): Packed {
  const packed = (elide: boolean): Packed => {
    const stated = buildWithStates(graph, schedule, { ...lifetime, elide }, kernels);
    const buffers = [...stated.buffers.buffers, ...staged];
    return {
      ...stated,
      buffers: { ...stated.buffers, buffers },
      solution: solve({ buffers }, options),
    };
  };
  const elided = packed(lifetime.elide === true);
  if (elided.solution.proof === 'bound' || !hasElided(elided.buffers)) return elided;
  const copied = packed(false);
  if (copied.solution.bytes >= elided.solution.bytes) return elided;
  // What no choice can fall below is what no choice with elided copies can.
  return { ...copied, buffers: { ...copied.buffers, sharing: elided.buffers.sharing } };
}

function hasElided({ buffers }: Buffers): boolean {
  return buffers.some(({ members }) => members.some(({ how }) => how === 'elided'));
}
