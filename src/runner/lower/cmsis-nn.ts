/** Operators that CMSIS-NN carries out on int8, channels last: weights in its order, factors as multipliers and shifts. */
import { refusesRow } from '../../kernels/cmsis-nn/conv-sizes.ts';
import type { Convolution } from '../../kernels/convolution.ts';
import { address, answeringCall, integer, list, NULL, numbers, size, structure } from '../arguments.ts';
import { type Multiplier, multiplierOf } from '../fixed-point.ts';
import { product } from '../grid.ts';
import { byteLimits } from '../groups.ts';
import { biasArgument, reordered } from '../prepared.ts';
import type { Argument, Call, Lowering, Lowerings, Operand, RunnerNode, Table } from '../types.ts';
import { parameters, type Quantisation } from './quantized.ts';
import { type Window, whole, windowOf, windowTable } from './window.ts';

function armCall(kernel: string, ...args: readonly Argument[]): Call {
  return answeringCall('cmsis_nn', `arm_${kernel}`, ...args);
}

function onlyInt8(n: RunnerNode, ...operands: readonly Operand[]): void {
  const other = operands.find(({ type }) => type !== 'int8');
  if (other !== undefined) n.refuse(`for ${other.type} with CMSIS-NN, which the runner calls on int8`);
}

/** The working memory of the step, and its bytes. */
function scratchOf(n: RunnerNode): readonly [Argument, Argument] {
  const [planned] = n.scratch;
  if (planned === undefined) return [NULL, size(0)];
  return [{ kind: 'tensor', tensor: planned.tensor, offset: 0 }, size(planned.bytes)];
}

function limits(n: RunnerNode): readonly [least: number, most: number] {
  return n.limits.least === -Infinity && n.limits.most === Infinity ? [-128, 127] : byteLimits(n);
}

interface Product {
  readonly x: Quantisation;
  readonly w: Quantisation;
  readonly y: Quantisation;
}

/** A memplan_arm_product: (scale of x * scale of w) / scale of y for each output channel, worked out in doubles. */
function productTable(n: RunnerNode, { x, w, y }: Product, channels: number): Table {
  const each = multipliers(w.scales, channels, (scale) => (x.scale * scale) / y.scale);
  const [least, most] = limits(n);
  return structure('arm_product', [
    numbers(
      'int32_t',
      each.map(({ mantissa }) => mantissa),
    ),
    numbers(
      'int32_t',
      each.map(({ shift }) => shift),
    ),
    ...[x.zero, y.zero, least, most].map(String),
  ]);
}

function multipliers(
  scales: readonly number[],
  count: number,
  factor: (scale: number) => number,
): readonly Multiplier[] {
  return Array.from({ length: count }, (_, i) =>
    multiplierOf(factor(scales.length === 1 ? scales[0]! : scales[i]!)),
  );
}

/**
 * Weights [out][in of a group][kernel] become [out][kernel][in], those of single channels [kernel][out]. In groups there is always a
 * bias: arm_convolve_s8 of 7.0.0 steps from group to group through a null pointer.
 */
function conv(n: RunnerNode): readonly Call[] {
  const [x, w, bias, y] = [n.input(0), n.input(3), n.optional(8), n.output(0)];
  onlyInt8(n, x, w, y);
  if (n.c.node.domain !== '' && n.c.int('channels_last', 0) !== 0) n.refuse('for channels in the last axis');
  const quant = { x: parameters(n, 1, 2), w: parameters(n, 4, 5), y: parameters(n, 6, 7) };
  const groups = n.c.int('group', 1);
  const [out, inside] = [w.shape[0]!, w.shape[1]!];
  const kernel = w.shape.slice(2);
  const taps = product(kernel);
  const isDepthwise = groups > 1 && inside === 1 && groups === x.shape[1];
  const straight = windowOf(n, kernel, x, y);
  const isTurned = !isDepthwise && refusesRow(convolution(n, straight, x, y), n.library);
  const channels = { in: inside, out: out / groups };
  const window = windowTable(n, x, channels, isTurned ? asColumn(straight) : straight);
  const weight = isDepthwise
    ? reordered(n, w, 'hwo', [...kernel, out], (i) => (i % out) * taps + Math.floor(i / out))
    : reordered(n, w, 'ohwi', [out, ...kernel, inside], (i) => {
        const [filter, rest] = [Math.floor(i / (taps * inside)), i % (taps * inside)];
        return (filter * inside + (rest % inside)) * taps + Math.floor(rest / inside);
      });
  const biases = biasArgument(n, bias, { x: quant.x.scale, w: quant.w.scales }, out, groups > 1);
  return [
    armCall(
      isDepthwise ? 'depthwise' : 'conv',
      ...[address(x), weight, biases, address(y), ...scratchOf(n)],
      ...[window, productTable(n, quant, out)],
    ),
  ];
}

