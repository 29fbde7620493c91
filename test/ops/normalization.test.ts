import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts, typed } from '../support/op.ts';

const statistics = [float(3), float(3), float(3), float(3)];

const cases: readonly [string, NodeSketch, readonly string[]][] = [
  [
    'batch, inference',
    { op: 'BatchNormalization', inputs: [float(2, 3, 4), ...statistics] },
    ['float32[2,3,4]'],
  ],
  [
    'batch, training since 14',
    {
      op: 'BatchNormalization',
      inputs: [float(2, 3, 4), ...statistics],
      attributes: { training_mode: 1 },
      outputs: 3,
    },
    ['float32[2,3,4]', 'float32[3]', 'float32[3]'],
  ],
  [
    'batch, training before 14',
    { op: 'BatchNormalization', opset: 9, inputs: [float('N', 3, 4), ...statistics], outputs: 5 },
    ['float32[N,3,4]', 'float32[3]', 'float32[3]', 'float32[3]', 'float32[3]'],
  ],
  [
    'batch, half data and float statistics',
    { op: 'BatchNormalization', inputs: [typed('float16', 2, 3), ...statistics], outputs: 2 },
    ['float16[2,3]', 'float32[3]'],
  ],
  [
    'instance',
    { op: 'InstanceNormalization', inputs: [float(2, 3, 4), float(3), float(3)] },
    ['float32[2,3,4]'],
  ],
  [
    'group of 18 has scales per group',
    { op: 'GroupNormalization', opset: 18, inputs: [float(2, 4, 5), float(2), float(2)] },
    ['float32[2,4,5]'],
  ],
  [
    'layer',
    { op: 'LayerNormalization', inputs: [float(2, 3, 4), float(4)], outputs: 3 },
    ['float32[2,3,4]', 'float32[2,3,1]', 'float32[2,3,1]'],
  ],
  [
    'layer from axis 1, statistics in float32',
    {
      op: 'LayerNormalization',
      inputs: [typed('float16', 2, 3, 4), typed('float16', 3, 4)],
      attributes: { axis: -2 },
      outputs: 2,
    },
    ['float16[2,3,4]', 'float32[2,1,1]'],
  ],
  ['root mean square', { op: 'RMSNormalization', inputs: [float(2, 3), float(3)] }, ['float32[2,3]']],
  ['LRN', { op: 'LRN', inputs: [float(2, 3, 4, 4)], attributes: { size: 3 } }, ['float32[2,3,4,4]']],
  ['Lp', { op: 'LpNormalization', inputs: [float(2, 3)] }, ['float32[2,3]']],
  [
    'mean and variance',
    { op: 'MeanVarianceNormalization', inputs: [float(2, 3, 1, 1)] },
    ['float32[2,3,1,1]'],
  ],
  ['softmax', { op: 'Softmax', inputs: [float('N', 10)] }, ['float32[N,10]']],
  [
    'log softmax of 11',
    { op: 'LogSoftmax', opset: 11, inputs: [float(2, 3, 4)], attributes: { axis: -1 } },
    ['float32[2,3,4]'],
  ],
  ['hardmax', { op: 'Hardmax', inputs: [float(4)] }, ['float32[4]']],
  ['PRelu', { op: 'PRelu', inputs: [float(2, 3, 4), float(3, 1)] }, ['float32[2,3,4]']],
  [
    'PRelu of 6 has slopes per channel',
    { op: 'PRelu', opset: 6, inputs: [float(2, 3, 4), float(3)] },
    ['float32[2,3,4]'],
  ],
  [
    'PRelu that stretches its data, as in onnxruntime',
    { op: 'PRelu', inputs: [float(3), float(2, 3)] },
    ['float32[2,3]'],
  ],
  ['SwiGLU', { op: 'SwiGLU', inputs: [float('N', 8), float(2, 8)] }, ['float32[2,8]']],
];

describe('shapes', () => {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected);
  });
});

it('refuses scales that do not fit the channels, and axes outside', () => {
  const wrong = [float(4), float(3), float(3), float(3)];
  expect(() => texts({ op: 'BatchNormalization', inputs: [float(2, 3, 4), ...wrong] })).toThrow(
    /4 scales for 3/,
  );
  expect(() => texts({ op: 'Softmax', inputs: [float(2, 3)], attributes: { axis: 2 } })).toThrow(/axis 2/);
  expect(() =>
    texts({ op: 'LayerNormalization', inputs: [float(2), float(2)], attributes: { axis: 1 } }),
  ).toThrow(/axis 1/);
  const strange = { stash_type: 99 };
  expect(() =>
    texts({ op: 'LayerNormalization', inputs: [float(2), float(2)], attributes: strange }),
  ).toThrow(/99/);
});
