/**
 * XNNPACK (commit 75db3c09), channels last. Convolutions gather pointers to pixels (the indirection buffer), which
 * lie in the arena only with XNN_FLAG_TRANSIENT_INDIRECTION_BUFFER: this is assumed. Every kernel may read 16 bytes
 * past the end of a tensor (XNN_EXTRA_BYTES). Sources: src/operators/convolution-nhwc.c, src/configs.
 */
import type { ElementType } from '../graph/element-type.ts';
import { type KernelCall, weightOf } from './call.ts';
import { all, isImage, keepsType, plainPool } from './conditions.ts';
import { type Convolution, convolutionOf, isDepthwise, isPointwise, roundUp } from './convolution.ts';
import { libraryOf } from './library.ts';
import { MOVING_ROWS } from './moving.ts';
import type { KernelLibrary, KernelRow, Scratch } from './types.ts';

const EXTRA_BYTES = 16;
const ALIGNMENT = 16;

/** Taps that the depthwise kernels are written for; wider windows run as ordinary convolutions. */
const DEPTHWISE_TILES = [3, 4, 9, 25];

/** Output pixels that a kernel computes at once; which one runs is decided by size, and the largest need counts. */
const FLOAT_TILES = [4, 6];
const INTEGER_TILES = [1, 4];

const FLOATS: readonly ElementType[] = ['float32', 'float16'];
const TYPES: readonly ElementType[] = [...FLOATS, 'int8', 'uint8'];

/** `pointerBytes`: 4 or 8. */
export function xnnpack(pointerBytes: number): KernelLibrary {
  return libraryOf({
    ...{ name: 'xnnpack', layout: 'nhwc', tensorAlignment: ALIGNMENT, scratchAlignment: ALIGNMENT },
    slackBytes: EXTRA_BYTES,
    rows: rowsFor(pointerBytes),
  });
}

function rowsFor(pointerBytes: number): readonly KernelRow[] {
  const conv = (call: KernelCall): readonly Scratch[] | undefined => {
    const c = convolutionOf(call);
    return c && [{ part: '', bytes: convBytes(c, pointerBytes) }];
  };
  return [
    ...['Conv', 'FusedConv', 'QLinearConv'].map((op): KernelRow => {
      return { op, types: TYPES, refuses: all(isImage, keepsType), scratch: conv };
    }),
    // Their indirection buffers belong to the operator, and deconvolution splits up in ways not covered here.
    ...['ConvTranspose', 'AveragePool', 'MaxPool'].map((op): KernelRow => {
      return { op, types: TYPES, refuses: all(isImage, plainPool), scratch: () => undefined };
    }),
    ...['Gemm', 'FusedGemm', 'MatMul', 'FusedMatMul', 'QGemm', 'QLinearMatMul'].map((op): KernelRow => {
      // A second factor that is computed is packed first, into memory whose size is not covered here.
      const scratch = (call: KernelCall) => (weightOf(call)?.constant === true ? [] : undefined);
      return { op, types: TYPES, scratch };
    }),
    ...UNARY.map((op): KernelRow => ({ op, types: TYPES, inPlace: [0] })),
    ...BINARY.map((op): KernelRow => ({ op, types: TYPES, inPlace: [0, 1] })),
    ...OTHERS.map((op): KernelRow => ({ op, types: TYPES })),
    ...MOVING_ROWS,
  ];
}

function convBytes(c: Convolution, pointerBytes: number): number {
  if (isPointwise(c)) return 0;
  const taps = c.height.kernel * c.width.kernel;
  const tile = DEPTHWISE_TILES.find((size) => taps <= size);
  if (isDepthwise(c) && c.inChannels === c.outChannels && tile !== undefined) {
    return depthwiseBytes(c, tile, pointerBytes);
  }
  const pixels = c.height.output * c.width.output;
  const tiles = c.type === 'float32' || c.type === 'float16' ? FLOAT_TILES : INTEGER_TILES;
  return taps * Math.max(...tiles.map((mr) => roundUp(pixels, mr))) * pointerBytes;
}

/** Neighbouring windows of a row share the columns they have in common, unless they have holes. */
function depthwiseBytes({ height, width }: Convolution, tile: number, pointerBytes: number): number {
  const taps = height.kernel * width.kernel;
  const step = width.dilation === 1 ? Math.min(width.stride, width.kernel) : width.kernel;
  const row = taps + (width.output - 1) * step * height.kernel;
  return roundUp((height.output * row + tile - taps) * pointerBytes, ALIGNMENT);
}

const UNARY =
  `Abs Neg Relu Clip Sigmoid Tanh Exp Log Sqrt Floor Ceil Round Elu LeakyRelu HardSwish Gelu`.split(' ');
const BINARY = 'Add Sub Mul Div Max Min PRelu'.split(' ');
const OTHERS = `Softmax Concat Split Slice Pad Transpose Expand Resize GlobalAveragePool ReduceMean ReduceSum
   QuantizeLinear DequantizeLinear Cast DepthToSpace SpaceToDepth`.split(/\s+/);
