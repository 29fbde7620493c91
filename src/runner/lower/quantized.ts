/** Operators on quantised integers: scales and zero points are worked into float factors as onnxruntime does it. */
import type { ElementType } from '../../graph/element-type.ts';
import { axesInMemory } from '../../graph/memory-order.ts';
import { QDQ_DOMAIN } from '../../kernels/integer-form.ts';
import {
  address,
  call,
  integer,
  numbers,
  onlyFloat,
  real,
  realText,
  size,
  structure,
  suffix,
} from '../arguments.ts';
import { axisTable, broadcast, gridTable, gridText, positive, product } from '../grid.ts';
import { biasArgument } from '../prepared.ts';
import type { Argument, Call, Lowering, Lowerings, Operand, RunnerNode, Table } from '../types.ts';
import { gemmText, productText } from './matmul.ts';
import { alongAxis } from './move.ts';
import { softmaxAxis } from './reduce.ts';
import { byteTable, tabulated } from './unary.ts';
import { windowOf, windowTable } from './window.ts';

const { fround } = Math;
export const BYTES: readonly ElementType[] = ['uint8', 'int8'];

export interface Quantisation {
  readonly scales: readonly number[];
  readonly zeros: readonly number[];
  readonly scale: number;
  readonly zero: number;
}

/** Constant scale and zero point at two positions; the zero point may be left out. */
export function parameters(n: RunnerNode, scaleAt: number, zeroAt: number): Quantisation {
  const scales = (n.constant(scaleAt) ?? n.refuse('without a scale')).map(fround);
  const zeros = n.constant(zeroAt) ?? [0];
  return { scales, zeros, scale: scales[0]!, zero: zeros[0]! };
}

/** A memplan_requant: (x scale * w scale) / y scale, rounded to float32 after each step. */
export function requantTable(n: RunnerNode, x: Quantisation, w: Quantisation, y: Quantisation): Table {
  if (w.zeros.some((zero) => zero !== w.zero))
    n.refuse('for zero points that differ from channel to channel');
  if (x.scales.length > 1) n.refuse('for data with a scale of each row');
  const factors = w.scales.map((scale) => fround(fround(x.scale * scale) / y.scale));
  const step = factors.length === 1 ? '0' : '1';
  return structure('requant', [numbers('float', factors), step, ...[x.zero, w.zero, y.zero].map(String)]);
}

/** `qconv_u8s8` and so on. */
export function productKernel(n: RunnerNode, name: string, x: Operand, w: Operand): string {
  const [left, right] = [suffix(n, x, BYTES), suffix(n, w, BYTES)];
  if (left === 's8' && right === 'u8') n.refuse('for int8 data with uint8 weights');
  return `${name}_${left}${right}`;
}

export function biasOf(n: RunnerNode, bias: Operand | undefined, channels: number): Argument {
  const [x, w] = [parameters(n, 1, 2), parameters(n, 4, 5)];
  return biasArgument(n, bias, { x: x.scale, w: w.scales }, channels);
}

function qlinearConv(n: RunnerNode): readonly Call[] {
  const [x, w, bias, y] = [n.input(0), n.input(3), n.optional(8), n.output(0)];
  const kernel = productKernel(n, 'qconv', x, w);
  if (n.c.node.domain !== '' && n.c.int('channels_last', 0) !== 0) n.refuse('for channels in the last axis');
  const channels = { in: w.shape[1]!, out: w.shape[0]! / n.c.int('group', 1) };
  const table = windowTable(n, x, channels, windowOf(n, w.shape.slice(2), x, y));
  const requant = requantTable(n, parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 6, 7));
  const biases = biasOf(n, bias, w.shape[0]!);
  return [call('qconv', kernel, address(x), address(w), biases, address(y), table, requant)];
}

