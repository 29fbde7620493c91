/**
 * TensorFlow Lite Micro (commit 90b983c2): what its kernels ask of the arena with RequestScratchBufferInArena, for the
 * operators that a converter makes of the ONNX ones. Its persistent buffers (tensor and operator data) are no scratch.
 * Sources: tensorflow/lite/micro/kernels, and cmsis_nn/ there.
 */
import type { ElementType } from '../../graph/element-type.ts';
import { dataOf, elements, type KernelCall, weightOf } from '../call.ts';
import type { CmsisNn } from '../cmsis-nn/build.ts';
import { averageScratch, convScratch, main, ofConvolution, productScratch } from '../cmsis-nn/rows.ts';
import { transposeConvS8 } from '../cmsis-nn/transpose-conv-sizes.ts';
import { all, isImage, keepsType, plainPool, plainProduct } from '../conditions.ts';
import { convolutionOf, isDepthwise } from '../convolution.ts';
import { MOVING_ROWS } from '../moving.ts';
import type { KernelRow, Scratch } from '../types.ts';
import { reduceRows } from './reduce.ts';

const TYPES: readonly ElementType[] = ['float32', 'int8', 'int16'];
const PLAIN_TYPES: readonly ElementType[] = [...TYPES, 'int32', 'int64', 'bool'];

/** `lib`: the CMSIS-NN that the optimised kernels call; undefined: reference kernels. */
export function tflmRows(lib: CmsisNn | undefined): readonly KernelRow[] {
  return [
    ...['Conv', 'QLinearConv'].map((op): KernelRow => {
      return { op, types: TYPES, refuses: all(isImage, keepsType), scratch: (call) => conv(call, lib) };
    }),
    {
      op: 'ConvTranspose',
      types: TYPES,
      refuses: all(isImage, keepsType, oneGroup),
      scratch: (call) => transposeConv(call, lib),
    },
    ...['Gemm', 'MatMul', 'QGemm', 'QLinearMatMul'].map((op): KernelRow => {
      return {
        op,
        types: TYPES,
        refuses: all(keepsType, plainProduct),
        scratch: (call) => product(call, lib),
      };
    }),
    ...['AveragePool', 'QLinearAveragePool'].map((op): KernelRow => {
      const scratch = (call: KernelCall) => (isInteger(call) && lib ? averageScratch(call, lib) : []);
      return { op, types: TYPES, refuses: all(isImage, plainPool), scratch };
    }),
    { op: 'MaxPool', types: TYPES, refuses: all(isImage, plainPool) },
    ...reduceRows(TYPES),
    { op: 'Sum', types: ['float32', 'int8'], scratch: ({ node }) => pointers(node.inputs.length) },
    { op: 'Pad', types: TYPES, scratch: pad },
    { op: 'LSTM', types: TYPES, scratch: (call) => lstm(call, lib) },
    ...UNARY.map((op): KernelRow => ({ op, types: TYPES, inPlace: [0] })),
    ...BINARY.map((op): KernelRow => ({ op, types: PLAIN_TYPES, inPlace: [0, 1] })),
    ...['QLinearAdd', 'QLinearMul'].map((op): KernelRow => ({ op, types: TYPES, inPlace: [0, 3] })),
    ...OTHERS.map((op): KernelRow => ({ op, types: PLAIN_TYPES })),
    ...MOVING_ROWS,
  ];
}

function isInteger(call: KernelCall): boolean {
  return dataOf(call)?.type !== 'float32';
}

/** An int4 filter is unpacked to a byte for each element, unless CMSIS-NN takes it as it is. */
function conv(call: KernelCall, lib: CmsisNn | undefined): readonly Scratch[] | undefined {
  const c = convolutionOf(call);
  if (c === undefined) return undefined;
  if (lib === undefined || c.type === 'float32') return unpacked(call);
  // The depthwise kernel for 16 bits is called without its buffer; an ordinary one asks for that of 8-bit weights.
  if (isDepthwise(c)) return c.type === 'int16' ? [] : convScratch(call, lib);
  const weights = { ...weightOf(call)!, type: 'int8' as const };
  return convScratch({ ...call, inputs: call.inputs.map((x) => (x === weightOf(call) ? weights : x)) }, lib);
}

