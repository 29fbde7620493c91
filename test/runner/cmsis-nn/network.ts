/** A small int8 network in which every function of CMSIS-NN has a step, spelt in QLinear operators and in QDQ. */
import { type ModelSpec, node, tensor } from '../../support/onnx.ts';

const CHANNELS = 8;

const wave = (count: number, most: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Math.round(Math.sin(i * 12.9898 + count) * most));

const scalar = (name: string, scale: number, zero: number) => ({
  [`${name}_s`]: tensor('float32', [], [scale]),
  [`${name}_z`]: tensor('int8', [], [zero]),
});

/** Weights with a scale for each of their first axis, and a bias. */
const weights = (name: string, shape: readonly number[]) => ({
  [name]: tensor(
    'int8',
    shape,
    wave(
      shape.reduce((a, b) => a * b, 1),
      120,
    ),
  ),
  [`${name}_s`]: tensor(
    'float32',
    [shape[0]!],
    Array.from({ length: shape[0]! }, (_, i) => 0.004 + i * 0.0005),
  ),
  [`${name}_z`]: tensor('int8', [shape[0]!], new Array<number>(shape[0]!).fill(0)),
  [`${name}_b`]: tensor('int32', [shape[0]!], wave(shape[0]!, 500)),
});

const q = (name: string) => [name, `${name}_s`, `${name}_z`];
const to = (name: string) => [`${name}_s`, `${name}_z`];
const conv = (x: string, w: string, y: string, attributes: Parameters<typeof node>[3]) =>
  node('QLinearConv', [...q(x), ...q(w), ...to(y), `${w}_b`], [y], attributes, { name: y });
const ms = (op: string, inputs: readonly string[], y: string, attributes: Parameters<typeof node>[3] = {}) =>
  node(op, inputs, [y], attributes, { name: y, domain: 'com.microsoft' });

/** x -> conv -> + x -> depthwise -> max pool -> x its own gate -> average -> dense -> softmax. */
export const NETWORK: ModelSpec = {
  opset: { '': 13, 'com.microsoft': 1 },
  inputs: { x: ['int8', [1, CHANNELS, 10, 9]] },
  outputs: ['y'],
  initializers: {
    ...scalar('x', 0.02, 3),
    ...scalar('a', 0.05, -10),
    ...scalar('s', 0.06, 5),
    ...scalar('d', 0.05, -128),
    ...scalar('p', 0.05, -128),
    ...scalar('g', 1 / 256, -128),
    ...scalar('m', 0.03, -20),
    ...scalar('c', 0.03, -20),
    ...scalar('l', 0.1, 0),
    ...scalar('y', 1 / 256, -128),
    ...weights('wa', [CHANNELS, CHANNELS, 3, 3]),
    ...weights('wd', [CHANNELS, 1, 3, 3]),
    ...weights('wl', [6, CHANNELS]),
    flat: tensor('int64', [2], [1, CHANNELS]),
  },
  nodes: [
    conv('x', 'wa', 'a', { pads: [1, 1, 1, 1] }),
    ms('QLinearAdd', [...q('a'), ...q('x'), ...to('s')], 's'),
    conv('s', 'wd', 'd', { pads: [1, 1, 1, 1], group: CHANNELS }),
    node('MaxPool', ['d'], ['p'], { kernel_shape: [2, 2], strides: [2, 2] }, { name: 'p' }),
    ms('QLinearSigmoid', [...q('p'), ...to('g')], 'g'),
    ms('QLinearMul', [...q('p'), ...q('g'), ...to('m')], 'm'),
    ms('QLinearGlobalAveragePool', [...q('m'), ...to('c')], 'c'),
    node('Reshape', ['c', 'flat'], ['f'], {}, { name: 'f' }),
    ms('QGemm', ['f', ...to('c'), ...q('wl'), 'wl_b', ...to('l')], 'l', { transB: 1 }),
    ms('QLinearSoftmax', [...q('l'), ...to('y')], 'y', { axis: 1, opset: 13 }),
  ],
};

const dq = (name: string, axis?: number) =>
  node('DequantizeLinear', q(name), [`${name}_f`], axis === undefined ? {} : { axis });
const quantize = (name: string) => node('QuantizeLinear', [`${name}_r`, ...to(name)], [name]);

/** The same in floats between DequantizeLinear and QuantizeLinear; its biases are floats, and a Relu stands behind `d`. */
export const TWIN: ModelSpec = {
  ...NETWORK,
  opset: 13,
  initializers: {
    ...NETWORK.initializers,
    ...floatBias('wa', 'x', CHANNELS),
    ...floatBias('wd', 's', CHANNELS),
    ...floatBias('wl', 'c', 6),
  },
  nodes: [
    ...[
      dq('x'),
      dq('wa', 0),
      node('Conv', ['x_f', 'wa_f', 'wa_r'], ['a_r'], { pads: [1, 1, 1, 1] }, { name: 'a' }),
    ],
    ...[quantize('a'), dq('a'), node('Add', ['a_f', 'x_f'], ['s_r'], {}, { name: 's' })],
    ...[quantize('s'), dq('s'), dq('wd', 0)],
    node('Conv', ['s_f', 'wd_f', 'wd_r'], ['d_c'], { pads: [1, 1, 1, 1], group: CHANNELS }, { name: 'd' }),
    ...[node('Relu', ['d_c'], ['d_r']), quantize('d'), dq('d')],
    node('MaxPool', ['d_f'], ['p_r'], { kernel_shape: [2, 2], strides: [2, 2] }, { name: 'p' }),
    ...[quantize('p'), dq('p'), node('Sigmoid', ['p_f'], ['g_r'], {}, { name: 'g' })],
    ...[quantize('g'), dq('g'), node('Mul', ['p_f', 'g_f'], ['m_r'], {}, { name: 'm' })],
    ...[quantize('m'), dq('m'), node('GlobalAveragePool', ['m_f'], ['c_r'], {}, { name: 'c' })],
    ...[quantize('c'), dq('c'), node('Reshape', ['c_f', 'flat'], ['f_r'], {}, { name: 'f' })],
    node('QuantizeLinear', ['f_r', ...to('c')], ['f']),
    node('DequantizeLinear', ['f', ...to('c')], ['f_f']),
    ...[dq('wl', 0), node('Gemm', ['f_f', 'wl_f', 'wl_r'], ['l_r'], { transB: 1 }, { name: 'l' })],
    ...[quantize('l'), dq('l'), node('Softmax', ['l_f'], ['y_r'], { axis: 1 }, { name: 'y' }), quantize('y')],
  ],
};

/** What the int32 bias stands for. */
function floatBias(name: string, data: string, channels: number) {
  const scales: Readonly<Record<string, number>> = { x: 0.02, s: 0.06, c: 0.03 };
  const values = wave(channels, 500).map((v, i) => v * scales[data]! * (0.004 + i * 0.0005));
  return { [`${name}_r`]: tensor('float32', [channels], values) };
}
