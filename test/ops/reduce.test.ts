import { describe, expect, it } from 'vitest';
import { mul, symbol } from '../../src/graph/dims.ts';
import type { Value } from '../../src/graph/types.ts';
import { float, type NodeSketch, run, texts, typed, vector } from '../support/op.ts';

const axes = (...values: number[]) => vector('int64', ...values);

const shapes: readonly [string, NodeSketch, string][] = [
  ['all axes, kept', { op: 'ReduceMean', inputs: [float(2, 3, 4)] }, '1,1,1'],
  ['all axes, dropped', { op: 'ReduceSum', inputs: [float(2, 3)], attributes: { keepdims: 0 } }, ''],
  [
    'axes as attribute',
    { op: 'ReduceMax', opset: 11, inputs: [float(2, 3, 4)], attributes: { axes: [-1] } },
    '2,3,1',
  ],
  [
    'axes as input',
    { op: 'ReduceMax', opset: 18, inputs: [float(2, 3, 4), axes(0, -1)], attributes: { keepdims: 0 } },
    '3',
  ],
  [
    'repeated axes',
    { op: 'ReduceMax', opset: 11, inputs: [float(2, 3)], attributes: { axes: [1, -1] } },
    '2,1',
  ],
  [
    'no axes, nothing to do',
    { op: 'ReduceSum', inputs: [float(2, 3), axes()], attributes: { noop_with_empty_axes: 1 } },
    '2,3',
  ],
  ['no axes, everything', { op: 'ReduceSum', inputs: [float(2, 3), axes()] }, '1,1'],
  ['a scalar', { op: 'ReduceL2', inputs: [float()] }, ''],
  ['symbols', { op: 'ReduceMean', inputs: [float('N', 's', 8), axes(1)] }, 'N,1,8'],
  ['axes that are not constant', { op: 'ReduceSum', inputs: [float(2, 3), typed('int64', 1)] }, '?0,?1'],
  [
    'the same, dropped',
    { op: 'ReduceSum', inputs: [float(2, 3), typed('int64', 1)], attributes: { keepdims: 0 } },
    '?0',
  ],
];

describe('shapes', () => {
  it.each(shapes)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32[${expected}]`]);
  });

  it('of indices', () => {
    expect(texts({ op: 'ArgMax', inputs: [float(2, 3)] })).toEqual(['int64[1,3]']);
    const dropped = { axis: -1, keepdims: 0 };
    expect(texts({ op: 'ArgMin', inputs: [float(2, 3)], attributes: dropped })).toEqual(['int64[2]']);
  });

  it('refuse an axis outside', () => {
    expect(() => texts({ op: 'ReduceSum', inputs: [float(2, 3), axes(2)] })).toThrow(/axis 2/);
    expect(() => texts({ op: 'ArgMax', inputs: [float(2, 3)], attributes: { axis: -3 } })).toThrow(/axis -3/);
  });
});

describe('constants', () => {
  const matrix: Value = [1, 5, 3, 4, 2, 6];
  const values: readonly [string, 'int64' | 'float32', Value, number[], Value | undefined][] = [
    ['ReduceSum', 'int64', matrix, [1], [9, 12]],
    ['ReduceSum', 'int64', matrix, [0], [5, 7, 9]],
    ['ReduceProd', 'int64', matrix, [0, 1], [720]],
    ['ReduceMax', 'float32', matrix, [1], [5, 6]],
    ['ReduceMin', 'float32', matrix, [0], [1, 2, 3]],
    ['ReduceMean', 'float32', matrix, [1], [3, 4]],
    ['ReduceMean', 'int64', [1, 5, 4, -4, -2, -4], [1], [3, -3]],
    ['ReduceL1', 'int64', [-1, 2, -3, 0, 0, 1], [1], [6, 1]],
    ['ReduceL2', 'float32', [3, 4, 0, 0, 0, 1], [1], [5, 1]],
    ['ReduceSumSquare', 'int64', matrix, [0], [17, 29, 45]],
    ['ReduceSum', 'float32', [0.1, 0.2, 0, 0, 0, 0], [1], [Math.fround(0.1 + 0.2), 0]],
    ['ReduceProd', 'int64', [2 ** 40, 2 ** 40, 1, 1, 1, 1], [1], undefined],
  ];
  it.each(values)('%s of %s %j over %j', (op, type, value, over, expected) => {
    const { values: folded } = run({ op, inputs: [{ type, shape: [2, 3], value }, axes(...over)] });
    expect(folded).toEqual([expected]);
  });

  it('multiplies symbols', () => {
    const value = [2, symbol('h'), symbol('w')];
    const { values: folded } = run({ op: 'ReduceProd', inputs: [{ type: 'int64', shape: [3], value }] });
    expect(folded).toEqual([[mul(2, mul(symbol('h'), symbol('w')))]]);
  });

  it('finds extremes, the first or the last of equals', () => {
    const input = { type: 'int64', shape: [2, 3], value: [1, 7, 7, 0, 0, 5] } as const;
    expect(run({ op: 'ArgMax', inputs: [input], attributes: { axis: 1 } }).values).toEqual([[1, 2]]);
    expect(run({ op: 'ArgMin', inputs: [input], attributes: { axis: 1 } }).values).toEqual([[0, 0]]);
    const last = { axis: 1, select_last_index: 1 };
    expect(run({ op: 'ArgMax', inputs: [input], attributes: last }).values).toEqual([[2, 2]]);
    expect(run({ op: 'ArgMin', inputs: [input], attributes: last }).values).toEqual([[0, 1]]);
  });

  it('knows the sum and product of nothing, but no maximum', () => {
    const input = { type: 'int64', shape: [0], value: [] } as const;
    expect(run({ op: 'ReduceSum', inputs: [input] }).values).toEqual([[0]]);
    expect(run({ op: 'ReduceProd', inputs: [input] }).values).toEqual([[1]]);
    expect(run({ op: 'ReduceMax', inputs: [input] }).values).toEqual([undefined]);
  });
});
