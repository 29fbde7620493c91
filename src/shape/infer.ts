/** Shape inference: gives every tensor of a graph its fact, and finds the nodes whose outputs are constants. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import type { Fact, Graph, Node } from '../graph/types.ts';
import { constantFact } from '../ops/values.ts';
import { bindInputs } from './bind.ts';
import { boundNotes, brokenBounds, openBounds } from './bounds.ts';
import { checkSizes } from './check.ts';
import { solvedFact } from './equations.ts';
import { withoutDeadBodies } from './prune.ts';
import { addQuantisation } from './quantised.ts';
import { checkEnds, symbolRanges } from './ranges.ts';
import { spreadQuantisation } from './spread.ts';
import { startState } from './state.ts';
import type { Bindings, Inferred } from './types.ts';
import { refusals, trustedWarnings, type UnknownOperators } from './unknown-operator.ts';
import { walkGraph } from './walk.ts';

/**
 * Infers types and shapes of all tensors, control-flow bodies included, and evaluates constants where they can
 * decide shapes. With `allowOpen` dimensions without a size stay symbolic and nothing is refused for its size.
 * `onNode` is called before each node.
 *
 * Throws, all faults of a kind together: E_MODEL for an input without a type, E_BINDING, E_OPEN_DIM, E_UNKNOWN_OP, E_SHAPE, and without `allowOpen`
 * E_UNRESOLVED, E_TYPE and E_TOO_LARGE.
 */
export function inferShapes(
  graph: Graph,
  bindings: Bindings,
  options: { readonly allowOpen?: boolean; readonly onNode?: () => void } = {},
): Inferred {
  const open = options.allowOpen === true;
  const state = startState(graph, open);
  const bound = bindInputs(graph, bindings);
  const { stated, faults } = statedFacts(graph, bindings);
  throwAll([...bound.faults, ...faults]);
  if (!open) throwAll(bound.open);

  const unknown: UnknownOperators = { trusted: new Map(), refused: [] };
  for (const [tensor, { constant }] of graph.tensors.entries()) {
    if (constant === undefined) continue;
    state.facts[tensor] = constantFact(constant);
    state.constant.add(tensor);
  }
  for (const [tensor, fact] of bound.facts) state.facts[tensor] = fact;
  walkGraph({ state, bound, unknown, stated, onNode: options.onNode ?? (() => {}) });
  throwAll([...refusals(unknown), ...state.faults]);
  if (state.solved.size > 0) for (const tensor of state.facts.keys()) solvedFact(state, tensor);
  const { ranges, faults: unbounded } = symbolRanges(graph, state.facts, bindings, openBounds(state));
  throwAll([...unbounded, ...brokenBounds(state)]);
  if (!open) throwAll(checkSizes(state, ranges));
  if ((bindings.ranges?.size ?? 0) > 0) {
    const at = (corner: Bindings) => inferShapes(graph, corner, { allowOpen: true }).graph.facts;
    checkEnds(bindings, state.facts, ranges, at);
  }
  addQuantisation(state, graph.nodes);
  spreadQuantisation(state, graph.nodes);

  return {
    graph: {
      ...graph,
      nodes: withoutDeadBodies(state, graph.nodes),
      facts: state.facts,
      folded: state.folded,
      ...(ranges.size > 0 && { ranges }),
    },
    diagnostics: [
      ...state.remarks.values(),
      ...trustedWarnings(unknown),
      ...(open ? [] : boundNotes(state, ranges)),
    ],
  };
}

interface Stated {
  readonly stated: ReadonlyMap<Node, readonly Fact[]>;
  readonly faults: readonly Diagnostic[];
}

/** Finds the nodes that --op-shape means: by label anywhere in the graph, or by `#index` at the top. */
function statedFacts(graph: Graph, bindings: Bindings): Stated {
  const stated = new Map<Node, readonly Fact[]>();
  const faults: Diagnostic[] = [];
  if (bindings.opShapes.size === 0) return { stated, faults };
  const byLabel = new Map<string, Node>();
  index(graph.nodes, byLabel);
  for (const node of graph.nodes) byLabel.set(`#${node.index}`, node);
  for (const [name, facts] of bindings.opShapes) {
    const node = byLabel.get(name);
    if (node === undefined)
      faults.push(diagnostic('E_BINDING', `--op-shape ${name}: the model has no node of that name.`));
    else if (facts.length !== node.outputs.length) {
      const text = `--op-shape ${name}: ${facts.length} facts do not fit the ${node.outputs.length} outputs of the node.`;
      faults.push(diagnostic('E_BINDING', text, { node: node.label }));
    } else stated.set(node, facts);
  }
  return { stated, faults };
}

function index(nodes: readonly Node[], into: Map<string, Node>): void {
  for (const node of nodes) {
    into.set(node.label, node);
    for (const body of node.bodies) index(body.nodes, into);
  }
}

function throwAll(faults: readonly Diagnostic[]): void {
  const [first, ...rest] = faults;
  if (first !== undefined) throw new MemplanError([first, ...rest]);
}