function qlinearMatMul(n: RunnerNode): readonly Call[] {
  const [a, b, y] = [n.input(0), n.input(3), n.output(0)];
  const kernel = productKernel(n, 'qmatmul', a, b);
  const requant = requantTable(n, parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 6, 7));
  const table = structure('product', [productText(n, a, b)]);
  const biases = biasOf(n, n.optional(8), y.shape.at(-1)!);
  return [call('qmatmul', kernel, address(a), address(b), biases, address(y), table, requant)];
}

function qGemm(n: RunnerNode): readonly Call[] {
  const [a, b, c, y] = [n.input(0), n.input(3), n.optional(6), n.output(0)];
  const kernel = productKernel(n, 'qmatmul', a, b);
  if (n.optional(7) === undefined) n.refuse('for a float result');
  if (n.c.float('alpha', 1) !== 1) n.refuse('for alpha');
  if (c !== undefined && c.count !== y.shape[1]) n.refuse('for a bias that is not one number a column');
  const requant = requantTable(n, parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 7, 8));
  const table = structure('product', [gemmText(n, a, b)]);
  const biases = biasOf(n, c, y.shape[1]!);
  return [call('qmatmul', kernel, address(a), address(b), biases, address(y), table, requant)];
}

/** com.microsoft QLinearAdd: a and b by their share of y's scale, all zero points in one number. */
function sumFactors(a: Quantisation, b: Quantisation, y: Quantisation): readonly number[] {
  const [left, right] = [fround(a.scale / y.scale), fround(b.scale / y.scale)];
  return [left, right, fround(y.zero - fround(fround(left * a.zero) + fround(right * b.zero)))];
}

/** com.microsoft QLinearMul: onnxruntime adds the zero point before it rounds. */
function productFactors(a: Quantisation, b: Quantisation, y: Quantisation): readonly number[] {
  return [fround(fround(a.scale * b.scale) / y.scale), 0, y.zero];
}

function qlinearPair(kernel: 'qadd' | 'qmul', factors: typeof sumFactors): Lowering {
  return {
    inPlace: [0, 3],
    lower(n) {
      const [a, b, y] = [n.input(0), n.input(3), n.output(0)];
      const [qa, qb, qy] = [parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 6, 7)];
      const grid = gridText(n, broadcast(n, y, a, b));
      const zeros = [qa.zero, qb.zero].map(String);
      const table = structure('qpair', [grid, ...zeros, ...factors(qa, qb, qy).map(realText)]);
      const name = `${kernel}_${suffix(n, y, BYTES)}`;
      return [call('qelementwise', name, address(a), address(b), address(y), table)];
    },
  };
}

function qlinearGlobalAverage(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.c.int('channels_last', 0) !== 0) n.refuse('for channels in the last axis');
  const [qx, qy] = [parameters(n, 1, 2), parameters(n, 3, 4)];
  const pixels = product(x.shape.slice(2));
  const scale = fround(qx.scale / fround(qy.scale * pixels));
  const counts = [x.shape[0]! * x.shape[1]!, pixels, qx.zero, qy.zero].map(String);
  const table = structure('qmean', [...counts, realText(scale)]);
  return [call('pool', `qmean_${suffix(n, x, BYTES)}`, address(x), address(y), table)];
}

function qlinearUnary(value: (n: RunnerNode) => (x: number) => number): Lowering {
  return {
    inPlace: [0],
    lower: (n) => tabulated(n, value(n), parameters(n, 1, 2), parameters(n, 3, 4)),
  };
}

/** com.microsoft: the opset whose Softmax is meant is an attribute. */
function qlinearSoftmax(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const [from, to] = [parameters(n, 1, 2), parameters(n, 3, 4)];
  const kernel = `qsoftmax_${suffix(n, x, BYTES)}`;
  if (y.type !== x.type) n.refuse('for a result of another type');
  const axis = softmaxAxis(n, x, n.c.int('opset'));
  const scales = [real(from.scale), real(to.scale), integer(to.zero)];
  return [call('softmax', kernel, address(x), address(y), axis, ...scales)];
}

