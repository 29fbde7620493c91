/**
 * What an int8 network computes with the requantisation of CMSIS-NN, worked out tensor by tensor in the order of the
 * model: exact integers, multipliers from the exact value of the double that scales give.
 */
import type { Node, TypedGraph } from '../../src/graph/types.ts';
import { readConstantBytes } from '../../src/model/bytes.ts';

type Elements = ArrayLike<number>;

interface Scaling {
  readonly scales: Elements;
  readonly zero: number;
}

/** Outputs by name, for inputs by name; int8 in the order of the model. */
export function inferIntegers(
  graph: TypedGraph,
  inputs: ReadonlyMap<string, Int8Array>,
): ReadonlyMap<string, Int8Array> {
  const values = new Map<number, Elements>();
  const names = graph.tensors.map(({ name }) => name);
  const find = (name: string) => values.get(names.indexOf(name)) as Int8Array;
  for (const tensor of graph.inputs) {
    const given = inputs.get(names[tensor]!);
    if (given !== undefined) values.set(tensor, given);
  }
  const read = (tensor: number): Elements => {
    const known = values.get(tensor) ?? constantOf(graph, tensor);
    if (known === undefined) throw new Error(`${names[tensor]} has no value`);
    values.set(tensor, known);
    return known;
  };
  for (const node of graph.nodes) {
    if (!graph.folded.has(node)) values.set(node.outputs[0]!, compute(graph, node, read));
  }
  return new Map(graph.outputs.map((tensor) => [names[tensor]!, find(names[tensor]!)]));
}

function constantOf(graph: TypedGraph, tensor: number): Elements | undefined {
  const { constant } = graph.tensors[tensor]!;
  const bytes = constant && readConstantBytes(constant);
  if (bytes === undefined) return graph.facts[tensor]?.value?.map(Number);
  const { buffer, byteOffset, length } = Uint8Array.from(bytes);
  switch (constant!.type) {
    case 'int8':
      return new Int8Array(buffer, byteOffset, length);
    case 'int32':
      return new Int32Array(buffer, byteOffset, length / 4);
    case 'float32':
      return new Float32Array(buffer, byteOffset, length / 4);
    case 'int64':
      return Array.from(new BigInt64Array(buffer, byteOffset, length / 8), Number);
    default:
      return new Uint8Array(buffer, byteOffset, length);
  }
}

function compute(graph: TypedGraph, node: Node, read: (tensor: number) => Elements): Elements {
  const x = (position: number) => read(node.inputs[position]!);
  const has = (position: number) => node.inputs[position] !== undefined;
  const shape = (tensor: number) => graph.facts[tensor]!.shape as readonly number[];
  const of = (position: number) => shape(node.inputs[position]!);
  const to = shape(node.outputs[0]!);
  const scaling = (position: number): Scaling => ({
    scales: x(position),
    zero: has(position + 1) ? x(position + 1)[0]! : 0,
  });
  const ints = (name: string, standard: readonly number[]): readonly number[] => {
    const found = node.attributes.get(name);
    return found?.kind === 'ints' ? found.value.map(Number) : standard;
  };
  const int = (name: string, standard: number): number => {
    const found = node.attributes.get(name);
    return found?.kind === 'int' ? Number(found.value) : standard;
  };
  const window = (kernel: readonly number[]): Window => windowOf(kernel, ints);

  switch (node.op) {
    case 'QLinearConv': {
      const bias = has(8) ? x(8) : undefined;
      const sizes = { x: of(0), w: of(3), y: to, groups: int('group', 1), window: window(of(3).slice(2)) };
      return convolved(x(0), x(3), bias, sizes, scaling(1), scaling(4), scaling(6));
    }
    case 'QLinearMatMul':
      return multiplied(x(0), x(3), undefined, false, of(3), scaling(1), scaling(4), scaling(6));
    case 'QGemm': {
      const bias = has(6) ? x(6) : undefined;
      const turned = int('transB', 0) !== 0;
      return multiplied(x(0), x(3), bias, turned, of(3), scaling(1), scaling(4), scaling(7));
    }
    case 'QLinearAdd':
      return added(x(0), x(3), scaling(1), scaling(4), scaling(6));
    case 'QLinearMul': {
      const [a, b, y] = [scaling(1), scaling(4), scaling(6)];
      const m = multiplier((a.scales[0]! * b.scales[0]!) / y.scales[0]!);
      return Int8Array.from(x(0) as Int8Array, (v, i) =>
        byte(requantised((v - a.zero) * (x(3)[i]! - b.zero), m) + y.zero),
      );
    }
    case 'QLinearGlobalAveragePool':
    case 'QLinearAveragePool':
    case 'MaxPool': {
      const kernel = node.op === 'QLinearGlobalAveragePool' ? of(0).slice(2) : ints('kernel_shape', []);
      return pooled(x(0), of(0), to, window(kernel), node.op !== 'MaxPool');
    }
    case 'QLinearSoftmax':
      return shares(x(0), of(0), scaling(1).scales[0]!);
    case 'DequantizeLinear': // of a softmax, which reads the integers
      return Object.assign(x(0), { scale: x(1)[0]! });
    case 'Softmax':
      return shares(x(0), of(0), (x(0) as unknown as { readonly scale: number }).scale);
    case 'QuantizeLinear':
    case 'Flatten':
    case 'Reshape':
      return x(0);
    case 'QLinearSigmoid':
      return Int8Array.from(x(0) as Int8Array, (v) => {
        const [from, into] = [scaling(1), scaling(3)];
        const real = Math.fround(1 / (1 + Math.exp(-Math.fround(from.scales[0]! * (v - from.zero)))));
        return byte(even(Math.fround(real / into.scales[0]!)) + into.zero);
      });
    case 'Concat':
      return joined(
        node.inputs.map((tensor) => [read(tensor!), shape(tensor!)] as const),
        to,
        int('axis', 1),
      );
    case 'QLinearConcat': {
      const into = scaling(0);
      const parts = Array.from({ length: (node.inputs.length - 2) / 3 }, (_, i) => {
        const from = scaling(3 + 3 * i);
        const values = Int8Array.from(x(2 + 3 * i) as Int8Array, (v) =>
          byte(
            even(Math.fround(Math.fround(from.scales[0]! * (v - from.zero)) / into.scales[0]!)) + into.zero,
          ),
        );
        return [values, of(2 + 3 * i)] as const;
      });
      return joined(parts, to, int('axis', 1));
    }
    case 'Transpose':
      return transposed(x(0), of(0), ints('perm', []));
    default:
      throw new Error(`the integer model does not know ${node.op}`);
  }
}

