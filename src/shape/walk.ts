/** Walks nodes in order and infers the facts of their outputs, control-flow bodies included. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { formatShape, isKnown } from '../graph/dims.ts';
import type { Body, Fact, Node } from '../graph/types.ts';
import { opContext, type Surroundings } from '../ops/context.ts';
import { findRow } from '../ops/registry.ts';
import type { OpRow } from '../ops/types.ts';
import type { Bound } from './bind.ts';
import { boundedDim, freshDim } from './bounds.ts';
import { equate, solvedFact } from './equations.ts';
import { hasConstantInputs, markFolded, skipBody, withValues } from './fold.ts';
import { boundFact, type Filling, reconcile } from './reconcile.ts';
import { remark, type State, unknownDim } from './state.ts';
import { inferUnknown, type UnknownOperators } from './unknown-operator.ts';

export interface Walk {
  readonly state: State;
  readonly bound: Bound;
  readonly unknown: UnknownOperators;
  /** Facts that the user states for outputs of a node. */
  readonly stated: ReadonlyMap<Node, readonly Fact[]>;
  readonly onNode: () => void;
  readonly around: Surroundings;
}

/** Infers all nodes of a graph; those behind very many faults are not looked at, which is said. */
export function walkGraph(walk: Omit<Walk, 'around'>): void {
  const { faults, graph } = walk.state;
  walkNodes({ ...walk, around: surroundings(walk) }, graph.nodes);
  if (faults.length < MOST_FAULTS) return;
  faults.push(
    diagnostic(faults.at(-1)!.code, 'There may be more: the nodes behind these were not looked at.'),
  );
}

/** A damaged file can break the rules a million times: so many faults show what is wrong with it. */
const MOST_FAULTS = 1000;

function walkNodes(walk: Walk, nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (walk.state.faults.length >= MOST_FAULTS) return;
    walk.onNode();
    inferNode(walk, node);
  }
}

function inferNode(walk: Walk, node: Node): void {
  const { state } = walk;
  const row = findRow(node.domain, node.op);
  if (row === undefined) {
    inferUnknown(walk, node, (output) => declaredOf(walk, node, output));
    return;
  }
  if (node.inputs.some((tensor) => tensor !== undefined && state.facts[tensor] === undefined)) {
    giveUp(walk, node);
    return;
  }
  try {
    inferKnown(walk, node, row);
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    state.faults.push(...error.diagnostics.map((fault) => placed(fault, node)));
    giveUp(walk, node);
  }
}

/** What is wrong with a formula is found where no node is known. */
function placed(fault: Diagnostic, { label }: Node): Diagnostic {
  if (fault.node !== null || fault.tensor !== null) return fault;
  return { ...fault, text: `${label}: ${fault.text}`, node: label };
}

function inferKnown(walk: Walk, node: Node, row: OpRow): void {
  const { state } = walk;
  checkArity(node, row);
  const bodies: Body[] = [];
  const c = opContext(node, node.bodies.length === 0 ? walk.around : aroundBodies(walk, node, bodies));
  const inferred = row.shape(c);
  const outputs = node.outputs.map((tensor, i) => {
    if (tensor === undefined) return undefined;
    checkSizes(node, inferred[i]);
    return reconciled(walk, node, tensor, i, inferred[i]);
  });
  const valued = withValues(state, row, c, outputs, hasConstantInputs(state, node));
  for (const [i, tensor] of node.outputs.entries()) if (tensor !== undefined) state.facts[tensor] = valued[i];
  for (const body of node.bodies) if (!bodies.includes(body)) skipBody(state, body);
  markFolded(state, node, row.foldable !== false, bodies);
}

/** What a node sees of the graph; one without bodies infers none. */
function surroundings(walk: Omit<Walk, 'around'>): Surroundings {
  const { state } = walk;
  return {
    opset: (domain) => state.graph.opsets.get(domain) ?? Infinity,
    fact: (tensor) => solvedFact(state, tensor),
    declared: (node, output) => declaredOf(walk, node, output),
    unknownDim: (why, node, most) => unknownDim(state, why, node, most),
    boundedDim: (why, node, most, follows) =>
      freshDim(state, node, why, { most, source: follows ?? 'larger' }),
    unknownRank: (tensor, why) => state.unranked.set(tensor, why),
    nameOf: (tensor) => state.graph.tensors[tensor]!.name,
    equate: (a, b) => equate(state, a, b),
    inferBody: () => [],
    report: (note) => remark(state, note),
  };
}

/** `bodies`: gets those that are inferred. */
function aroundBodies(walk: Walk, node: Node, bodies: Body[]): Surroundings {
  return {
    ...walk.around,
    inferBody: (body, inputs) => {
      bodies.push(body);
      return inferBody(walk, node, body, inputs);
    },
  };
}