/** The axis of scales, or everything as one where there is one scale. */
function scaleAxis(n: RunnerNode, x: Operand, scale: Operand): Table {
  if (scale.count === 1) return structure('axis', ['1', '1', String(x.count)]);
  if (scale.shape.length !== 1) n.refuse('for scales of blocks');
  return axisTable(n, x, positive(n.c.int('axis', 1), x.shape.length));
}

/** Zero points may be computed while the network runs. */
function integerProduct(name: 'conv_integer' | 'matmul_integer') {
  return (n: RunnerNode): readonly Call[] => {
    const [a, b, aZero, bZero, y] = [n.input(0), n.input(1), n.optional(2), n.optional(3), n.output(0)];
    const kernel = productKernel(n, name, a, b);
    const each = bZero !== undefined && bZero.count > 1;
    if (aZero !== undefined && aZero.count > 1) n.refuse('for a zero point of each row');
    const operands = [a, b, aZero, bZero, y].map((operand) => address(operand));
    if (name === 'matmul_integer') {
      if (each && bZero.shape.length > 1) n.refuse('for zero points of each matrix');
      const table = structure('product', [productText(n, a, b)]);
      return [call('integer', kernel, ...operands, table, integer(each ? 1 : 0))];
    }
    if (each) n.refuse('for a zero point of each channel');
    const channels = { in: b.shape[1]!, out: b.shape[0]! / n.c.int('group', 1) };
    const table = windowTable(n, a, channels, windowOf(n, b.shape.slice(2), a, y));
    return [call('integer', kernel, ...operands, table)];
  };
}

function dynamicQuantize(n: RunnerNode): readonly Call[] {
  const x = n.input(0);
  const results = [0, 1, 2].map((position) => address(n.output(position)));
  return [call('quantize', 'dynamic_quantize_u8', address(x), ...results, size(x.count))];
}

function quantize(n: RunnerNode): readonly Call[] {
  const [x, scale, zero, y] = [n.input(0), n.input(1), n.optional(2), n.output(0)];
  onlyFloat(n, x, scale);
  const kernel = `quantize_${suffix(n, y, ['uint8', 'int8', 'uint16', 'int16'])}`;
  return [
    call('quantize', kernel, address(x), address(scale), address(zero), address(y), scaleAxis(n, x, scale)),
  ];
}

function dequantize(n: RunnerNode): readonly Call[] {
  const [x, scale, zero, y] = [n.input(0), n.input(1), n.optional(2), n.output(0)];
  onlyFloat(n, scale, y);
  const kernel = `dequantize_${suffix(n, x, ['uint8', 'int8', 'uint16', 'int16', 'int32'])}`;
  return [
    call('quantize', kernel, address(x), address(scale), address(zero), address(y), scaleAxis(n, x, scale)),
  ];
}

/** Between DequantizeLinear and QuantizeLinear: any function of one byte. */
const FUNCTIONS: Readonly<Record<string, (n: RunnerNode) => (x: number) => number>> = {
  QuantizeLinear: () => (x) => x,
  Relu: () => (x) => Math.max(x, 0),
  Clip: (n) => {
    const byInput = n.c.opset >= 11;
    const least = byInput ? (n.constant(5)?.[0] ?? -Infinity) : n.c.float('min', -Infinity);
    const most = byInput ? (n.constant(6)?.[0] ?? Infinity) : n.c.float('max', Infinity);
    return (x) => Math.min(Math.max(x, least), most);
  },
  Sigmoid: () => (x) => 1 / (1 + Math.exp(-x)),
  Tanh: () => Math.tanh,
  HardSigmoid: (n) => {
    const [alpha, beta] = [n.c.float('alpha', 0.2), n.c.float('beta', 0.5)];
    return (x) => Math.min(Math.max(alpha * x + beta, 0), 1);
  },
  HardSwish: () => (x) => x * Math.min(Math.max(x / 6 + 0.5, 0), 1),
  LeakyRelu: (n) => {
    const alpha = n.c.float('alpha', 0.01);
    return (x) => (x < 0 ? alpha * x : x);
  },
  Elu: (n) => {
    const alpha = n.c.float('alpha', 1);
    return (x) => (x < 0 ? alpha * Math.expm1(x) : x);
  },
  Gelu: (n) => (n.c.string('approximate', 'none') === 'tanh' ? geluByTanh : gelu),
};

