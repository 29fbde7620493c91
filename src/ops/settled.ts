/** The context of a node after inference, for rules that ask for facts and attributes and infer nothing. */
import type { Node, TypedGraph } from '../graph/types.ts';
import { opContext } from './context.ts';
import type { OpContext } from './types.ts';

/** Throws E_SHAPE where the node contradicts its operator. */
export function settledContext(graph: TypedGraph, node: Node): OpContext {
  const notSettled = (): never => {
    throw new Error(`${node.label}: a rule asked for an unknown dimension after inference`);
  };
  return opContext(node, {
    opset: (domain) => node.opset ?? graph.opsets.get(domain) ?? 1,
    fact: (tensor) => graph.facts[tensor],
    declared: ({ outputs }, output) => graph.tensors[outputs[output]!]?.declared,
    unknownDim: notSettled,
    boundedDim: notSettled,
    unknownRank: () => {},
    nameOf: (tensor) => graph.tensors[tensor]!.name,
    equate: () => {},
    inferBody: (body) => body.outputs.map((output) => graph.facts[output]),
    report: () => {},
  });
}