/** What the formulas of scratch are written in. */
function convolution(n: RunnerNode, w: Window, x: Operand, y: Operand): Convolution {
  const [height, width] = [0, 1].map((axis) => ({
    ...{ input: w.in[axis]!, output: w.out[axis]!, kernel: w.kernel[axis]!, stride: w.stride[axis]! },
    ...{ dilation: w.dilation[axis]!, pad: w.pad[axis]!, tail: w.padEnd[axis]! },
  }));
  return {
    ...{ type: x.type, weightType: 'int8', batch: x.shape[0]!, group: n.c.int('group', 1) },
    ...{ inChannels: x.shape[1]!, outChannels: y.shape[1]!, height: height!, width: width! },
  };
}

/** One row of pixels lies in memory as one column does. */
function asColumn(row: Window): Window {
  const turn = (sides: readonly number[]) => sides.toReversed();
  return {
    in: turn(row.in),
    out: turn(row.out),
    kernel: turn(row.kernel),
    stride: turn(row.stride),
    dilation: turn(row.dilation),
    pad: turn(row.pad),
    padEnd: turn(row.padEnd),
  };
}

interface Matrices {
  readonly x: Operand;
  readonly w: Operand;
  readonly bias: Operand | undefined;
  readonly quant: Product;
  /** The weights stand as [columns][depth]. */
  readonly turned: boolean;
}

/** Releases before 7 know one multiplier alone; there a pointwise convolution does the same. */
function dense(n: RunnerNode, { x, w, bias, quant, turned }: Matrices): readonly Call[] {
  const y = n.output(0);
  onlyInt8(n, x, w, y);
  if (w.shape.length !== 2) n.refuse('for a product of several matrices with CMSIS-NN');
  const [columns, depth] = (turned ? w.shape : w.shape.toReversed()) as [number, number];
  const rows = x.count / depth;
  const weight = turned
    ? address(w)
    : reordered(n, w, 'turned', [columns, depth], (i) => (i % depth) * columns + Math.floor(i / depth));
  const each = quant.w.scales.length > 1;
  const biases = biasArgument(n, bias, { x: quant.x.scale, w: quant.w.scales }, columns);
  const operands = [address(x), weight, biases, address(y)];
  if (each && n.library.version < 7) {
    const row = structure('window', [
      ...[1, 1, depth, columns].map(String),
      ...[
        [1, rows],
        [1, rows],
        [1, 1],
        [1, 1],
        [1, 1],
        [0, 0],
      ].map(list),
    ]);
    return [armCall('conv', ...operands, NULL, size(0), row, productTable(n, quant, columns))];
  }
  const sizes = structure('arm_matrix', [rows, depth, columns, each ? 1 : 0].map(String));
  return [armCall('dense', ...operands, ...scratchOf(n), sizes, productTable(n, quant, each ? columns : 1))];
}

function qlinearMatMul(n: RunnerNode): readonly Call[] {
  const quant = { x: parameters(n, 1, 2), w: parameters(n, 4, 5), y: parameters(n, 6, 7) };
  return dense(n, { x: n.input(0), w: n.input(3), bias: n.optional(8), quant, turned: false });
}

function qGemm(n: RunnerNode): readonly Call[] {
  if (n.optional(7) === undefined) n.refuse('for a float result');
  if (n.c.float('alpha', 1) !== 1 || n.c.int('transA', 0) !== 0)
    n.refuse('for alpha or a transposed operand');
  const quant = { x: parameters(n, 1, 2), w: parameters(n, 4, 5), y: parameters(n, 7, 8) };
  const turned = n.c.int('transB', 0) !== 0;
  return dense(n, { x: n.input(0), w: n.input(3), bias: n.optional(6), quant, turned });
}

