/** Turns the graph into steps on one axis: what runs when, what it reads and what it writes. */
import type { Node, TypedGraph } from '../graph/types.ts';
import { constantTensors } from './constants.ts';
import type { BodySteps, Schedule, Span, Step } from './types.ts';

/**
 * The steps in the order of the graph. Folded nodes are no steps; views are. The nodes of a control-flow body
 * follow their parent's step at once, branch by branch; a Loop or Scan body stands there once.
 */
export function scheduleSteps(graph: TypedGraph): Schedule {
  const constants = constantTensors(graph);
  const steps: Step[] = [];
  const spans: Span[] = [];

  /** Those of the lists that lie in memory, each once. */
  const inMemory = (...lists: readonly (readonly (number | undefined)[])[]): number[] => {
    const found: number[] = [];
    for (const list of lists) {
      for (const tensor of list) if (tensor !== undefined && !constants.has(tensor)) found.push(tensor);
    }
    return found.length < 2 ? found : [...new Set(found)];
  };

  const walk = (nodes: readonly Node[], path: string, span: number | undefined): void => {
    for (const node of nodes) {
      if (graph.folded.has(node)) continue;
      const step = steps.length;
      const { bodies } = node;
      const handedOut = bodies.map(({ nodes, inputs, outputs }) =>
        outputs.filter(definedOutside(nodes, inputs)),
      );
      steps.push({
        step,
        node,
        path,
        span,
        reads: inMemory(node.inputs, ...handedOut),
        writes: inMemory(node.outputs, ...bodies.map(({ inputs }) => inputs)),
        scratch: [],
      });
      if (node.bodies.length > 0) walkBodies(node, step, span);
    }
  };

  const walkBodies = (node: Node, step: number, parent: number | undefined): void => {
    const index = spans.length;
    const bodies: BodySteps[] = [];
    const span = { step, end: step + 1, repeats: node.op !== 'If', parent, bodies };
    spans.push(span);
    for (const body of node.bodies) {
      const first = steps.length;
      walk(body.nodes, body.path, index);
      bodies.push({ body, first, end: steps.length });
    }
    span.end = steps.length;
  };

  walk(graph.nodes, '', undefined);
  return { steps, spans };
}

/** True for tensors that are neither inputs of a body nor outputs of its nodes. */
function definedOutside(nodes: readonly Node[], inputs: readonly number[]): (tensor: number) => boolean {
  const inside = new Set<number | undefined>([...inputs, ...nodes.flatMap((node) => node.outputs)]);
  return (tensor) => !inside.has(tensor);
}
