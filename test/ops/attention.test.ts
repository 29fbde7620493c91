import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts, typed } from '../support/op.ts';

const packed = { q_num_heads: 4, kv_num_heads: 2 };

/** Each case without a symbol was run in onnxruntime 1.30; LinearAttention follows its page. */
const cases: readonly [string, NodeSketch, readonly string[]][] = [
  [
    'by head: 4 query heads over 2 of keys',
    { op: 'Attention', inputs: [float(2, 4, 5, 8), float(2, 2, 6, 8), float(2, 2, 6, 10)] },
    ['float32[2,4,5,10]'],
  ],
  [
    'packed: 4 heads of 10',
    { op: 'Attention', inputs: [float(2, 5, 32), float(2, 6, 16), float(2, 6, 20)], attributes: packed },
    ['float32[2,5,40]'],
  ],
  [
    'with a past of 7',
    {
      op: 'Attention',
      inputs: [
        float(2, 5, 32),
        float(2, 6, 16),
        float(2, 6, 20),
        undefined,
        float(2, 2, 7, 8),
        float(2, 2, 7, 10),
      ],
      attributes: packed,
      outputs: 4,
    },
    ['float32[2,5,40]', 'float32[2,2,13,8]', 'float32[2,2,13,10]', 'float32[2,4,5,13]'],
  ],
  [
    'symbols',
    {
      op: 'Attention',
      inputs: [
        float('N', 4, 's', 8),
        float('N', 4, 't', 8),
        float('N', 4, 't', 8),
        undefined,
        float('N', 4, 'p', 8),
        float('N', 4, 'p', 8),
      ],
      outputs: 2,
    },
    ['float32[N,4,s,8]', 'float32[N,4,p + t,8]'],
  ],
  [
    'rotary',
    { op: 'RotaryEmbedding', inputs: [float(2, 3, 8), float(9, 4), float(9, 4)] },
    ['float32[2,3,8]'],
  ],
  [
    'linear: 4 heads over 2 states of 8 by 10',
    {
      op: 'LinearAttention',
      inputs: [float(2, 5, 32), float(2, 5, 16), float(2, 5, 20)],
      attributes: packed,
      outputs: 2,
    },
    ['float32[2,5,40]', 'float32[2,2,8,10]'],
  ],
  [
    'flexible',
    {
      op: 'FlexAttention',
      domain: 'ai.onnx.preview',
      inputs: [typed('float16', 1, 2, 3, 8), typed('float16', 1, 2, 5, 8), typed('float16', 1, 2, 5, 6)],
    },
    ['float16[1,2,3,6]'],
  ],
];

describe('shapes', () => {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected);
  });
});

it('refuses head sizes that differ, and packed tensors without their number of heads', () => {
  const differing = [float(1, 2, 3, 8), float(1, 2, 3, 7), float(1, 2, 3, 7)];
  expect(() => texts({ op: 'Attention', inputs: differing })).toThrow(/head sizes/);
  expect(() => texts({ op: 'Attention', inputs: [float(1, 3, 8), float(1, 3, 8), float(1, 3, 8)] })).toThrow(
    /q_num_heads is missing/,
  );
});