function inferBody(walk: Walk, parent: Node, body: Body, inputs: readonly (Fact | undefined)[]) {
  const { state } = walk;
  state.dead.delete(body);
  state.budget.turns -= body.nodes.length;
  if (state.budget.turns < 0) {
    throw new MemplanError([
      diagnostic('E_UNRESOLVED', `${parent.label}: its bodies are nested too deep to be followed.`, {
        node: parent.label,
      }),
    ]);
  }
  for (const [i, tensor] of body.inputs.entries()) {
    const { name, declared } = state.graph.tensors[tensor]!;
    const own = boundFact(declared, walk.bound.sizeOf);
    const { fact, warning } = reconcile(
      asDeclared(inputs[i], own),
      own,
      parent,
      name,
      filling(walk, parent, 'declared'),
    );
    if (warning !== undefined) remark(state, warning);
    state.facts[tensor] = fact;
  }
  const outer = state.scope.current;
  state.scope.last += 1;
  state.scope.current = state.scope.last;
  walkNodes(walk, body.nodes);
  state.scope.current = outer;
  return body.outputs.map((tensor) => solvedFact(state, tensor));
}

/** A body may declare a scalar it is given (the counter of a Loop) as a vector of one. */
function asDeclared(given: Fact | undefined, declared: Fact | undefined): Fact | undefined {
  const isVector = declared?.shape?.length === 1 && declared.shape[0] === 1;
  return given?.shape?.length === 0 && isVector ? { ...given, shape: [1] } : given;
}

/** Without facts of its inputs a node's outputs are what the file says; after a fault nothing, so that none follows from it. */
function giveUp(walk: Walk, node: Node): void {
  const { state } = walk;
  markFolded(state, node, false, []);
  for (const body of node.bodies) skipBody(state, body);
  for (const [i, tensor] of node.outputs.entries()) {
    if (tensor !== undefined)
      state.facts[tensor] =
        state.faults.length > 0 ? undefined : reconciled(walk, node, tensor, i, undefined);
  }
}

/** What the user states about an output, else what the file declares. */
function declaredOf(walk: Omit<Walk, 'around'>, node: Node, output: number): Fact | undefined {
  const tensor = node.outputs[output];
  if (tensor === undefined) return undefined;
  const stated = walk.stated.get(node)?.[output];
  return stated ?? boundFact(walk.state.graph.tensors[tensor]!.declared, walk.bound.sizeOf);
}

/** What is inferred of an output, with what the user states or the file declares. */
function reconciled(walk: Walk, node: Node, tensor: number, output: number, inferred: Fact | undefined) {
  const declared = declaredOf(walk, node, output);
  if (declared === undefined) return inferred;
  const { name } = walk.state.graph.tensors[tensor]!;
  const isStated = walk.stated.get(node)?.[output] !== undefined;
  const filled = filling(walk, node, isStated ? 'stated' : 'declared');
  const { fact, warning } = reconcile(inferred, declared, node, name, filled);
  if (warning === undefined) return fact;
  if (!isStated) remark(walk.state, warning);
  else {
    const text = `--op-shape ${node.label}: the operator ${node.op} yields ${inferred?.type}${formatShape(inferred?.shape)}.`;
    walk.state.faults.push(diagnostic('E_BINDING', text, { node: node.label, tensor: name }));
  }
  return fact;
}

/**
 * What the user states or the file declares of a size that depends on data is the largest it has: nobody has proved
 * that every run has it. Only where nothing is planned it is taken for the size itself.
 */
function filling({ state, bound }: Walk, node: Node, source: 'stated' | 'declared'): Filling {
  return {
    isInputDim: bound.isInputDim,
    fill: (inferred, told) => (state.open ? told : boundedDim(state, node, inferred, { most: told, source })),
  };
}

function checkArity(node: Node, row: OpRow): void {
  const check = (what: string, count: number, [least, most]: readonly [number, number]) => {
    if (count >= least && count <= most) return;
    const wanted =
      least === most ? `${least}` : most === Infinity ? `${least} or more` : `${least} to ${most}`;
    refuse(node, `it has ${count} ${what}, but ${node.op} takes ${wanted}.`);
  };
  check('inputs', node.inputs.length, row.inputs);
  check('outputs', node.outputs.length, row.outputs);
}

/** No rule may yield a size that is no size, or none that can be counted. */
function checkSizes(node: Node, fact: Fact | undefined): void {
  const sizes = fact?.shape?.filter(isKnown) ?? [];
  if (sizes.some((size) => !(Number.isInteger(size) && size >= 0)))
    refuse(node, `it would yield the shape ${formatShape(fact?.shape)}.`);
  if (sizes.some((size) => size > Number.MAX_SAFE_INTEGER)) {
    const text = `${node.label}: it would yield a dimension beyond 2^53, which cannot be counted exactly.`;
    throw new MemplanError([diagnostic('E_TOO_LARGE', text, { node: node.label })]);
  }
}

function refuse(node: Node, text: string): never {
  const fault: Diagnostic = diagnostic('E_SHAPE', `${node.label}: ${text}`, { node: node.label });
  throw new MemplanError([fault]);
}
