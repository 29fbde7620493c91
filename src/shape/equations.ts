/** Unknown dimensions that later operators pin down: a Squeeze of an axis proves that it was 1. */
import { type Dim, sub, substitute } from '../graph/dims.ts';
import type { Fact, Scalar } from '../graph/types.ts';
import { isUnknown, solveFor } from '../graph/unknown-dims.ts';
import type { State } from './state.ts';

/**
 * Takes in that a and b are equal. Only dimensions of the body that is being inferred are solved for: a branch may
 * never run, and a loop not once, so what they ask for proves nothing about values from outside.
 */
export function equate(state: State, a: Dim, b: Dim): void {
  const isFree = (name: string) => state.reasons.get(name)?.scope === state.scope.current;
  const found = solveFor(solvedDim(state, sub(a, b)), isFree);
  if (found !== undefined) state.solved.set(found.name, found.equals);
}

/** The fact of a tensor with everything filled in that has been found out by now. */
export function solvedFact(state: State, tensor: number): Fact | undefined {
  const fact = state.facts[tensor];
  if (fact === undefined || state.solved.size === 0) return fact;
  const shape = fact.shape?.some(isUnknown) ? fact.shape.map((dim) => solvedDim(state, dim)) : fact.shape;
  const value = state.constant.has(tensor) ? undefined : fact.value;
  const open = value?.some((element) => typeof element === 'object' && isUnknown(element));
  if (shape === fact.shape && !open) return fact;
  const better: Fact = {
    ...fact,
    shape,
    ...(value && { value: value.map((element) => solvedScalar(state, element)) }),
  };
  state.facts[tensor] = better;
  return better;
}

function solvedScalar(state: State, element: Scalar): Scalar {
  return typeof element === 'object' ? solvedDim(state, element) : element;
}

/** A dimension with everything filled in that has been found out by now. */
export function solvedDim(state: State, dim: Dim): Dim {
  if (state.solved.size === 0 || !isUnknown(dim)) return dim;
  const find = (name: string): Dim | undefined => {
    const known = state.solved.get(name);
    return known === undefined ? undefined : substitute(known, find);
  };
  return substitute(dim, find);
}
