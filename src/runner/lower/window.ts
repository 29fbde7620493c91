/** Convolutions and pools: windows that slide over one or two spatial dimensions. */
import type { ElementType } from '../../graph/element-type.ts';
import { autoPad, axesOf } from '../../ops/spatial.ts';
import { address, call, integer, list, onlyFloat, structure, suffix } from '../arguments.ts';
import { product } from '../grid.ts';
import type { Call, Lowerings, Operand, RunnerNode, Table } from '../types.ts';

/** The spatial part of a window, with a dimension of 1 in front where there is one alone. */
export interface Window {
  readonly in: readonly number[];
  readonly out: readonly number[];
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  readonly pad: readonly number[];
  readonly padEnd: readonly number[];
}

/** `transposed`: y is what slides (ConvTranspose). */
export function windowOf(
  n: RunnerNode,
  kernel: readonly number[],
  x: Operand,
  y: Operand,
  transposed = false,
): Window {
  const rank = x.shape.length - 2;
  if (rank < 1 || rank > 2) n.refuse(`for ${rank} spatial dimensions`);
  const axes = axesOf(n.c, kernel);
  const mode = autoPad(n.c);
  const extra = n.c.ints('output_padding') ?? [];
  const stated = transposed && (n.c.ints('output_shape') ?? []).length > 0;
  const pads = axes.map((axis, i) => {
    if (mode === 'VALID' || (mode === 'NOTSET' && !stated)) return [axis.padHead, axis.padTail] as const;
    const reach = (kernel[i]! - 1) * axis.dilation + 1;
    const [small, large] = transposed
      ? [x.shape[i + 2]!, y.shape[i + 2]!]
      : [y.shape[i + 2]!, x.shape[i + 2]!];
    const total = Math.max(0, (small - 1) * axis.stride + reach + (transposed ? (extra[i] ?? 0) : 0) - large);
    // SAME_UPPER has the odd one at the end; a transposed convolution with a stated shape has it there as well.
    const half = Math.floor(total / 2);
    return mode === 'SAME_LOWER' || (stated && mode === 'NOTSET')
      ? [total - half, half]
      : [half, total - half];
  });
  const lead = (values: readonly number[], one: number) => (rank === 1 ? [one, ...values] : values);
  return {
    in: lead(x.shape.slice(2), 1),
    out: lead(y.shape.slice(2), 1),
    kernel: lead(kernel, 1),
    stride: lead(
      axes.map((a) => a.stride),
      1,
    ),
    dilation: lead(
      axes.map((a) => a.dilation),
      1,
    ),
    pad: lead(
      pads.map(([head]) => head!),
      0,
    ),
    padEnd: lead(
      pads.map(([, tail]) => tail!),
      0,
    ),
  };
}

/** A memplan_window. Channels are those of one group. */
export function windowTable(
  n: RunnerNode,
  x: Operand,
  channels: { readonly in: number; readonly out: number },
  window: Window,
): Table {
  const counts = [x.shape[0]!, n.c.int('group', 1), channels.in, channels.out].map(String);
  const { in: from, out, kernel, stride, dilation, pad } = asOneRow(window);
  return structure('window', [...counts, ...[from, out, kernel, stride, dilation, pad].map(list)]);
}

/** Windows of one pixel that follow each other are as good as one long row of them, which kernels run through at once. */
function asOneRow(window: Window): Window {
  const { kernel, stride, pad, padEnd } = window;
  const isPlain = [...kernel, ...stride].every((size) => size === 1) && ![...pad, ...padEnd].some(Boolean);
  if (!isPlain || window.in.join() !== window.out.join()) return window;
  const row = [1, product(window.in)];
  return { ...window, in: row, out: row };
}

function conv(n: RunnerNode): readonly Call[] {
  const [x, w, bias, y] = [n.input(0), n.input(1), n.optional(2), n.output(0)];
  onlyFloat(n, x, w, bias);
  const window = windowOf(n, w.shape.slice(2), x, y);
  const channels = { in: w.shape[1]!, out: w.shape[0]! / n.c.int('group', 1) };
  return [
    call(
      'conv',
      'conv_f32',
      address(x),
      address(w),
      address(bias),
      address(y),
      windowTable(n, x, channels, window),
    ),
  ];
}

