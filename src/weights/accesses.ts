/** How many bytes of each weight a run reads. */
import { isKnown } from '../graph/dims.ts';
import type { Node, TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Schedule } from '../lifetime/types.ts';

/** Their weights have one axis of output channels, 0. */
const CONVOLUTIONS: ReadonlySet<string> = new Set(['Conv', 'ConvInteger', 'FusedConv', 'QLinearConv']);
/** Each row of the output needs all of the matrix. */
const PRODUCTS: ReadonlySet<string> = new Set([
  'FusedGemm',
  'FusedMatMul',
  'Gemm',
  'MatMul',
  'MatMulInteger',
  'QGemm',
  'QLinearMatMul',
]);

/**
 * Times that a run reads each constant, by tensor: a convolution reads its weights once for each position of its output,
 * a matrix product once for each row, every other step once. Loops count once, since how often they turn is not known.
 */
export function readsOf(graph: TypedGraph, { steps }: Schedule): ReadonlyMap<number, number> {
  const constants = constantTensors(graph);
  const reads = new Map<number, number>();
  for (const { node } of steps) {
    const times = repeats(graph, node);
    const operands = new Set([...node.inputs, ...(node.group?.parameters ?? [])]);
    for (const tensor of operands) {
      if (tensor !== undefined && constants.has(tensor)) reads.set(tensor, (reads.get(tensor) ?? 0) + times);
    }
  }
  return reads;
}

/** Output elements for each channel of a convolution, or for each column of a product. */
function repeats(graph: TypedGraph, { op, outputs }: Node): number {
  const output = outputs[0];
  const shape = output === undefined ? undefined : graph.facts[output]?.shape;
  if (!shape?.every(isKnown) || shape.length < 2) return 1;
  const elements = shape.reduce((a, b) => a * b, 1);
  const axis = CONVOLUTIONS.has(op) ? shape[1]! : PRODUCTS.has(op) ? shape.at(-1)! : undefined;
  return axis === undefined || axis === 0 ? 1 : Math.max(1, elements / axis);
}
