/** Functions of one number, element by element. */
import { address, call, numbers, onlyFloat, real, size, suffix, widthOf } from '../arguments.ts';
import { toEven } from '../prepared.ts';
import type { Call, Lowering, Lowerings, Operand, RunnerNode } from '../types.ts';
import { reshaped } from './move.ts';

/** Attributes of the kernel in its order, with their values where the node is silent. */
type Parameters = readonly (readonly [attribute: string, standard: number])[];

function float(family: string, kernel: string, parameters: Parameters = []): Lowering {
  return {
    inPlace: [0],
    lower(n) {
      const [x, y] = [n.input(0), n.output(0)];
      onlyFloat(n, x);
      const values = parameters.map(([attribute, standard]) => real(n.c.float(attribute, standard)));
      return [call(family, `${kernel}_f32`, address(x), address(y), size(y.count), ...values)];
    },
  };
}

function gelu(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  onlyFloat(n, x);
  const kernel = n.c.string('approximate', 'none') === 'tanh' ? 'gelu_tanh' : 'gelu';
  return [call('activation', `${kernel}_f32`, address(x), address(y), size(y.count))];
}

/** A number as it is: bytes that stand for themselves. */
const ITSELF: Scaling = { scale: 1, zero: 0 };

const isByte = ({ type }: Operand): boolean => type === 'int8' || type === 'uint8';

/** Relu of floats, or of bytes by a table. */
function relu(n: RunnerNode): readonly Call[] {
  if (isByte(n.input(0))) return tabulated(n, (x) => Math.max(x, 0), ITSELF, ITSELF);
  return float('activation', 'relu').lower(n);
}

/** Limits are attributes before opset 11 and inputs after it. */
function clip(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const byInput = n.c.opset >= 11;
  const least = byInput ? (n.constant(1)?.[0] ?? -Infinity) : n.c.float('min', -Infinity);
  const most = byInput ? (n.constant(2)?.[0] ?? Infinity) : n.c.float('max', Infinity);
  if (isByte(x)) return tabulated(n, (v) => Math.min(Math.max(v, least), most), ITSELF, ITSELF);
  onlyFloat(n, x);
  return [call('activation', 'clip_f32', address(x), address(y), size(y.count), real(least), real(most))];
}

function not(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  return [call('logic', 'not_bool', address(x), address(y), size(y.count))];
}

const CAST = ['bool', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'float32'] as const;

function cast(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const [from, to] = [suffix(n, x, CAST), suffix(n, y, CAST)];
  if (from === to) return copied(n);
  const kernel = `cast_${from === 'bool' ? 'u8' : from}_${to}`;
  return [call('cast', kernel, address(x), address(y), size(y.count))];
}

/** The elements as they are: nothing to do where the plan has them in place already. */
function copied(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.coincide(y, x)) return [];
  if (n.order === 'nhwc' && x.shape.join() !== y.shape.join()) return reshaped(n, x, y);
  return [call('copy', 'copy', address(x), address(y), size(y.count * widthOf(n, y)))];
}

/** At inference it passes its input on, and a mask of bools is true everywhere; older masks have no content then. */
function dropout(n: RunnerNode): readonly Call[] {
  if (n.c.opset >= 12 && (n.constant(2)?.[0] ?? 0) !== 0) n.refuse('for training');
  const mask = n.optionalOutput(1);
  const kept =
    mask?.type === 'bool'
      ? [call('copy', 'fill', address(mask), numbers('uint8_t', [1]), size(1), size(mask.count))]
      : [];
  return [...copied(n), ...kept];
}

interface Scaling {
  readonly scale: number;
  readonly zero: number;
}

/** com.microsoft: the elements of a byte through any function, worked out here for all 256. */
export function tabulated(
  n: RunnerNode,
  value: (x: number) => number,
  from: Scaling,
  to: Scaling,
): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const table = numbers('uint8_t', byteTable(n, x, value, from, to));
  return [call('qelementwise', 'lookup_8', address(x), address(y), size(y.count), table)];
}

/** What becomes of each of 256 bytes, indexed by its bits. */
export function byteTable(
  n: RunnerNode,
  x: Operand,
  value: (x: number) => number,
  from: Scaling,
  to: Scaling,
): readonly number[] {
  const signed = suffix(n, x, ['int8', 'uint8']) === 's8';
  return Array.from({ length: 256 }, (_, bits) => {
    const stored = signed && bits > 127 ? bits - 256 : bits;
    return storedByte(n, x, value(Math.fround(from.scale * (stored - from.zero))), to) & 0xff;
  });
}

/** The element of an 8-bit type that stands for a real number. */
export function storedByte(n: RunnerNode, of: Operand, real: number, to: Scaling): number {
  const [least, most] = suffix(n, of, ['int8', 'uint8']) === 's8' ? [-128, 127] : [0, 255];
  const scaled = toEven(Math.fround(Math.fround(real) / to.scale)) + to.zero;
  return Math.min(Math.max(scaled, least), most);
}

const COPIES = ['Identity', 'Reshape', 'Flatten', 'Squeeze', 'Unsqueeze'];

/** Operators without attributes, and their kernels. */
const ACTIVATIONS: Readonly<Record<string, string>> = {
  Sigmoid: 'sigmoid',
  Tanh: 'tanh',
  Softplus: 'softplus',
  Softsign: 'softsign',
  HardSwish: 'hard_swish',
  Mish: 'mish',
};

/** Their kernels have the names in small letters. */
const FUNCTIONS = [
  ...['Abs', 'Neg', 'Sign', 'Ceil', 'Floor', 'Round', 'Sqrt', 'Exp', 'Log', 'Reciprocal', 'Erf'],
  ...['Sin', 'Cos', 'Tan', 'Asin', 'Acos', 'Atan', 'Sinh', 'Cosh', 'Asinh', 'Acosh', 'Atanh'],
];

export const lowerings: Lowerings = {
  ...Object.fromEntries(Object.entries(ACTIVATIONS).map(([op, kernel]) => [op, float('activation', kernel)])),
  ...Object.fromEntries(FUNCTIONS.map((op) => [op, float('math', op.toLowerCase())])),
  ...Object.fromEntries(COPIES.map((op) => [op, { lower: copied, inPlace: [0] }])),
  LeakyRelu: float('activation', 'leaky_relu', [['alpha', 0.01]]),
  ThresholdedRelu: float('activation', 'thresholded_relu', [['alpha', 1]]),
  Elu: float('activation', 'elu', [['alpha', 1]]),
  Selu: float('activation', 'selu', [
    ['alpha', 1.6732632],
    ['gamma', 1.050701],
  ]),
  Celu: float('activation', 'celu', [['alpha', 1]]),
  HardSigmoid: float('activation', 'hard_sigmoid', [
    ['alpha', 0.2],
    ['beta', 0.5],
  ]),
  Swish: float('activation', 'swish', [['alpha', 1]]),
  Shrink: float('activation', 'shrink', [
    ['bias', 0],
    ['lambd', 0.5],
  ]),
  Relu: { lower: relu, inPlace: [0] },
  Gelu: { lower: gelu, inPlace: [0] },
  'com.microsoft:Gelu': float('activation', 'gelu'),
  Clip: { lower: clip, inPlace: [0] },
  Not: { lower: not, inPlace: [0] },
  Dropout: { lower: dropout, inPlace: [0] },
  Cast: { lower: cast },
};
