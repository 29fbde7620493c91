/** Constant evaluation: gives facts their values, and says which nodes are no steps because their outputs are constants. */
import { fail } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import { type Body, type Fact, MAX_VALUE_ELEMENTS, type Node, type Value } from '../graph/types.ts';
import type { OpContext, OpRow } from '../ops/types.ts';
import { hasArithmetic, isNumeric, withValue } from '../ops/values.ts';
import type { State } from './state.ts';

/** Values up to this size are evaluated at once; larger ones when a rule first asks, which is seldom. */
const EAGER_ELEMENTS = 64;

/** Chains of postponed values are cut here, before evaluating one could exhaust the stack. */
const MAX_DEPTH = 100;

/** How many postponed values a fact's value waits for. */
const depths = new WeakMap<Fact, number>();

/** The outputs of a node with the values that its row can evaluate. */
export function withValues(
  state: State,
  row: OpRow,
  c: OpContext,
  outputs: readonly (Fact | undefined)[],
  constantInputs: boolean,
): readonly (Fact | undefined)[] {
  const { fold } = row;
  if (fold === undefined || row.foldable === false) return outputs;
  let values: readonly (Value | undefined)[] | undefined;
  const evaluate = (output: number) => {
    values ??= spend(state, outputs) ? fold(c, outputs) : [];
    return values[output];
  };
  const depth =
    1 + Math.max(0, ...c.inputs.map((input) => (input === undefined ? 0 : (depths.get(input) ?? 0))));
  return outputs.map((output, i) => {
    const count = output && countOf(output);
    if (output === undefined || count === undefined) return output;
    const valued = withValue(output, () => checked(c, evaluate(i), count));
    const now = !constantInputs || count <= EAGER_ELEMENTS || depth > MAX_DEPTH;
    if (now && valued.value === undefined) return output;
    if (!now) depths.set(valued, depth);
    return valued;
  });
}

/** The number of elements, where it is known and small enough to keep them. */
function countOf(fact: Fact): number | undefined {
  if (fact.container !== undefined || !hasArithmetic(fact.type) || !fact.shape?.every(isKnown))
    return undefined;
  const count = fact.shape.reduce((product, size) => product * size, 1);
  return count <= MAX_VALUE_ELEMENTS ? count : undefined;
}

/** False when the budget for elements is used up; what would need them is unknown then. */
function spend(state: State, outputs: readonly (Fact | undefined)[]): boolean {
  for (const output of outputs) state.budget.elements -= (output && countOf(output)) ?? 0;
  return state.budget.elements >= 0;
}

function checked(c: OpContext, value: Value | undefined, count: number): Value | undefined {
  if (value !== undefined && value.length !== count) {
    fail(
      'E_INTERNAL',
      `${c.node.label}: ${c.node.op} folded ${value.length} elements where there are ${count}.`,
    );
  }
  return value;
}

/** Marks the node as folded or not, and its outputs as constants or not. `bodies`: those that were inferred. */
export function markFolded(state: State, node: Node, foldable: boolean, bodies: readonly Body[]): void {
  const outputs = node.outputs.filter((tensor) => tensor !== undefined);
  const folded =
    foldable &&
    (dependsOnConstants(state, node, bodies) || outputs.every((t) => isFullyKnown(state.facts[t])));
  if (folded) foldNode(state, node);
  else {
    state.folded.delete(node);
    for (const tensor of outputs) state.constant.delete(tensor);
  }
}

/** A node with bodies depends on what the bodies capture as well: all that they yield must be constant. */
function dependsOnConstants(state: State, node: Node, bodies: readonly Body[]): boolean {
  return (
    hasConstantInputs(state, node) &&
    bodies.every((body) => body.outputs.every((tensor) => state.constant.has(tensor)))
  );
}

export function hasConstantInputs(state: State, node: Node): boolean {
  return node.inputs.every((tensor) => tensor === undefined || state.constant.has(tensor));
}

function isFullyKnown(fact: Fact | undefined): boolean {
  return fact?.value?.every(isNumeric) ?? false;
}

/** The node and everything in its bodies is no step. */
export function foldNode(state: State, node: Node): void {
  state.folded.add(node);
  for (const tensor of node.outputs) if (tensor !== undefined) state.constant.add(tensor);
  for (const body of node.bodies) for (const inner of body.nodes) foldNode(state, inner);
}

/** A branch that is never taken: no steps, and nothing is known or needed of its tensors. */
export function skipBody(state: State, body: Body): void {
  for (const node of body.nodes) {
    foldNode(state, node);
    for (const tensor of node.outputs) if (tensor !== undefined) state.facts[tensor] = undefined;
    for (const inner of node.bodies) skipBody(state, inner);
  }
}