interface Window {
  readonly kernel: readonly [number, number];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  readonly pad: readonly number[];
}

/** One row of a height of 1 where there is one axis alone. */
function windowOf(
  kernel: readonly number[],
  ints: (name: string, standard: readonly number[]) => readonly number[],
): Window {
  const one = kernel.length === 1;
  const lead = (values: readonly number[], first: number) => (one ? [first, values[0]!] : values);
  const full = kernel.map(() => 1);
  return {
    kernel: lead(kernel, 1) as [number, number],
    stride: lead(ints('strides', full), 1),
    dilation: lead(ints('dilations', full), 1),
    pad: lead(
      ints(
        'pads',
        [...full, ...full].map(() => 0),
      ).slice(0, kernel.length),
      0,
    ),
  };
}

/** Batch, channels, height, width. */
function image(shape: readonly number[]): readonly [number, number, number, number] {
  return (shape.length === 3 ? [shape[0]!, shape[1]!, 1, shape[2]!] : shape) as [
    number,
    number,
    number,
    number,
  ];
}

interface ConvSizes {
  readonly x: readonly number[];
  readonly w: readonly number[];
  readonly y: readonly number[];
  readonly groups: number;
  readonly window: Window;
}

function convolved(
  x: Elements,
  w: Elements,
  bias: Elements | undefined,
  sizes: ConvSizes,
  qx: Scaling,
  qw: Scaling,
  qy: Scaling,
): Int8Array {
  const [, channels, height, width] = image(sizes.x);
  const [batch, filters, rows, columns] = image(sizes.y);
  const { kernel, stride, dilation, pad } = sizes.window;
  const inside = channels / sizes.groups;
  const share = filters / sizes.groups;
  const y = new Int8Array(batch * filters * rows * columns);
  let at = 0;
  for (let n = 0; n < batch; n++) {
    for (let f = 0; f < filters; f++) {
      const m = multiplier((qx.scales[0]! * (qw.scales[f] ?? qw.scales[0]!)) / qy.scales[0]!);
      const first = Math.floor(f / share) * inside;
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          let sum = bias?.[f] ?? 0;
          for (let r = 0; r < kernel[0]; r++) {
            const top = row * stride[0]! - pad[0]! + r * dilation[0]!;
            if (top < 0 || top >= height) continue;
            for (let k = 0; k < kernel[1]; k++) {
              const left = column * stride[1]! - pad[1]! + k * dilation[1]!;
              if (left < 0 || left >= width) continue;
              for (let c = 0; c < inside; c++) {
                const v = x[((n * channels + first + c) * height + top) * width + left]! - qx.zero;
                sum += v * w[((f * inside + c) * kernel[0] + r) * kernel[1] + k]!;
              }
            }
          }
          y[at++] = byte(requantised(sum, m) + qy.zero);
        }
      }
    }
  }
  return y;
}

