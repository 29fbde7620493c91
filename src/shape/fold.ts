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
  const counts = outputs.map((output) => output && countOf(output));
  if (counts.every((count) => count === undefined)) return outputs;
  const evaluate = () => (spend(state, counts) ? fold(c, outputs) : []);
  const attach = (valueAt: (output: number) => Value | undefined) =>
    outputs.map((output, i) => {
      const count = counts[i];
      if (output === undefined || count === undefined) return output;
      return withValue(output, () => checked(c, valueAt(i), count));
    });
  const depth = depthOf(state, c.node);
  const postponed =
    constantInputs && depth < MAX_DEPTH && counts.some((count) => (count ?? 0) > EAGER_ELEMENTS);
  if (postponed) {
    for (const tensor of c.node.outputs) if (tensor !== undefined) state.depths.set(tensor, depth);
    let values: readonly (Value | undefined)[] | undefined;
    return attach((output) => {
      values ??= evaluate();
      return values[output];
    });
  }
  const values = evaluate();
  if (values.every((value) => value === undefined)) return outputs;
  const valued = attach((output) => values[output]);
  for (const fact of valued) void fact?.value;
  return valued;
}

/** How many postponed values the outputs of the node would wait for, one after the other. */
function depthOf(state: State, node: Node): number {
  if (state.depths.size === 0) return 1;
  return (
    1 +
    Math.max(0, ...node.inputs.map((tensor) => (tensor === undefined ? 0 : (state.depths.get(tensor) ?? 0))))
  );
}

/** The number of elements, where it is known and small enough to keep them. */
function countOf(fact: Fact): number | undefined {
  if (fact.container !== undefined || !hasArithmetic(fact.type) || !fact.shape?.every(isKnown))
    return undefined;
  const count = fact.shape.reduce((product, size) => product * size, 1);
  return count <= MAX_VALUE_ELEMENTS ? count : undefined;
}

/** False when the budget for elements is used up; what would need them is unknown then. */
function spend(state: State, counts: readonly (number | undefined)[]): boolean {
  for (const count of counts) state.budget.elements -= count ?? 0;
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
  state.dead.add(body);
  for (const node of body.nodes) {
    foldNode(state, node);
    for (const tensor of node.outputs) if (tensor !== undefined) state.facts[tensor] = undefined;
    for (const inner of node.bodies) skipBody(state, inner);
  }
}
