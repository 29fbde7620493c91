/** Layers in float32, NCHW: each adds nodes to a model and returns the tensor it computes. */
import { count, type ModelWriter, type Value } from './writer.ts';

export type Pair = number | readonly [height: number, width: number];

export interface ConvOptions {
  readonly channels: number;
  readonly kernel: Pair;
  readonly stride?: Pair;
  readonly groups?: number;
  /** `same` (the default): outputs of ceil(size / stride), uneven padding at the end; or pixels on every side. */
  readonly pad?: 'same' | number;
  /** A bias is what remains of a folded BatchNormalization. */
  readonly bias?: boolean;
  /** What the weights are named after; default: the node. */
  readonly weights?: string;
}

export type Activation = (m: ModelWriter, name: string, x: Value) => Value;

/** The three numbers of one spatial axis. */
interface Window {
  readonly out: number;
  readonly begin: number;
  readonly end: number;
}

export function pairOf(value: Pair): readonly [number, number] {
  return typeof value === 'number' ? [value, value] : value;
}

function windowOf(size: number, kernel: number, stride: number, pad: 'same' | number): Window {
  if (pad !== 'same') {
    return { out: Math.floor((size + 2 * pad - kernel) / stride) + 1, begin: pad, end: pad };
  }
  const out = Math.ceil(size / stride);
  const total = Math.max((out - 1) * stride + kernel - size, 0);
  return { out, begin: Math.floor(total / 2), end: Math.ceil(total / 2) };
}

/** Output height and width, and the attributes that Conv and the pools share. */
export function spatial(x: Value, kernel: Pair, stride: Pair, pad: 'same' | number) {
  const [kh, kw] = pairOf(kernel);
  const [sh, sw] = pairOf(stride);
  const h = windowOf(x.shape[2]!, kh, sh, pad);
  const w = windowOf(x.shape[3]!, kw, sw, pad);
  return {
    size: [h.out, w.out] as const,
    attributes: { kernel_shape: [kh, kw], strides: [sh, sw], pads: [h.begin, w.begin, h.end, w.end] },
  };
}

/** Keeps activations near 1 through many layers (He et al., 2015). */
export function heLimit(fanIn: number): number {
  return Math.sqrt(6 / fanIn);
}

export function conv(m: ModelWriter, name: string, x: Value, options: ConvOptions): Value {
  const { channels, kernel, stride = 1, groups = 1, pad = 'same', bias = true, weights = name } = options;
  const [n, inChannels] = x.shape as [number, number];
  const { size, attributes } = spatial(x, kernel, stride, pad);
  const shape = [channels, inChannels / groups, ...pairOf(kernel)];
  const weight = m.weight(`${weights}_weight`, shape, heLimit(count(shape.slice(1))));
  const inputs = bias ? [x, weight, m.weight(`${weights}_bias`, [channels], 0.1)] : [x, weight];
  const output = { type: x.type, shape: [n, channels, ...size] };
  return m.node('Conv', name, inputs, output, { group: groups, ...attributes });
}

/** A convolution of each channel by itself. */
export function depthwise(
  m: ModelWriter,
  name: string,
  x: Value,
  options: Omit<ConvOptions, 'channels' | 'groups'>,
) {
  return conv(m, name, x, { ...options, channels: x.shape[1]!, groups: x.shape[1]! });
}

export function batchNormalization(m: ModelWriter, name: string, x: Value): Value {
  const channels = [x.shape[1]!];
  const ones = Array.from({ length: channels[0]! }, () => 1);
  const inputs = [
    x,
    m.constant(`${name}_scale`, 'float32', channels, ones),
    m.weight(`${name}_bias`, channels, 0.1),
    m.weight(`${name}_mean`, channels, 0.1),
    m.constant(`${name}_variance`, 'float32', channels, ones),
  ];
  return m.node('BatchNormalization', name, inputs, x);
}

export function relu(m: ModelWriter, name: string, x: Value): Value {
  return m.node('Relu', name, [x], x);
}

export function relu6(m: ModelWriter, name: string, x: Value): Value {
  const least = m.constant(`${name}_min`, 'float32', [], [0]);
  const most = m.constant(`${name}_max`, 'float32', [], [6]);
  return m.node('Clip', name, [x, least, most], x);
}