function poolTable(n: RunnerNode, x: Operand, window: Window): Table {
  const channels = x.shape[1]!;
  const { in: from, out, kernel, stride, dilation, pad } = window;
  const counts = [x.shape[0]!, 1, channels, channels].map(String);
  if (dilation.some((step) => step !== 1)) n.refuse('for a window with holes with CMSIS-NN');
  return structure('window', [...counts, ...[from, out, kernel, stride, dilation, pad].map(list)]);
}

function pool(kernel: 'average_pool' | 'max_pool', global: boolean) {
  return (n: RunnerNode): readonly Call[] => {
    const [x, y] = [n.input(0), n.output(0)];
    onlyInt8(n, x, y);
    if (n.c.int('channels_last', 0) !== 0) n.refuse('for channels in the last axis');
    if (x.shape.length < 3 || x.shape.length > 4) n.refuse(`for ${x.shape.length} dimensions`);
    const shape = n.c.ints('kernel_shape') ?? [];
    const window = global ? whole(x) : windowOf(n, shape, x, y);
    const scratch = kernel === 'average_pool' ? scratchOf(n) : [];
    const ends = limits(n).map(integer);
    return [armCall(kernel, address(x), address(y), ...scratch, poolTable(n, x, window), ...ends)];
  };
}

/** Bits before the point of the differences that arm_softmax_s8 works on. */
const INTEGER_BITS = 5;

/** Differences to the largest element times the scale, with 26 bits behind the point. */
function softmax(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  onlyInt8(n, x, y);
  const { scale } = parameters(n, 1, 2);
  const { mantissa, shift } = multiplierOf(Math.min(scale * 2 ** (31 - INTEGER_BITS), 2 ** 31 - 1));
  const range = (2 ** INTEGER_BITS - 1) * 2 ** (31 - INTEGER_BITS - shift);
  const channels = x.shape.length < 3 ? x.shape.at(-1)! : x.shape[1]!;
  const counts = [x.count / channels, channels, mantissa, shift, -Math.floor(range)];
  if (shift < 0) n.refuse('for a scale so small that every element counts the same');
  return [armCall('softmax', address(x), address(y), structure('arm_rows', counts.map(String)))];
}

/** Bits that a sum has more than its operands. */
const SUM_SHIFT = 20;

function pair(kernel: 'add' | 'mul'): Lowering {
  return {
    inPlace: [0, 3],
    lower(n) {
      const [a, b, y] = [n.input(0), n.input(3), n.output(0)];
      onlyInt8(n, a, b, y);
      if (a.count !== y.count || b.count !== y.count) n.refuse('for a repeated operand with CMSIS-NN');
      const [qa, qb, qy] = [parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 6, 7)];
      const twice = 2 * Math.max(qa.scale, qb.scale);
      const factors =
        kernel === 'add'
          ? [qa.scale / twice, qb.scale / twice, twice / (2 ** SUM_SHIFT * qy.scale)]
          : [0, 0, (qa.scale * qb.scale) / qy.scale];
      const all = factors.map(multiplierOf);
      const table = structure('arm_pair', [
        ...[qa.zero, qb.zero, qy.zero].map(String),
        list(all.map(({ mantissa }) => mantissa)),
        list(all.map(({ shift }) => shift)),
        ...limits(n).map(String),
      ]);
      return [armCall(kernel, address(a), address(b), address(y), size(y.count), table)];
    },
  };
}

const average = { lower: pool('average_pool', false) };
const globalAverage = { lower: pool('average_pool', true) };

export const lowerings: Lowerings = {
  QLinearConv: { lower: conv },
  'com.microsoft:QLinearConv': { lower: conv },
  QLinearMatMul: { lower: qlinearMatMul },
  'com.microsoft:QGemm': { lower: qGemm },
  AveragePool: average,
  'com.microsoft:QLinearAveragePool': average,
  GlobalAveragePool: globalAverage,
  'com.microsoft:QLinearGlobalAveragePool': globalAverage,
  MaxPool: { lower: pool('max_pool', false) },
  GlobalMaxPool: { lower: pool('max_pool', true) },
  'com.microsoft:QLinearSoftmax': { lower: softmax, inPlace: [0] },
  'com.microsoft:QLinearAdd': pair('add'),
  'com.microsoft:QLinearMul': pair('mul'),
};