const gelu = (x: number): number => 0.5 * x * (1 + erf(x / Math.SQRT2));
const geluByTanh = (x: number): number =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** By its power series, whose terms grow no larger than e^9 where they are needed; 1 to the last bit of a float beyond. */
function erf(x: number): number {
  if (Math.abs(x) > 4) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let k = 1; k < 100; k++) {
    term *= -(x * x) / k;
    sum += term / (2 * k + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** com.microsoft: parts of other scales are brought to that of the whole by a table each. */
function qlinearConcat(n: RunnerNode): readonly Call[] {
  const y = n.output(0);
  const to = parameters(n, 0, 1);
  const count = (n.inputCount - 2) / 3;
  const parts = Array.from({ length: count }, (_, i) => n.input(2 + 3 * i));
  return alongAxis(n, y, parts, positive(n.c.int('axis'), y.shape.length)).flatMap(({ part, offset }, i) => {
    const table = byteTable(n, part, (x) => x, parameters(n, 3 + 3 * i, 4 + 3 * i), to);
    const axes = axesInMemory(y.shape.length, n.order);
    const [from, into] = [n.strides(part), n.strides(y)].map((strides) => axes.map((axis) => strides[axis]!));
    const grid = { shape: axes.map((axis) => part.shape[axis]!), strides: [from!, into!] };
    return [
      call(
        'qelementwise',
        'lookup_grid_8',
        address(part),
        address(y, offset),
        gridTable(n, grid),
        numbers('uint8_t', table),
      ),
    ];
  });
}

/** An operand is taken away as one of the opposite scale. */
const difference = (a: Quantisation, b: Quantisation, y: Quantisation) =>
  sumFactors(a, { ...b, scale: -b.scale }, y);

export const lowerings: Lowerings = {
  QuantizeLinear: { lower: quantize },
  DequantizeLinear: { lower: dequantize },
  'com.microsoft:QuantizeLinear': { lower: quantize },
  'com.microsoft:DequantizeLinear': { lower: dequantize },
  DynamicQuantizeLinear: { lower: dynamicQuantize },
  ConvInteger: { lower: integerProduct('conv_integer') },
  MatMulInteger: { lower: integerProduct('matmul_integer') },
  QLinearConv: { lower: qlinearConv },
  QLinearMatMul: { lower: qlinearMatMul },
  'com.microsoft:QLinearConv': { lower: qlinearConv },
  'com.microsoft:QGemm': { lower: qGemm },
  'com.microsoft:QLinearAdd': qlinearPair('qadd', sumFactors),
  'com.microsoft:QLinearMul': qlinearPair('qmul', productFactors),
  'com.microsoft:QLinearGlobalAveragePool': { lower: qlinearGlobalAverage },
  'com.microsoft:QLinearConcat': { lower: qlinearConcat },
  'com.microsoft:QLinearSigmoid': qlinearUnary(FUNCTIONS.Sigmoid!),
  'com.microsoft:QLinearSoftmax': { lower: qlinearSoftmax, inPlace: [0] },
  'com.microsoft:QLinearLeakyRelu': qlinearUnary(FUNCTIONS.LeakyRelu!),
  [`${QDQ_DOMAIN}:Sub`]: qlinearPair('qadd', difference),
  ...Object.fromEntries(
    Object.entries(FUNCTIONS).map(([op, value]) => [`${QDQ_DOMAIN}:${op}`, qlinearUnary(value)]),
  ),
};
