import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, run, texts, typed, vector } from '../support/op.ts';

function pool(op: string, size: number | string, attributes: NodeSketch['attributes'] = {}): NodeSketch {
  return { op, inputs: [float(1, 1, size)], attributes };
}

/** By hand from the operator pages; the last column of each comment is what onnxruntime 1.30 ran to. */
const sizes: readonly [string, NodeSketch, string][] = [
  ['plain: (8 - 3) / 2 + 1', pool('MaxPool', 8, { kernel_shape: [3], strides: [2] }), '3'],
  ['ceil: ceil(5 / 2) + 1', pool('MaxPool', 8, { kernel_shape: [3], strides: [2], ceil_mode: 1 }), '4'],
  [
    'ceil, but no window starts in the tail padding',
    pool('AveragePool', 9, { kernel_shape: [4], strides: [4], pads: [2, 2], ceil_mode: 1 }),
    '3',
  ],
  [
    'ceil with a kernel below the stride',
    pool('MaxPool', 12, { kernel_shape: [1], strides: [2], ceil_mode: 1 }),
    '6',
  ],
  [
    'VALID honours ceil: ceil(7 / 3) + 1 less the window that starts at 9',
    pool('MaxPool', 9, { kernel_shape: [2], strides: [3], auto_pad: 'VALID', ceil_mode: 1 }),
    '3',
  ],
  ['SAME: ceil(8 / 2)', pool('MaxPool', 8, { kernel_shape: [3], strides: [2], auto_pad: 'SAME_LOWER' }), '4'],
  [
    'SAME ignores pads',
    pool('MaxPool', 8, { kernel_shape: [3], strides: [2], auto_pad: 'SAME_UPPER', pads: [0, 0] }),
    '4',
  ],
  ['dilated: (8 - 5) / 1 + 1', pool('MaxPool', 8, { kernel_shape: [3], dilations: [2] }), '4'],
  ['dilated average', pool('AveragePool', 8, { kernel_shape: [3], dilations: [2] }), '4'],
  ['LpPool, ceil', pool('LpPool', 8, { kernel_shape: [3], strides: [2], ceil_mode: 1 }), '4'],
  ['symbols', pool('MaxPool', 'w', { kernel_shape: [2], strides: [2] }), 'floor(w/2)'],
  [
    'symbols, ceil: a window of 3 by 2 always starts inside',
    pool('MaxPool', 'w', { kernel_shape: [3], strides: [2], ceil_mode: 1 }),
    'floor(w/2)',
  ],
  [
    'unpool: (3 - 1) * 2 + 2',
    {
      op: 'MaxUnpool',
      inputs: [float(1, 1, 3), typed('int64', 1, 1, 3)],
      attributes: { kernel_shape: [2], strides: [2] },
    },
    '6',
  ],
  [
    'unpool to a stated shape',
    {
      op: 'MaxUnpool',
      inputs: [float(1, 1, 3), typed('int64', 1, 1, 3), vector('int64', 1, 1, 7)],
      attributes: { kernel_shape: [2], strides: [2] },
    },
    '7',
  ],
];

describe('sizes', () => {
  it.each(sizes)('%s', (_, sketch, expected) => {
    expect(texts(sketch)[0]).toBe(`float32[1,1,${expected}]`);
  });
});

it('says where onnxruntime leaves the standard: dilated SAME, windows wider than the input', () => {
  const dilated = run(pool('MaxPool', 8, { kernel_shape: [3], auto_pad: 'SAME_UPPER', dilations: [2] }));
  expect(dilated.facts[0]?.shape).toEqual([1, 1, 6]);
  expect(dilated.notes).toHaveLength(1);
  const none = run(
    pool('MaxPool', 3, { kernel_shape: [4], strides: [4], dilations: [3], auto_pad: 'SAME_UPPER' }),
  );
  expect(none.facts[0]?.shape).toEqual([1, 1, 0]);
  const wide = run(pool('MaxPool', 3, { kernel_shape: [4], strides: [2] }));
  expect(wide.facts[0]?.shape).toEqual([1, 1, 1]);
  expect(wide.notes).toHaveLength(1);
});

it('gives indices of the same shape', () => {
  const sketch = { ...pool('MaxPool', 8, { kernel_shape: [2], strides: [2] }), outputs: 2 };
  expect(texts(sketch)).toEqual(['float32[1,1,4]', 'int64[1,1,4]']);
});

it('keeps the quantisation of integers', () => {
  const quant = { scale: [0.5], zeroPoint: [3], axis: null };
  const [output] = run({
    op: 'MaxPool',
    inputs: [{ type: 'int8', shape: [1, 1, 4], quant }],
    attributes: { kernel_shape: [2] },
  }).facts;
  expect(output).toEqual({ type: 'int8', shape: [1, 1, 3], quant });
});

it('pools whole planes', () => {
  expect(texts({ op: 'GlobalAveragePool', inputs: [float('N', 8, 7, 'w')] })).toEqual(['float32[N,8,1,1]']);
  expect(() => texts({ op: 'GlobalMaxPool', inputs: [float(2, 3)] })).toThrow(/rank 3 or more/);
});

it('needs a kernel of the right rank', () => {
  expect(() => texts(pool('MaxPool', 8))).toThrow(/kernel_shape is missing/);
  expect(() => texts(pool('MaxPool', 8, { kernel_shape: [2, 2] }))).toThrow(/does not fit/);
});
