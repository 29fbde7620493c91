/** Cutting and joining. Sizes marked "run" are those of onnxruntime 1.30; the rest are hand computation. */
import { describe, expect, it } from 'vitest';
import { symbol } from '../../src/graph/dims.ts';
import type { Fact, Scalar } from '../../src/graph/types.ts';
import { float, type NodeSketch, run, texts } from '../support/op.ts';

const ints = (...value: Scalar[]): Fact => ({ type: 'int64', shape: [value.length], value });
const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

describe('Slice of 7', () => {
  it.each<readonly [string, Scalar, Scalar, number, number]>([
    ['inside', 1, 4, 1, 3],
    ['counted from the end', -3, -1, 1, 2],
    ['beyond the end', 5, 100, 1, 2],
    ['to INT64_MAX', 2, MAX, 1, 5],
    ['to INT32_MAX', 2, 2147483647, 1, 5],
    ['from INT64_MIN', MIN, 3, 1, 3],
    ['nothing', 4, 2, 1, 0],
    ['every third', 0, 7, 3, 3],
    ['backwards to the front', -1, MIN, -1, 7],
    ['backwards in twos', 6, 0, -2, 3],
    // Run: INT64_MAX is "to the end" in either direction; just below it is a number like any other.
    ['backwards to INT64_MAX', 6, MAX, -1, 7],
    ['backwards to just below it', 6, MAX - 3n, -1, 0],
    ['backwards from beyond the end', 100, 2, -1, 4],
  ])('%s', (_, start, end, step, expected) => {
    const inputs = [float(7), ints(start), ints(end), ints(0), ints(step)];
    expect(texts({ op: 'Slice', inputs })).toEqual([`float32[${expected}]`]);
  });
});

