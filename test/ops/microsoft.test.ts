import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/graph/types.ts';
import { float, type NodeSketch, run, scalar, texts, typed, vector } from '../support/op.ts';

const scale = scalar('float32', 0.5);
const zero = scalar('uint8', 3);
const bytes = (...shape: (number | string)[]): Fact => typed('uint8', ...shape);

type Case = readonly [string, Omit<NodeSketch, 'domain'>, readonly string[]];

/** Run in onnxruntime 1.30 unless symbols stand in them. */
function check(cases: readonly Case[]): void {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts({ ...sketch, domain: 'com.microsoft' })).toEqual(expected);
  });
}

describe('fused', () => {
  check([
    [
      'Conv',
      { op: 'FusedConv', inputs: [float(1, 3, 9, 9), float(4, 3, 3, 3)], attributes: { strides: [2, 2] } },
      ['float32[1,4,4,4]'],
    ],
    [
      'Gemm',
      { op: 'FusedGemm', inputs: [float(2, 3), float(5, 3)], attributes: { transB: 1 } },
      ['float32[2,5]'],
    ],
    [
      'MatMul',
      { op: 'FusedMatMul', inputs: [float(2, 3, 4), float(2, 3, 5)], attributes: { transA: 1 } },
      ['float32[2,4,5]'],
    ],
    [
      'MatMul, batch axes turned',
      {
        op: 'FusedMatMul',
        inputs: [float(3, 2, 4), float(2, 3, 5)],
        attributes: { transA: 1, transBatchA: 1 },
      },
      ['float32[2,4,5]'],
    ],
    [
      'MatMul of a vector, which stays',
      { op: 'FusedMatMul', inputs: [float(3), float(3, 5)], attributes: { transA: 1 } },
      ['float32[5]'],
    ],
    [
      'MatMul, old name',
      { op: 'TransposeMatMul', inputs: [float(2, 3), float(5, 3)], attributes: { transB: 1 } },
      ['float32[2,5]'],
    ],
    ['Gelu', { op: 'BiasGelu', inputs: [float('N', 3, 4), float(4)] }, ['float32[N,3,4]']],
    [
      'MatMul of 4 bits',
      {
        op: 'MatMulNBits',
        inputs: [float('N', 3, 32), bytes(5, 2, 8), float(10)],
        attributes: { K: 32, N: 5 },
      },
      ['float32[N,3,5]'],
    ],
    [
      'skip and normalisation',
      { op: 'SkipLayerNormalization', inputs: [float(2, 3, 4), float(2, 3, 4), float(4)], outputs: 4 },
      ['float32[2,3,4]', 'float32[2,3,1]', 'float32[2,3,1]', 'float32[2,3,4]'],
    ],
    [
      'embedding',
      {
        op: 'EmbedLayerNormalization',
        inputs: [typed('int32', 2, 3), undefined, float(6, 4), float(5, 4), undefined, float(4), float(4)],
        outputs: 3,
      },
      ['float32[2,3,4]', 'int32[2]', 'float32[2,3,4]'],
    ],
    [
      'convolution, channels last',
      { op: 'NhwcFusedConv', inputs: [typed('float16', 1, 9, 9, 3), typed('float16', 4, 3, 3, 3)] },
      ['float16[1,7,7,4]'],
    ],
  ]);
});