function unpacked(call: KernelCall): readonly Scratch[] {
  const weight = weightOf(call);
  return weight?.type === 'int4' ? [{ part: 'filter', bytes: elements(weight.shape) }] : [];
}

function oneGroup({ context }: KernelCall): string | undefined {
  const group = context.int('group', 1);
  return group === 1 ? undefined : `it has ${group} groups`;
}

/** Sums of the whole output in 32 bits, for 16-bit data in 64. */
function transposeConv(call: KernelCall, lib: CmsisNn | undefined): readonly Scratch[] | undefined {
  const type = dataOf(call)?.type;
  const output = call.outputs[0]?.shape;
  if (type === 'float32') return [];
  if (type === 'int8' && lib !== undefined) return ofConvolution(call, (c) => transposeConvS8(c, lib));
  return output && main((type === 'int8' ? 4 : 8) * elements(output));
}

/**
 * A constant second factor makes it a FULLY_CONNECTED. With CMSIS-NN one of three and more dimensions whose depth is a
 * multiple of 4 runs as a 1x1 convolution, for which a scale and shift per column are made up where there is but one.
 */
function product(call: KernelCall, lib: CmsisNn | undefined): readonly Scratch[] | undefined {
  const weight = weightOf(call);
  const output = call.outputs[0]?.shape;
  const depth = dataOf(call)?.shape.at(-1);
  if (weight === undefined || output === undefined || depth === undefined) return undefined;
  if (lib === undefined || !isInteger(call)) return weight.constant ? unpacked(call) : [];
  if (weight.type === 'int4') return unpacked(call);
  const isPointwise = weight.constant && output.length > 2 && depth % 4 === 0;
  if (dataOf(call)?.type === 'int16' || !isPointwise) return productScratch(call, lib);
  const fast = lib.build === 'dsp' && lib.armclang ? 4 * depth : 0;
  return [
    { part: '', bytes: fast },
    { part: 'scales', bytes: hasScalePerColumn(call) ? 0 : 8 * output.at(-1)! },
  ];
}

/** Known where the operator names its scales; else the larger need counts. */
function hasScalePerColumn({ node, inputs }: KernelCall): boolean {
  const scale = node.op === 'QLinearMatMul' || node.op === 'QGemm' ? inputs[4] : undefined;
  return scale !== undefined && elements(scale.shape) > 1;
}

/** Only ADD_N, of three and more operands, keeps a list of them. */
function pointers(count: number): readonly Scratch[] {
  return count > 2 ? main(4 * count) : [];
}

function pad({ context, inputs }: KernelCall): readonly Scratch[] | undefined {
  if (context.string('mode', 'constant') === 'constant') return [];
  const rank = inputs[0]?.shape.length;
  if (rank === undefined) return undefined;
  return ['output', 'input'].map((part) => ({ part, bytes: 4 * rank }));
}

/** The cell's state has 16 bits where data has 8 or 16. */
function lstm(call: KernelCall, lib: CmsisNn | undefined): readonly Scratch[] | undefined {
  const { context, inputs } = call;
  const batch = inputs[0]?.shape[context.int('layout', 0) === 0 ? 1 : 0];
  const hidden = context.int('hidden_size', inputs[2]?.shape.at(-1) ?? 0);
  if (batch === undefined || hidden === 0) return undefined;
  const bytes = batch * hidden * (isInteger(call) ? 2 : 4);
  const count = isInteger(call) && lib !== undefined ? 3 : 4;
  return Array.from({ length: count }, (_, i) => ({ part: String(i), bytes }));
}

const UNARY =
  `Abs Neg Relu Clip Sigmoid Tanh Exp Log Sqrt Floor Ceil Round Elu LeakyRelu HardSwish Sin Cos`.split(' ');
const BINARY = 'Add Sub Mul Div Max Min PRelu'.split(' ');
const OTHERS =
  `Softmax LogSoftmax Concat Split Slice Transpose Expand Resize Cast DepthToSpace SpaceToDepth QuantizeLinear
   DequantizeLinear Gather GatherND ArgMax ArgMin Equal Greater GreaterOrEqual Less LessOrEqual And Or Not Where CumSum
   ConstantOfShape Shape`.split(/\s+/);