describe('Slice', () => {
  it.each<readonly [string, NodeSketch, string]>([
    [
      'by attributes',
      { op: 'Slice', opset: 1, inputs: [float(4, 5)], attributes: { starts: [1, 0], ends: [3, -1] } },
      '[2,4]',
    ],
    ['of named axes', { op: 'Slice', inputs: [float(4, 5), ints(1), ints(3), ints(-1)] }, '[4,2]'],
    ['of nothing', { op: 'Slice', inputs: [float(0, 5), ints(1), ints(3)] }, '[0,5]'],
    ['of an open size to its end', { op: 'Slice', inputs: [float('N'), ints(0), ints(MAX)] }, '[N]'],
    ['of an open size', { op: 'Slice', inputs: [float('N'), ints(1), ints(MAX)] }, '[max(0, N - 1)]'],
    [
      'of what an open size surely has',
      { op: 'Slice', inputs: [float('N'), ints(0), ints(symbol('N'))] },
      '[N]',
    ],
    [
      'all of an open size backwards',
      { op: 'Slice', inputs: [float('N'), ints(-1), ints(MIN), ints(0), ints(-1)] },
      '[N]',
    ],
    [
      'at an unknown place leaves other axes alone',
      { op: 'Slice', inputs: [float(4, 5), { type: 'int64', shape: [1] }, ints(3), ints(1)] },
      '[4,?1]',
    ],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32${expected}`]);
  });

  it('picks elements', () => {
    const x: Fact = { type: 'int64', shape: [2, 3], value: [1, 2, 3, 4, 5, symbol('N')] };
    const inputs = [x, ints(1, 2), ints(2, MIN), ints(0, 1), ints(1, -2)];
    expect(run({ op: 'Slice', inputs }).values).toEqual([[symbol('N'), 4]]);
  });

  it('refuses a step of 0 and an axis twice', () => {
    expect(() => run({ op: 'Slice', inputs: [float(4), ints(0), ints(2), ints(0), ints(0)] })).toThrow(
      'step',
    );
    expect(() => run({ op: 'Slice', inputs: [float(4, 4), ints(0, 0), ints(2, 2), ints(0, -2)] })).toThrow(
      'repeat',
    );
  });
});

describe('Split', () => {
  const axis = (value: number, more = {}) => ({ attributes: { axis: value, ...more } });
  it.each<readonly [string, NodeSketch, readonly string[]]>([
    [
      'by an attribute',
      { op: 'Split', opset: 2, inputs: [float(6)], outputs: 2, attributes: { split: [2, 4] } },
      ['[2]', '[4]'],
    ],
    ['by an input', { op: 'Split', opset: 13, inputs: [float(6), ints(1, 5)], outputs: 2 }, ['[1]', '[5]']],
    [
      'in equal parts',
      { op: 'Split', opset: 13, inputs: [float(2, 6)], outputs: 3, ...axis(-1) },
      ['[2,2]', '[2,2]', '[2,2]'],
    ],
    // ceil(10 / 3) = 4.
    [
      'in uneven parts',
      { op: 'Split', inputs: [float(10)], outputs: 3, ...axis(0, { num_outputs: 3 }) },
      ['[4]', '[4]', '[2]'],
    ],
    [
      'of an open size',
      { op: 'Split', opset: 13, inputs: [float('N')], outputs: 2 },
      ['[floor(N/2)]', '[floor(N/2)]'],
    ],
    [
      'with unknown parts',
      { op: 'Split', opset: 13, inputs: [float(6), { type: 'int64', shape: [2] }], outputs: 2 },
      ['[?0]', '[?1]'],
    ],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected.map((shape) => `float32${shape}`));
  });

  it.each<readonly [string, NodeSketch, string]>([
    // Run: refused. The formula of the standard would give 2, 2, 2, -1.
    [
      '5 into 4',
      { op: 'Split', inputs: [float(5)], outputs: 4, attributes: { num_outputs: 4 } },
      '5 cannot be split into 4',
    ],
    [
      '4 into 3',
      { op: 'Split', inputs: [float(4)], outputs: 3, attributes: { num_outputs: 3 } },
      '4 cannot be split into 3',
    ],
    ['uneven before 18', { op: 'Split', opset: 13, inputs: [float(5)], outputs: 2 }, 'equal parts'],
    ['a wrong sum', { op: 'Split', opset: 13, inputs: [float(5), ints(2, 2)], outputs: 2 }, 'add up to 5'],
    ['a negative part', { op: 'Split', opset: 13, inputs: [float(5), ints(6, -1)], outputs: 2 }, 'negative'],
    [
      'a wrong number of outputs',
      { op: 'Split', inputs: [float(4)], outputs: 2, attributes: { num_outputs: 4 } },
      'num_outputs is 4',
    ],
    ['nothing to go by', { op: 'Split', inputs: [float(4)], outputs: 2 }, 'neither split nor num_outputs'],
  ])('refuses %s', (_, sketch, message) => {
    expect(() => run(sketch)).toThrow(message);
  });

  it('hands out elements', () => {
    const x: Fact = { type: 'int64', shape: [2, 3], value: [1, 2, 3, 4, 5, 6] };
    const sketch = { op: 'Split', opset: 13, inputs: [x, ints(1, 2)], outputs: 2, attributes: { axis: 1 } };
    expect(run(sketch).values).toEqual([
      [1, 4],
      [2, 3, 5, 6],
    ]);
  });
});

describe('Concat', () => {
  it('adds up along the axis, dimensions by name', () => {
    const inputs = [float(2, 'N'), float(2, 3)];
    expect(texts({ op: 'Concat', inputs, attributes: { axis: -1 } })).toEqual(['float32[2,N + 3]']);
  });

  it('has a default axis in opset 1 alone', () => {
    expect(texts({ op: 'Concat', opset: 1, inputs: [float(2, 3), float(2, 4)] })).toEqual(['float32[2,7]']);
    expect(() => run({ op: 'Concat', opset: 4, inputs: [float(2, 3)] })).toThrow('axis is missing');
  });

  it('takes the size that another part knows', () => {
    const inputs = [float('N', 1), float(5, 1)];
    expect(texts({ op: 'Concat', inputs, attributes: { axis: 1 } })).toEqual(['float32[5,2]']);
  });

  it('refuses parts that differ elsewhere', () => {
    expect(() => run({ op: 'Concat', inputs: [float(2, 3), float(3, 3)], attributes: { axis: 1 } })).toThrow(
      'axis 0',
    );
    expect(() => run({ op: 'Concat', inputs: [float(2), float(2, 1)], attributes: { axis: 0 } })).toThrow(
      'rank',
    );
  });

  it('joins elements block by block', () => {
    const a: Fact = { type: 'int64', shape: [2, 1], value: [1, 2] };
    const b: Fact = { type: 'int64', shape: [2, 2], value: [3, 4, symbol('N'), 6] };
    expect(run({ op: 'Concat', inputs: [a, b], attributes: { axis: 1 } }).values).toEqual([
      [1, 3, 4, 2, symbol('N'), 6],
    ]);
  });

  it('keeps a quantisation that all parts share', () => {
    const part = (scale: number): Fact => ({
      type: 'int8',
      shape: [2],
      quant: { scale: [scale], zeroPoint: [0], axis: null },
    });
    const quant = (...parts: Fact[]) =>
      run({ op: 'Concat', inputs: parts, attributes: { axis: 0 } }).facts[0]!.quant;
    expect(quant(part(0.5), part(0.5))?.scale).toEqual([0.5]);
    expect(quant(part(0.5), part(0.25))).toBeUndefined();
  });
});

describe('Pad', () => {
  it.each<readonly [string, NodeSketch, string]>([
    [
      'opset 1',
      { op: 'Pad', opset: 1, inputs: [float(2, 3)], attributes: { paddings: [0, 1, 0, 2] } },
      '[2,6]',
    ],
    ['opset 2', { op: 'Pad', opset: 2, inputs: [float(2, 3)], attributes: { pads: [1, 0, 1, 0] } }, '[4,3]'],
    ['an input', { op: 'Pad', opset: 11, inputs: [float(2, 'N'), ints(0, 1, 0, 1)] }, '[2,N + 2]'],
    ['named axes, cutting', { op: 'Pad', inputs: [float(2, 5), ints(-1, 3), undefined, ints(-1)] }, '[2,7]'],
    ['unknown pads', { op: 'Pad', inputs: [float(2, 5), { type: 'int64', shape: [4] }] }, '[?0,?1]'],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32${expected}`]);
  });

  it('refuses to cut more than there is, and pads without their axis', () => {
    expect(() => run({ op: 'Pad', inputs: [float(2), ints(-2, -1)] })).toThrow('[2] would become [-1]');
    expect(() => run({ op: 'Pad', inputs: [float(2, 2), ints(1, 1)] })).toThrow('2 pads do not fit 2 axes');
  });

  it.each<readonly [string, readonly number[]]>([
    ['constant', [0, 0, 1, 2, 3, 0]],
    ['edge', [1, 1, 1, 2, 3, 3]],
    ['reflect', [3, 2, 1, 2, 3, 2]],
  ])('fills in mode %s', (mode, expected) => {
    expect(run({ op: 'Pad', inputs: [ints(1, 2, 3), ints(2, 1)], attributes: { mode } }).values).toEqual([
      expected,
    ]);
  });
});