export function hardSigmoid(m: ModelWriter, name: string, x: Value): Value {
  return m.node('HardSigmoid', name, [x], x, { alpha: { float: 1 / 6 }, beta: { float: 0.5 } });
}

/** x * hardSigmoid(x): two nodes, as opset 13 has no operator for it. */
export function hardSwish(m: ModelWriter, name: string, x: Value): Value {
  return mul(m, name, x, hardSigmoid(m, `${name}_gate`, x));
}

/** x * sigmoid(x). */
export function silu(m: ModelWriter, name: string, x: Value): Value {
  return mul(m, name, x, m.node('Sigmoid', `${name}_gate`, [x], x));
}

export function add(m: ModelWriter, name: string, a: Value, b: Value): Value {
  return m.node('Add', name, [a, b], a);
}

export function mul(m: ModelWriter, name: string, a: Value, b: Value): Value {
  return m.node('Mul', name, [a, b], a);
}

/** Along the channels. */
export function concat(m: ModelWriter, name: string, parts: readonly Value[]): Value {
  const [first] = parts as [Value];
  const channels = parts.reduce((sum, part) => sum + part.shape[1]!, 0);
  const shape = [first.shape[0]!, channels, ...first.shape.slice(2)];
  return m.node('Concat', name, parts, { type: first.type, shape }, { axis: 1 });
}

export function maxPool(m: ModelWriter, name: string, x: Value, kernel: number, stride: number): Value {
  const { size, attributes } = spatial(x, kernel, stride, Math.floor(kernel / 2));
  return m.node('MaxPool', name, [x], { type: x.type, shape: [...x.shape.slice(0, 2), ...size] }, attributes);
}

export function globalAveragePool(m: ModelWriter, name: string, x: Value): Value {
  return m.node('GlobalAveragePool', name, [x], { type: x.type, shape: [...x.shape.slice(0, 2), 1, 1] });
}

/** Each pixel twice in both directions. */
export function upsample(m: ModelWriter, name: string, x: Value): Value {
  const [n, c, h, w] = x.shape as [number, number, number, number];
  const none = m.constant(`${name}_roi`, 'float32', [0], []);
  const scales = m.constant(`${name}_scales`, 'float32', [4], [1, 1, 2, 2]);
  const output = { type: x.type, shape: [n, c, h * 2, w * 2] };
  const attributes = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
  return m.node('Resize', name, [x, none, scales], output, attributes);
}

export function flatten(m: ModelWriter, name: string, x: Value): Value {
  return m.node('Flatten', name, [x], { type: x.type, shape: [x.shape[0]!, count(x.shape.slice(1))] });
}

/** `gain` widens the weights: untrained logits lie so close together that a softmax over many classes is flat. */
export function dense(m: ModelWriter, name: string, x: Value, units: number, gain = 1): Value {
  const [n, features] = x.shape as [number, number];
  const weight = m.weight(`${name}_weight`, [units, features], gain * heLimit(features));
  const bias = m.weight(`${name}_bias`, [units], 0.1);
  return m.node('Gemm', name, [x, weight, bias], { type: x.type, shape: [n, units] }, { transB: 1 });
}

export function softmax(m: ModelWriter, name: string, x: Value): Value {
  return m.node('Softmax', name, [x], x);
}

/** How a convolution is followed up: its normalisation folded in, or as a step of its own. */
export interface BlockOptions extends Omit<ConvOptions, 'bias' | 'weights'> {
  readonly activation?: Activation | undefined;
  readonly foldNormalization: boolean;
}

/** Convolution, normalisation, activation: `name` is the last of them. */
export function block(m: ModelWriter, name: string, x: Value, options: BlockOptions): Value {
  const { activation, foldNormalization, ...convolution } = options;
  const names = [
    `${name}_conv`,
    ...(foldNormalization ? [] : [`${name}_bn`]),
    ...(activation ? [`${name}_act`] : []),
  ];
  names[names.length - 1] = name;
  const named = names.values();
  const next = () => named.next().value!;
  let y = conv(m, next(), x, { ...convolution, bias: foldNormalization, weights: name });
  if (!foldNormalization) y = batchNormalization(m, next(), y);
  return activation === undefined ? y : activation(m, next(), y);
}
