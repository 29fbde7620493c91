/** Weights of quantised layers as a packed format would hold them in flash (`--weight-bits`): an estimate. */
import { ELEMENT_BITS, isInteger } from '../graph/element-type.ts';
import type { TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Schedule } from '../lifetime/types.ts';
import type { PlanConstant } from '../plan/types.ts';

/** Inputs by position that may be a layer's weights: filters, matrices, tables. Biases, scales and zero points are none. */
const WEIGHTS: Readonly<Record<string, readonly number[]>> = {
  Conv: [1],
  ConvInteger: [1],
  ConvTranspose: [1],
  DequantizeLinear: [0],
  DynamicQuantizeLSTM: [1, 2],
  DynamicQuantizeMatMul: [1],
  FusedConv: [1],
  FusedGemm: [0, 1],
  FusedMatMul: [0, 1],
  GRU: [1, 2],
  Gather: [0],
  Gemm: [0, 1],
  LSTM: [1, 2],
  MatMul: [0, 1],
  MatMulInteger: [0, 1],
  MatMulIntegerToFloat: [0, 1],
  QAttention: [1],
  QGemm: [0, 3],
  QLinearConv: [3],
  QLinearMatMul: [0, 3],
  RNN: [1, 2],
};
/** A wider element is no quantised weight. */
const MOST_BITS = 16;

/** Names of the constants that a step reads as the weights of a quantised layer: integers in at least two dimensions. */
export function packedWeights(graph: TypedGraph, { steps }: Schedule): ReadonlySet<string> {
  const constants = constantTensors(graph);
  const found = new Set<string>();
  for (const { node } of steps) {
    for (const position of WEIGHTS[node.op] ?? []) {
      const tensor = node.inputs[position];
      if (tensor === undefined || !constants.has(tensor)) continue;
      const { name, constant } = graph.tensors[tensor]!;
      const { type, shape = [] } = constant ?? graph.facts[tensor] ?? {};
      if (type === undefined || !isInteger(type) || ELEMENT_BITS[type] > MOST_BITS) continue;
      if (shape.length >= 2) found.add(name);
    }
  }
  return found;
}

/** With the bytes that it takes in flash, where they are fewer than its own: `bits` for each element, whole bytes together. */
export function packed(constant: PlanConstant, bits: number): PlanConstant {
  const elements = constant.shape.reduce((a, b) => a * b, 1);
  const flashBytes = Math.ceil((elements * bits) / 8);
  return flashBytes < constant.bytes ? { ...constant, flashBytes } : constant;
}