function multiplied(
  a: Elements,
  b: Elements,
  bias: Elements | undefined,
  turned: boolean,
  shape: readonly number[],
  qa: Scaling,
  qb: Scaling,
  qy: Scaling,
): Int8Array {
  const [columns, depth] = turned ? [shape[0]!, shape[1]!] : [shape[1]!, shape[0]!];
  const y = new Int8Array((a.length / depth) * columns);
  for (let i = 0; i < y.length; i++) {
    const [row, column] = [Math.floor(i / columns), i % columns];
    let sum = bias?.[column] ?? 0;
    for (let k = 0; k < depth; k++) {
      sum += (a[row * depth + k]! - qa.zero) * b[turned ? column * depth + k : k * columns + column]!;
    }
    const m = multiplier((qa.scales[0]! * (qb.scales[column] ?? qb.scales[0]!)) / qy.scales[0]!);
    y[i] = byte(requantised(sum, m) + qy.zero);
  }
  return y;
}

/** Both operands times 2^20 by half of their share of the larger scale; the sum back again. */
function added(a: Elements, b: Elements, qa: Scaling, qb: Scaling, qy: Scaling): Int8Array {
  const twice = 2 * Math.max(qa.scales[0]!, qb.scales[0]!);
  const [left, right] = [qa, qb].map(({ scales }) => multiplier(scales[0]! / twice));
  const back = multiplier(twice / (2 ** 20 * qy.scales[0]!));
  return Int8Array.from(a as Int8Array, (v, i) => {
    const p = requantised((v - qa.zero) * 2 ** 20, left!);
    const q = requantised((b[i]! - qb.zero) * 2 ** 20, right!);
    return byte(requantised(p + q, back) + qy.zero);
  });
}

/** Averages over the pixels that are there, halves away from zero; zero points cancel out. */
function pooled(
  x: Elements,
  from: readonly number[],
  to: readonly number[],
  { kernel, stride, pad }: Window,
  average: boolean,
): Int8Array {
  const [, , height, width] = image(from);
  const [batch, channels, rows, columns] = image(to);
  const y = new Int8Array(batch * channels * rows * columns);
  for (let i = 0; i < y.length; i++) {
    const [plane, row, column] = [
      Math.floor(i / (rows * columns)),
      Math.floor(i / columns) % rows,
      i % columns,
    ];
    const seen: number[] = [];
    for (let r = 0; r < kernel[0]; r++) {
      for (let k = 0; k < kernel[1]; k++) {
        const [top, left] = [row * stride[0]! - pad[0]! + r, column * stride[1]! - pad[1]! + k];
        if (top >= 0 && top < height && left >= 0 && left < width)
          seen.push(x[(plane * height + top) * width + left]!);
      }
    }
    const sum = seen.reduce((p, q) => p + q, 0);
    const half = Math.floor(seen.length / 2);
    y[i] = average ? Math.trunc((sum > 0 ? sum + half : sum - half) / seen.length) : Math.max(...seen);
  }
  return y;
}

function joined(
  parts: readonly (readonly [Elements, readonly number[]])[],
  to: readonly number[],
  axis: number,
): Int8Array {
  const inner = (shape: readonly number[]) => shape.slice(axis).reduce((a, b) => a * b, 1);
  const y = new Int8Array(to.reduce((a, b) => a * b, 1));
  const outer = y.length / inner(to);
  let at = 0;
  for (let i = 0; i < outer; i++) {
    for (const [values, shape] of parts) {
      const size = inner(shape);
      for (let k = 0; k < size; k++) y[at++] = values[i * size + k]!;
    }
  }
  return y;
}

/** Element `[i, j, ...]` of the result is element `perm` of it of the source. */
export function transposed(x: Elements, shape: readonly number[], perm: readonly number[]): Int8Array {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  return Int8Array.from({ length: x.length }, (_, i) => {
    let [rest, at] = [i, 0];
    for (const axis of perm.toReversed()) {
      at += (rest % shape[axis]!) * strides[axis]!;
      rest = Math.floor(rest / shape[axis]!);
    }
    return x[at]!;
  });
}

// ---- The arithmetic ----

function byte(value: number): number {
  return Math.min(Math.max(value, -128), 127);
}

