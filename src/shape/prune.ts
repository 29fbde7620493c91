/** Takes the bodies that never run out of the graph: the branch of an If whose condition is a constant. */
import type { Body, Node } from '../graph/types.ts';
import type { State } from './state.ts';

/** The nodes without dead bodies. Nodes that change are new objects; what is folded stays so. */
export function withoutDeadBodies(state: State, nodes: readonly Node[]): readonly Node[] {
  return state.dead.size === 0 ? nodes : nodes.map((node) => pruned(state, node));
}

function pruned(state: State, node: Node): Node {
  if (node.bodies.length === 0) return node;
  const live = node.bodies.filter((body) => !state.dead.has(body));
  const bodies = live.map((body): Body => ({ ...body, nodes: withoutDeadBodies(state, body.nodes) }));
  const result: Node = { ...node, bodies };
  if (state.folded.delete(node)) state.folded.add(result);
  return result;
}
