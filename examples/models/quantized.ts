/** Layers in int8: what a post-training quantiser makes of the float layers, from the same seeded weights. */
import { type ConvOptions, heLimit, pairOf, spatial } from './layers.ts';
import { seedOf, uniform } from './random.ts';
import { count, type ModelWriter, type Value } from './writer.ts';

/** real = scale * (quantised - zeroPoint) */
export interface Quantization {
  readonly scale: number;
  readonly zeroPoint: number;
}

export interface QuantizedValue extends Value {
  readonly quantization: Quantization;
}

const LEAST = -128;
const MOST = 127;

/** [-1, 1): images and spectra, normalised. */
export const SIGNED_UNIT: Quantization = { scale: 1 / 128, zeroPoint: 0 };

/** [0, 1): the result of a softmax. */
export const UNIT: Quantization = { scale: 1 / 256, zeroPoint: LEAST };

/** [0, 6]: the limits of the type are the clamp of a ReLU6. */
export const RELU6: Quantization = { scale: 6 / 255, zeroPoint: LEAST };

/** About [-8, 8]: scores before a softmax. */
export const LOGITS: Quantization = { scale: 1 / 16, zeroPoint: 0 };

export function quantizedInput(
  m: ModelWriter,
  name: string,
  shape: readonly number[],
  quantization: Quantization,
): QuantizedValue {
  return withParameters(m, m.input(name, 'int8', shape), quantization);
}

export interface QuantizedConvOptions extends Omit<ConvOptions, 'bias' | 'weights'> {
  readonly quantization: Quantization;
  /** Widens the weights, as in `dense`. */
  readonly gain?: number;
}

/** A convolution with one scale per output channel and an int32 bias. A ReLU is the clamp of the output's type. */
export function quantizedConv(
  m: ModelWriter,
  name: string,
  x: QuantizedValue,
  options: QuantizedConvOptions,
): QuantizedValue {
  const { channels, kernel, groups = 1, gain = 1 } = options;
  const shape = [channels, x.shape[1]! / groups, ...pairOf(kernel)];
  const perChannel = count(shape.slice(1));
  const weight = uniform(seedOf(`${name}_weight`), count(shape), gain * heLimit(perChannel));
  const bias = uniform(seedOf(`${name}_bias`), channels, 0.1);
  const scales = Array.from({ length: channels }, (_, c) => {
    const largest = weight
      .subarray(c * perChannel, (c + 1) * perChannel)
      .reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    return Math.fround(largest / MOST);
  });
  const weights = {
    values: Array.from(weight, (w, i) => Math.round(w / scales[Math.floor(i / perChannel)]!)),
    bias: Array.from(bias, (b, c) => Math.round(b / (x.quantization.scale * scales[c]!))),
    scales,
  };
  return convolve(m, name, x, shape, weights, options);
}

export function quantizedDepthwise(
  m: ModelWriter,
  name: string,
  x: QuantizedValue,
  options: Omit<QuantizedConvOptions, 'channels' | 'groups'>,
): QuantizedValue {
  return quantizedConv(m, name, x, { ...options, channels: x.shape[1]!, groups: x.shape[1]! });
}

/**
 * The average over all pixels as a depthwise convolution with equal weights: the standard has no pool for int8,
 * and a pool in float32 would need four times the bytes at that step.
 */
export function quantizedAverage(m: ModelWriter, name: string, x: QuantizedValue): QuantizedValue {
  const [, channels, height, width] = x.shape as [number, number, number, number];
  const shape = [channels, 1, height, width];
  const weights = {
    values: Array.from({ length: count(shape) }, () => MOST),
    bias: Array.from({ length: channels }, () => 0),
    scales: Array.from({ length: channels }, () => 1 / (MOST * height * width)),
  };
  const kernel = [height, width] as const;
  const options = { channels, kernel, groups: channels, pad: 0, quantization: x.quantization };
  return convolve(m, name, x, shape, weights, options);
}

interface QuantizedWeights {
  readonly values: readonly number[];
  readonly bias: readonly number[];
  readonly scales: readonly number[];
}

function convolve(
  m: ModelWriter,
  name: string,
  x: QuantizedValue,
  shape: readonly number[],
  weights: QuantizedWeights,
  { channels, kernel, stride = 1, groups = 1, pad = 'same', quantization }: QuantizedConvOptions,
): QuantizedValue {
  const { size, attributes } = spatial(x, kernel, stride, pad);
  const y = { name, type: 'int8', shape: [x.shape[0]!, channels, ...size] } as const;
  const zeros = Array.from({ length: channels }, () => 0);
  const inputs = [
    x,
    ...parametersOf(m, x),
    m.constant(`${name}_weight`, 'int8', shape, weights.values),
    m.constant(`${name}_weight_scale`, 'float32', [channels], weights.scales),
    m.constant(`${name}_weight_zero_point`, 'int8', [channels], zeros),
    ...newParameters(m, name, quantization),
    m.constant(`${name}_bias`, 'int32', [channels], weights.bias),
  ];
  m.node('QLinearConv', name, inputs, y, { group: groups, ...attributes });
  return { ...y, quantization };
}

export function flattenQuantized(m: ModelWriter, name: string, x: QuantizedValue): QuantizedValue {
  const shape = [x.shape[0]!, count(x.shape.slice(1))];
  const y = m.node('Flatten', name, [x], { type: x.type, shape });
  return withParameters(m, y, x.quantization);
}

/** Softmax in float32 between int8 tensors. */
export function quantizedSoftmax(m: ModelWriter, name: string, x: QuantizedValue): QuantizedValue {
  const real = m.node('DequantizeLinear', `${name}_in`, [x, ...parametersOf(m, x)], {
    ...x,
    type: 'float32',
  });
  const softmax = m.node('Softmax', `${name}_float`, [real], real);
  const parameters = newParameters(m, name, UNIT);
  const y = m.node('QuantizeLinear', name, [softmax, ...parameters], { ...x, type: 'int8' });
  return { ...y, quantization: UNIT };
}

function withParameters(m: ModelWriter, value: Value, quantization: Quantization): QuantizedValue {
  newParameters(m, value.name, quantization);
  return { ...value, quantization };
}

function newParameters(m: ModelWriter, of: string, { scale, zeroPoint }: Quantization): [Value, Value] {
  return [
    m.constant(`${of}_scale`, 'float32', [], [scale]),
    m.constant(`${of}_zero_point`, 'int8', [], [zeroPoint]),
  ];
}

function parametersOf(m: ModelWriter, value: Value): [Value, Value] {
  return [m.constants.get(`${value.name}_scale`)!, m.constants.get(`${value.name}_zero_point`)!];
}
