/** Turns the graph into steps on one axis: what runs when, what it reads and what it writes. */
import type { Body, Node, TypedGraph } from '../graph/types.ts';
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

  const lies = (tensor: number | undefined): tensor is number =>
    tensor !== undefined && !constants.has(tensor);
  /** Those of the tensors that lie in memory, each once: often the list itself, and then no copy of it. */
  const inMemory = (tensors: readonly (number | undefined)[]): readonly number[] =>
    tensors.every(lies) && isSet(tensors) ? tensors : [...new Set(tensors.filter(lies))];

  const walk = (nodes: readonly Node[], path: string, span: number | undefined): void => {
    for (const node of nodes) {
      if (graph.folded.has(node)) continue;
      const step = steps.length;
      const { inputs, outputs, bodies } = node;
      const reads = bodies.length === 0 ? inputs : [...inputs, ...bodies.flatMap(handedOut)];
      const writes = bodies.length === 0 ? outputs : [...outputs, ...bodies.flatMap((body) => body.inputs)];
      steps.push({ step, node, path, span, reads: inMemory(reads), writes: inMemory(writes), scratch: NONE });
      if (bodies.length > 0) walkBodies(node, step, span);
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

/** The span of the control-flow node whose step it is; undefined for any other node. */
export function spanAt({ spans }: Schedule, step: number): Span | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.step < step) low = middle + 1;
    else high = middle;
  }
  return spans[low]?.step === step ? spans[low] : undefined;
}

const NONE: readonly never[] = [];

/** So few are compared with each other. */
const FEW = 8;

function isSet(tensors: readonly number[]): boolean {
  return tensors.length <= FEW
    ? tensors.every((tensor, at) => tensors.indexOf(tensor) === at)
    : new Set(tensors).size === tensors.length;
}

/** Outputs of a body that are neither its inputs nor made by its nodes. */
function handedOut({ nodes, inputs, outputs }: Body): readonly number[] {
  const inside = new Set<number | undefined>([...inputs, ...nodes.flatMap((node) => node.outputs)]);
  return outputs.filter((tensor) => !inside.has(tensor));
}