describe('attention', () => {
  const merged = [float(2, 3, 4), float(4, 24), float(24)];
  check([
    ['merged weights', { op: 'Attention', inputs: merged, attributes: { num_heads: 2 } }, ['float32[2,3,8]']],
    [
      'merged weights with a past of 5',
      {
        op: 'Attention',
        inputs: [...merged, undefined, float(2, 2, 2, 5, 4)],
        attributes: { num_heads: 2 },
        outputs: 2,
      },
      ['float32[2,3,8]', 'float32[2,2,2,8,4]'],
    ],
    [
      'merged weights, narrower values',
      {
        op: 'Attention',
        inputs: [float(2, 3, 4), float(4, 22)],
        attributes: { num_heads: 2, qkv_hidden_sizes: [8, 8, 6] },
      },
      ['float32[2,3,6]'],
    ],
    [
      'heads with a past of 7',
      {
        op: 'MultiHeadAttention',
        inputs: [
          float(2, 3, 8),
          float(2, 5, 8),
          float(2, 5, 6),
          undefined,
          undefined,
          undefined,
          float(2, 2, 7, 4),
          float(2, 2, 7, 3),
        ],
        attributes: { num_heads: 2 },
        outputs: 3,
      },
      ['float32[2,3,6]', 'float32[2,2,12,4]', 'float32[2,2,12,3]'],
    ],
    [
      'heads packed with the query',
      { op: 'MultiHeadAttention', inputs: [float(2, 3, 2, 3, 4)], attributes: { num_heads: 2 } },
      ['float32[2,3,8]'],
    ],
    [
      'groups: the cache is as long as the longer of past 7 and total 6',
      {
        op: 'GroupQueryAttention',
        inputs: [
          float(2, 1, 32),
          float(2, 1, 16),
          float(2, 1, 16),
          float(2, 2, 7, 8),
          float(2, 2, 7, 8),
          typed('int32', 2),
          vector('int32', 6),
        ],
        attributes: { num_heads: 4, kv_num_heads: 2 },
        outputs: 3,
      },
      ['float32[2,1,32]', 'float32[2,2,7,8]', 'float32[2,2,7,8]'],
    ],
    [
      'groups packed with the query: (4 + 2 * 2) heads of 8',
      {
        op: 'GroupQueryAttention',
        inputs: [
          float(2, 3, 64),
          undefined,
          undefined,
          undefined,
          undefined,
          typed('int32', 2),
          vector('int32', 3),
        ],
        attributes: { num_heads: 4, kv_num_heads: 2 },
        outputs: 2,
      },
      ['float32[2,3,32]', 'float32[2,2,3,8]'],
    ],
    [
      'quantised',
      {
        op: 'QAttention',
        inputs: [bytes(2, 3, 4), bytes(4, 24), float(24), scale, scale],
        attributes: { num_heads: 2 },
        outputs: 2,
      },
      ['float32[2,3,8]', 'float32[2,2,2,3,4]'],
    ],
  ]);

  it('plans the cache for past and new keys where the total is only known at run time, and says so', () => {
    const { facts, notes } = run({
      op: 'GroupQueryAttention',
      domain: 'com.microsoft',
      inputs: [
        float(2, 1, 32),
        float(2, 1, 16),
        float(2, 1, 16),
        float(2, 2, 7, 8),
        float(2, 2, 7, 8),
        typed('int32', 2),
        typed('int32', 1),
      ],
      attributes: { num_heads: 4, kv_num_heads: 2 },
      outputs: 3,
    });
    expect(facts[1]?.shape).toEqual([2, 2, 8, 8]);
    expect(notes).toHaveLength(1);
  });
});

describe('quantised', () => {
  const pair = [scale, zero];
  check([
    [
      'sum that broadcasts',
      { op: 'QLinearAdd', inputs: [bytes('N', 3), ...pair, bytes(3), ...pair, ...pair] },
      ['uint8[N,3]'],
    ],
    [
      'sigmoid',
      { op: 'QLinearSigmoid', inputs: [typed('int8', 2, 3), scale, undefined, scale] },
      ['int8[2,3]'],
    ],
    ['softmax', { op: 'QLinearSoftmax', inputs: [bytes(2, 3), ...pair, ...pair] }, ['uint8[2,3]']],
    [
      'average pool',
      {
        op: 'QLinearAveragePool',
        inputs: [bytes(1, 3, 8, 8), ...pair, ...pair],
        attributes: { kernel_shape: [2, 2], strides: [2, 2] },
      },
      ['uint8[1,3,4,4]'],
    ],
    [
      'average pool, channels last',
      {
        op: 'QLinearAveragePool',
        inputs: [bytes(1, 8, 6, 3), ...pair, ...pair],
        attributes: { kernel_shape: [2, 2], strides: [2, 2], channels_last: 1 },
      },
      ['uint8[1,4,3,3]'],
    ],
    [
      'global average pool, channels last',
      {
        op: 'QLinearGlobalAveragePool',
        inputs: [bytes(1, 8, 8, 3), ...pair, ...pair],
        attributes: { channels_last: 1 },
      },
      ['uint8[1,1,1,3]'],
    ],
    [
      'max pool, channels last',
      { op: 'NhwcMaxPool', inputs: [bytes(1, 8, 6, 3)], attributes: { kernel_shape: [2, 2] } },
      ['uint8[1,7,5,3]'],
    ],
    [
      'concat',
      {
        op: 'QLinearConcat',
        inputs: [...pair, bytes(1, 3), ...pair, bytes(1, 4), ...pair],
        attributes: { axis: 1 },
      },
      ['uint8[1,7]'],
    ],
    [
      'mean',
      {
        op: 'QLinearReduceMean',
        inputs: [bytes(1, 3, 4), ...pair, ...pair],
        attributes: { axes: [1], keepdims: 0 },
      },
      ['uint8[1,4]'],
    ],
    [
      'choice',
      { op: 'QLinearWhere', inputs: [typed('bool', 3), bytes(2, 3), ...pair, bytes(3), ...pair, ...pair] },
      ['uint8[2,3]'],
    ],
    [
      'Gemm',
      {
        op: 'QGemm',
        inputs: [bytes(2, 3), ...pair, bytes(5, 3), ...pair, typed('int32', 5), ...pair],
        attributes: { transB: 1 },
      },
      ['uint8[2,5]'],
    ],
    [
      'Gemm that stays float',
      { op: 'QGemm', inputs: [bytes(2, 3), ...pair, bytes(3, 5), ...pair] },
      ['float32[2,5]'],
    ],
    [
      'convolution, channels last',
      {
        op: 'QLinearConv',
        inputs: [bytes(1, 9, 7, 3), ...pair, bytes(4, 3, 3, 3), ...pair, ...pair],
        attributes: { channels_last: 1 },
      },
      ['uint8[1,7,5,4]'],
    ],
    [
      'product of 16 bits',
      { op: 'MatMulInteger16', inputs: [typed('int16', 2, 3), typed('int16', 3, 4)] },
      ['int32[2,4]'],
    ],
    [
      'product to float',
      { op: 'MatMulIntegerToFloat', inputs: [bytes(2, 3), bytes(3, 4), scale, scale] },
      ['float32[2,4]'],
    ],
    [
      'product, quantised on the way',
      { op: 'DynamicQuantizeMatMul', inputs: [float(2, 3), typed('int8', 3, 4), scale] },
      ['float32[2,4]'],
    ],
  ]);

  it('hand on the scale and zero point of their output', () => {
    const inputs = [bytes(3), ...pair, bytes(3), ...pair, scalar('float32', 0.25), scalar('uint8', 9)];
    const [output] = run({ op: 'QLinearMul', domain: 'com.microsoft', inputs }).facts;
    expect(output?.quant).toEqual({ scale: [0.25], zeroPoint: [9], axis: null });
  });
});