function even(value: number): number {
  const near = Math.round(value);
  return Math.abs(value % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near;
}

interface Factor {
  readonly mantissa: bigint;
  readonly shift: number;
}

const factors = new Map<number, Factor>();

/** The 31 highest bits of a double, halves up. */
function multiplier(value: number): Factor {
  const known = factors.get(value);
  if (known !== undefined) return known;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = Number((raw >> 52n) & 0x7ffn) - 1022;
  const significand = (raw & 0xfffffffffffffn) | 0x10000000000000n; // 53 bits
  let mantissa = (significand + (1n << 21n)) >> 22n;
  let shift = exponent;
  if (mantissa === 1n << 31n) {
    mantissa >>= 1n;
    shift++;
  }
  const found = shift < -31 ? { mantissa: 0n, shift: 0 } : { mantissa, shift };
  factors.set(value, found);
  return found;
}

function requantised(value: number, { mantissa, shift }: Factor): number {
  const wide = BigInt(value) << BigInt(Math.max(shift, 0));
  const high = (wide * mantissa + (1n << 30n)) >> 31n;
  return Number(away(high, Math.max(-shift, 0)));
}

/** value / 2^bits, halves away from zero. */
function away(value: bigint, bits: number): bigint {
  if (bits === 0) return value;
  const half = 1n << BigInt(bits - 1);
  return value < 0n ? -((-value + half) >> BigInt(bits)) : (value + half) >> BigInt(bits);
}

function times(a: bigint, b: bigint): bigint {
  return away(a * b, 31);
}

/** Softmax over the channels of images, the last axis of rows: fixed-point powers of e, results in 256ths. */
function shares(x: Elements, shape: readonly number[], scale: number): Int8Array {
  const pixels = shape.length < 3 ? 1 : shape.slice(2).reduce((a, b) => a * b, 1);
  const size = shape.length < 3 ? shape.at(-1)! : shape[1]!;
  const factor = multiplier(Math.min(scale * 2 ** 26, 2 ** 31 - 1));
  const least = -Math.floor((31 * 2 ** 26) / 2 ** factor.shift);
  const y = new Int8Array(x.length);
  for (let group = 0; group < x.length / size; group++) {
    const first = Math.floor(group / pixels) * size * pixels + (group % pixels);
    const places = Array.from({ length: size }, (_, i) => first + i * pixels);
    const most = places.reduce((found, at) => Math.max(found, x[at]!), -128);
    const power = (at: number): bigint | undefined => {
      const distance = x[at]! - most;
      return distance < least
        ? undefined
        : exponential(times(BigInt(distance) << BigInt(factor.shift), factor.mantissa));
    };
    const sum = places.reduce((total, at) => total + away(power(at) ?? 0n, 12), 0n);
    const headroom = 32 - sum.toString(2).length;
    const inverse = reciprocal((sum << BigInt(headroom)) - (1n << 31n));
    for (const at of places) {
      const p = power(at);
      y[at] = p === undefined ? -128 : byte(Number(away(times(inverse, p), 35 - headroom)) - 128);
    }
  }
  return y;
}

/** e^a with 31 bits behind the point, for a of at most 0 with 26: around -1/8 by its series, the rest bit by bit. */
function exponential(a: bigint): bigint {
  if (a === 0n) return (1n << 31n) - 1n;
  const quarter = 1n << 24n;
  const part = BigInt.asUintN(24, a) - quarter;
  const x = (part << 5n) + (1n << 28n);
  const square = times(x, x);
  const third = 715827883n;
  const series = x + away(times(away(times(square, square), 2) + times(square, x), third) + square, 1);
  let result = EIGHTH + times(EIGHTH, series);
  for (const [i, factor] of POWERS.entries()) {
    if ((((part - a) >> BigInt(24 + i)) & 1n) === 1n) result = times(result, factor);
  }
  return result;
}

const fixed = (value: number): bigint => BigInt(Math.round(value * 2 ** 31));
const EIGHTH = fixed(Math.exp(-1 / 8));
const POWERS = [1 / 4, 1 / 2, 1, 2, 4, 8, 16].map((power) => fixed(Math.exp(-power)));

/** 1 / (1 + a) with 31 bits behind the point: three steps of Newton's method from 48/17 - 32/17 of half the sum. */
function reciprocal(a: bigint): bigint {
  const half = (a + (1n << 31n)) / 2n;
  const one = 1n << 29n;
  let x = fixed(48 / 17 / 4) + times(half, -fixed(32 / 17 / 4));
  for (let i = 0; i < 3; i++) x += times(x, one - times(half, x)) << 2n;
  return BigInt.asIntN(32, x * 2n > (1n << 31n) - 1n ? (1n << 31n) - 1n : x * 2n);
}
