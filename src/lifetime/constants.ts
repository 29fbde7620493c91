/** Tells which tensors are constants: they lie in flash, are never written, and have no live range. */
import type { Body, Node, TypedGraph } from '../graph/types.ts';

/** Many stages ask about one graph, which never changes. */
const known = new WeakMap<TypedGraph, ReadonlySet<number>>();

/** Initializers, and outputs of folded nodes in the graph and its bodies; by tensor index. */
export function constantTensors(graph: TypedGraph): ReadonlySet<number> {
  const constants = known.get(graph) ?? collect(graph);
  known.set(graph, constants);
  return constants;
}

function collect(graph: TypedGraph): ReadonlySet<number> {
  const constants = new Set<number>();
  graph.tensors.forEach((tensor, index) => {
    if (tensor.constant !== undefined) constants.add(index);
  });
  const visit = (node: Node): void => {
    if (graph.folded.has(node)) {
      for (const output of node.outputs) if (output !== undefined) constants.add(output);
    }
    for (const body of node.bodies) visitBody(body);
  };
  const visitBody = (body: Body): void => body.nodes.forEach(visit);
  graph.nodes.forEach(visit);
  return constants;
}