describe('others', () => {
  check([
    [
      'crops',
      {
        op: 'CropAndResize',
        inputs: [float(2, 3, 8, 8), float('n', 4), typed('int32', 'n'), vector('int32', 4, 6)],
      },
      ['float32[n,3,4,6]'],
    ],
    ['inverse', { op: 'Inverse', inputs: [float(2, 3, 3)] }, ['float32[2,3,3]']],
    ['triangle', { op: 'Trilu', inputs: [float(3, 4)] }, ['float32[3,4]']],
    ['distances', { op: 'CDist', inputs: [float(4, 3), float(5, 3)] }, ['float32[4,5]']],
    ['new axis', { op: 'ExpandDims', inputs: [float(2, 3), scalar('int32', -1)] }, ['float32[2,3,1]']],
    ['spectrum', { op: 'Rfft', inputs: [float(2, 8)], attributes: { onesided: 1 } }, ['float32[2,5,2]']],
    [
      'signal of a spectrum',
      { op: 'Irfft', inputs: [float(2, 5, 2)], attributes: { onesided: 1 } },
      ['float32[2,8]'],
    ],
    ['unique', { op: 'Unique', inputs: [float(4)], outputs: 3 }, ['float32[?0]', 'int64[4]', 'int64[?0]']],
    ['pad', { op: 'Pad', inputs: [float(2, 3), vector('int64', 0, 1, 0, 2)] }, ['float32[2,6]']],
    ['gather', { op: 'GatherND', inputs: [float(2, 3, 4), typed('int64', 2, 2)] }, ['float32[2,4]']],
    ['grid', { op: 'GridSample', inputs: [float(1, 2, 4, 4), float(1, 5, 6, 2)] }, ['float32[1,2,5,6]']],
    [
      'masked pool',
      {
        op: 'MaxpoolWithMask',
        inputs: [float(1, 1, 6), typed('int32', 1, 1, 6)],
        attributes: { kernel_shape: [2] },
      },
      ['float32[1,1,5]'],
    ],
    [
      'pads as input',
      {
        op: 'ConvTransposeWithDynamicPads',
        inputs: [float(1, 1, 3, 3), float(1, 2, 3, 3), vector('int64', 1, 1, 1, 1)],
        attributes: { strides: [2, 2] },
      },
      ['float32[1,2,5,5]'],
    ],
    [
      'LSTM of quantised weights',
      {
        op: 'DynamicQuantizeLSTM',
        inputs: [float(5, 2, 3), typed('int8', 1, 3, 16), typed('int8', 1, 4, 16)],
        attributes: { hidden_size: 4 },
        outputs: 3,
      },
      ['float32[5,1,2,4]', 'float32[1,2,4]', 'float32[1,2,4]'],
    ],
  ]);
});