function convTranspose(n: RunnerNode): readonly Call[] {
  const [x, w, bias, y] = [n.input(0), n.input(1), n.optional(2), n.output(0)];
  onlyFloat(n, x, w, bias);
  const table = transposedTable(n, x, w, y);
  return [
    call('conv_transpose', 'conv_transpose_f32', address(x), address(w), address(bias), address(y), table),
  ];
}

/** The memplan_window of a ConvTranspose. */
export function transposedTable(n: RunnerNode, x: Operand, w: Operand, y: Operand): Table {
  const channels = { in: w.shape[0]! / n.c.int('group', 1), out: w.shape[1]! };
  return windowTable(n, x, channels, windowOf(n, w.shape.slice(2), x, y, true));
}

/** The fields of a memplan_pooling. */
export function poolText(x: Operand, window: Window, countPadding: boolean): readonly string[] {
  const { in: from, out, kernel, stride, dilation, pad, padEnd } = window;
  const sizes = [from, out, kernel, stride, dilation, pad, padEnd].map(list);
  return [String(x.shape[0]! * x.shape[1]!), ...sizes, countPadding ? '1' : '0'];
}

function poolTable(x: Operand, window: Window, countPadding: boolean): Table {
  return structure('pooling', poolText(x, window, countPadding));
}

export function kernelShape(n: RunnerNode): readonly number[] {
  return n.c.ints('kernel_shape') ?? n.refuse('without kernel_shape');
}

function maxPool(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.optionalOutput(1) !== undefined) n.refuse('for the places of the largest (output 1)');
  const kernel = `max_pool_${suffix(n, x, COMPARED)}`;
  return [
    call('pool', kernel, address(x), address(y), poolTable(x, windowOf(n, kernelShape(n), x, y), false)),
  ];
}

function averagePool(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  onlyFloat(n, x);
  const counted = n.c.int('count_include_pad', 0) !== 0;
  return [
    call(
      'pool',
      'average_pool_f32',
      address(x),
      address(y),
      poolTable(x, windowOf(n, kernelShape(n), x, y), counted),
    ),
  ];
}

/** One window over everything; any number of spatial dimensions are as good as one. */
export function whole(x: Operand): Window {
  const pixels = product(x.shape.slice(2));
  const ones = [1, 1];
  const zeros = [0, 0];
  return {
    ...{
      in: [1, pixels],
      out: ones,
      kernel: [1, pixels],
      stride: ones,
      dilation: ones,
      pad: zeros,
      padEnd: zeros,
    },
  };
}

/** Types whose largest element there is a kernel for. */
const COMPARED: readonly ElementType[] = ['float32', 'uint8', 'int8'];

function globalPool(kernel: 'max_pool' | 'average_pool') {
  return (n: RunnerNode): readonly Call[] => {
    const [x, y] = [n.input(0), n.output(0)];
    const ending = suffix(n, x, kernel === 'max_pool' ? COMPARED : ['float32']);
    return [call('pool', `${kernel}_${ending}`, address(x), address(y), poolTable(x, whole(x), false))];
  };
}

/** Of equal elements the first, or the last. */
function argument(kernel: 'argmax' | 'argmin') {
  return (n: RunnerNode): readonly Call[] => {
    const [x, y] = [n.input(0), n.output(0)];
    const ending = suffix(n, x, kernel === 'argmax' ? COMPARED : ['float32']);
    const family = ending === 'f32' ? 'reduce' : 'qreduce';
    const axis = n.c.int('axis', 0);
    const at = axis < 0 ? axis + x.shape.length : axis;
    const sizes = [product(x.shape.slice(0, at)), x.shape[at] ?? 1, product(x.shape.slice(at + 1))];
    const table = structure('axis', sizes.map(String));
    const name = `${kernel}_${ending}`;
    return [call(family, name, address(x), address(y), table, integer(n.c.int('select_last_index', 0)))];
  };
}

export const lowerings: Lowerings = {
  Conv: { lower: conv },
  ConvTranspose: { lower: convTranspose },
  MaxPool: { lower: maxPool },
  AveragePool: { lower: averagePool },
  GlobalMaxPool: { lower: globalPool('max_pool') },
  GlobalAveragePool: { lower: globalPool('average_pool') },
  ArgMax: { lower: argument('argmax') },
  ArgMin: { lower: argument('argmin') },
};
