/** Random nodes on quantised tensors, of signals, and of onnxruntime's own domain. */
import { data, floats, list, type Made, type Maker, type Makers, scalar } from './chance.ts';

const scale = scalar('float32', 0.5);
const zero = scalar('uint8', 3);
const pair = [scale, zero] as const;

const qlinearConv: Maker = (g) => {
  const x = data('uint8', g.int(1, 2), 2, g.int(3, 7), g.int(3, 7));
  const w = data('uint8', g.int(1, 3), 2, g.int(1, 3), g.int(1, 3));
  return {
    op: 'QLinearConv',
    operands: [x, ...pair, w, ...pair, ...pair],
    attributes: { strides: g.ints(2, 1, 2) },
  };
};

const stft: Maker = (g) => {
  const frame = g.int(2, 8);
  const window = g.one(2) ? [floats(frame)] : [undefined, scalar('int64', frame)];
  return {
    op: 'STFT',
    operands: [floats(g.int(1, 2), g.int(8, 30), 1), scalar('int64', g.int(1, 5)), ...window],
    attributes: { onesided: g.int(0, 1) },
  };
};

const dft: Maker = (g) => {
  const x = floats(g.int(1, 2), g.int(2, 7), g.int(2, 7), 1);
  const axis = g.int(1, 2);
  const length = g.one(2) ? undefined : scalar('int64', g.int(2, 9));
  const attributes = { onesided: g.int(0, 1) };
  return g.opset < 20
    ? { op: 'DFT', operands: [x, length], attributes: { ...attributes, axis } }
    : { op: 'DFT', operands: [x, length, scalar('int64', axis)], attributes };
};

const microsoft =
  (maker: Maker): Maker =>
  (g, x) => {
    const made = maker(g, x);
    return made && { ...made, domain: 'com.microsoft' };
  };

const attention: Maker = (g) => {
  const num_heads = g.int(1, 3);
  const hidden = num_heads * g.int(1, 3);
  const [batch, length, width] = g.ints(3, 1, 4) as [number, number, number];
  return {
    op: 'Attention',
    operands: [floats(batch, length, width), floats(width, 3 * hidden), floats(3 * hidden)],
    attributes: { num_heads },
    outputs: g.int(1, 2),
  };
};

const multiHead: Maker = (g) => {
  const num_heads = g.int(1, 3);
  const [batch, length, keys, size] = g.ints(4, 1, 4) as [number, number, number, number];
  const key = floats(batch, keys, num_heads * size);
  return {
    op: 'MultiHeadAttention',
    operands: [floats(batch, length, num_heads * size), key, key],
    attributes: { num_heads },
    outputs: g.pick(1, 3),
  };
};

const sameShape =
  (op: string, withBias: boolean): Maker =>
  (_, x) =>
    x.length === 0
      ? undefined
      : ({ op, operands: withBias ? ['x', floats(x.at(-1)!)] : ['x'] } satisfies Made);

export const makers: Makers = {
  AffineGrid: [
    20,
    (g) => ({ op: 'AffineGrid', operands: [floats(2, 2, 3), list(2, 3, g.int(1, 4), g.int(1, 4))] }),
  ],
  Col2Im: [18, (g) => ({ op: 'Col2Im', operands: [floats(1, 5 * g.int(1, 2), 5), list(5, 5), list(1, 5)] })],
  ConvInteger: [
    10,
    (g) => ({
      op: 'ConvInteger',
      operands: [data('uint8', 1, 2, g.int(3, 7), 5), data('uint8', g.int(1, 3), 2, 3, 3)],
    }),
  ],
  DFT: [17, dft],
  DequantizeLinear: [
    10,
    (g) => ({ op: 'DequantizeLinear', operands: [data('uint8', ...g.ints(3, 1, 3)), ...pair] }),
  ],
  DynamicQuantizeLinear: [11, () => ({ op: 'DynamicQuantizeLinear', operands: ['x'], outputs: 3 })],
  HannWindow: [
    17,
    (g) => ({
      op: g.pick('HannWindow', 'HammingWindow', 'BlackmanWindow'),
      operands: [scalar('int64', g.int(1, 9))],
    }),
  ],
  MatMulInteger: [
    10,
    (g) => ({
      op: 'MatMulInteger',
      operands: [data('uint8', g.int(1, 3), 4), data('uint8', 4, g.int(1, 3))],
    }),
  ],
  QLinearConv: [10, qlinearConv],
  QLinearMatMul: [
    10,
    (g) => ({
      op: 'QLinearMatMul',
      operands: [data('uint8', 2, g.int(1, 3), 4), ...pair, data('uint8', 4, g.int(1, 3)), ...pair, ...pair],
    }),
  ],
  QuantizeLinear: [10, () => ({ op: 'QuantizeLinear', operands: ['x', ...pair] })],
  STFT: [17, stft],
  'ms:Attention': [13, microsoft(attention)],
  'ms:BiasGelu': [13, microsoft(sameShape('BiasGelu', true))],
  'ms:FastGelu': [13, microsoft(sameShape('FastGelu', true))],
  'ms:FusedMatMul': [
    13,
    microsoft((g, x) =>
      x.length < 2
        ? undefined
        : { op: 'FusedMatMul', operands: ['x', floats(x.at(-2)!, g.int(1, 3))], attributes: { transA: 1 } },
    ),
  ],
  'ms:Gelu': [13, microsoft(sameShape('Gelu', false))],
  'ms:MultiHeadAttention': [13, microsoft(multiHead)],
  'ms:QLinearAdd': [
    13,
    microsoft((g) => ({
      op: g.pick('QLinearAdd', 'QLinearMul'),
      operands: [data('uint8', 2, 3), ...pair, data('uint8', 3), ...pair, ...pair],
    })),
  ],
  'ms:QLinearAveragePool': [
    13,
    microsoft((g) => ({
      op: 'QLinearAveragePool',
      operands: [data('uint8', 1, 4, g.int(4, 8), 4), ...pair, ...pair],
      attributes: { kernel_shape: [2, 2], strides: g.ints(2, 1, 2), channels_last: g.int(0, 1) },
    })),
  ],
  'ms:SkipLayerNormalization': [
    13,
    microsoft((_, x) =>
      x.length === 3 && !x.includes(0)
        ? { op: 'SkipLayerNormalization', operands: ['x', floats(...x), floats(x[2]!)] }
        : undefined,
    ),
  ],
};
