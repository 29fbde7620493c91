/** Constants that kernels are called with as numbers: shapes, axes, limits, scales and zero points. They read no memory. */
import type { Node, TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Schedule } from '../lifetime/types.ts';

/** Scale and zero point of an operand or a result, by the position of the scale. */
const scales = (...positions: readonly number[]) => positions.flatMap((at) => [at, at + 1]);

/** By operator of ai.onnx and com.microsoft: the inputs that are numbers where they are constant. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  Clip: [1, 2],
  ConstantOfShape: [0],
  ConvInteger: [2, 3],
  CumSum: [1],
  Dropout: [1, 2],
  Expand: [1],
  GRU: [4],
  LSTM: [4],
  NonMaxSuppression: [2, 3, 4],
  OneHot: [1],
  Pad: [1, 3],
  QGemm: scales(1, 4, 7),
  QLinearAdd: scales(1, 4, 6),
  QLinearAveragePool: scales(1, 3),
  QLinearConv: scales(1, 4, 6),
  QLinearGlobalAveragePool: scales(1, 3),
  QLinearLeakyRelu: scales(1, 3),
  QLinearMatMul: scales(1, 4, 6),
  QLinearMul: scales(1, 4, 6),
  QLinearReduceMean: scales(1, 3),
  QLinearSigmoid: scales(1, 3),
  QLinearSoftmax: scales(1, 3),
  QLinearWhere: scales(2, 5, 7),
  ReduceL1: [1],
  ReduceL2: [1],
  ReduceLogSum: [1],
  ReduceLogSumExp: [1],
  ReduceMax: [1],
  ReduceMean: [1],
  ReduceMin: [1],
  ReduceProd: [1],
  ReduceSum: [1],
  RNN: [4],
  ReduceSumSquare: [1],
  Reshape: [1],
  Resize: [1, 2, 3],
  Slice: [1, 2, 3, 4],
  Split: [1],
  Squeeze: [1],
  Tile: [1],
  TopK: [1],
  Trilu: [1],
  Unsqueeze: [1],
  Upsample: [1],
};

/** The same where the node is carried out as part of another on integers. */
const NUMBERS_IN_GROUPS: typeof NUMBERS = {
  DequantizeLinear: scales(1),
  Pad: [2],
  QuantizeLinear: scales(1),
};

/** Names of the constants of which some step reads the bytes. */
export function readFromMemory(graph: TypedGraph, { steps }: Schedule): ReadonlySet<string> {
  const constants = constantTensors(graph);
  const found = new Set<string>();
  for (const { node } of steps) {
    for (const member of node.group?.members ?? [node]) {
      for (const [position, tensor] of member.inputs.entries()) {
        if (tensor === undefined || !constants.has(tensor)) continue;
        const inGroup = node.group !== undefined && NUMBERS_IN_GROUPS[member.op]?.includes(position);
        if (!inGroup && !isNumber(member, position)) found.add(graph.tensors[tensor]!.name);
      }
    }
  }
  return found;
}

function isNumber({ op }: Node, position: number): boolean {
  // Scale and zero point of the result, then a part, its scale and its zero point, and so on.
  if (op === 'QLinearConcat') return position < 2 || position % 3 !== 2;
  return NUMBERS[op]?.includes(position) ?? false;
}
