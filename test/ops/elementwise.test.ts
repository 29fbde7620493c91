/** Shapes, values and symbols through the element-wise operators. Values: hand computation in exact arithmetic. */
import { describe, expect, it } from 'vitest';
import { type Dim, formatDim, sub, symbol } from '../../src/graph/dims.ts';
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Fact, Scalar, Value } from '../../src/graph/types.ts';
import { findRow } from '../../src/ops/registry.ts';
import { float, type NodeSketch, run, scalar, texts, typed, vector } from '../support/op.ts';

describe('broadcasting', () => {
  it.each<readonly [string, readonly Fact[], string]>([
    ['equal', [float(2, 3), float(2, 3)], 'float32[2,3]'],
    ['a scalar', [float(2, 3), float()], 'float32[2,3]'],
    ['both ways', [float(2, 1, 4), float(3, 1)], 'float32[2,3,4]'],
    ['0 against 1', [float(0, 3), float(1, 3)], 'float32[0,3]'],
    ['1 against an open one', [float(1, 3), float('N', 3)], 'float32[N,3]'],
    ['5 against an open one, which must be 1 or 5', [float(5), float('N')], 'float32[5]'],
    ['the same open one', [float('N', 3), float('N', 1)], 'float32[N,3]'],
    ['two open ones', [float('N'), float('M')], 'float32[?0]'],
  ])('%s', (_, inputs, expected) => {
    expect(texts({ op: 'Add', inputs })).toEqual([expected]);
  });

  it('names shapes that do not fit', () => {
    expect(() => run({ op: 'Mul', inputs: [float(2, 3), float(2, 4)] })).toThrow('[2,3] and [2,4]');
  });

  it('says nothing without a rank', () => {
    expect(texts({ op: 'Add', inputs: [{ type: 'float32', shape: undefined }, float(2)] })).toEqual([
      'float32[?]',
    ]);
  });

  it('aligns at an axis before opset 7', () => {
    const sketch = { op: 'Add', opset: 6, inputs: [float(2, 3, 4), float(3)] };
    expect(texts({ ...sketch, attributes: { broadcast: 1, axis: 1 } })).toEqual(['float32[2,3,4]']);
    expect(() => run({ ...sketch, attributes: { broadcast: 1, axis: 3 } })).toThrow('axis 3');
  });

  it('evaluates the values at that axis', () => {
    const left: Fact = { type: 'int64', shape: [2, 2], value: [1, 2, 3, 4] };
    const attributes = { broadcast: 1, axis: 0 };
    expect(run({ op: 'Add', opset: 6, inputs: [left, vector('int64', 10, 20)], attributes }).values).toEqual([
      [11, 12, 23, 24],
    ]);
  });
});

const MAX = 2n ** 63n - 1n;

describe('exact integers', () => {
  it.each<readonly [string, ElementType, Scalar, Scalar, Scalar | undefined]>([
    ['Add', 'int64', MAX, 1, -(2n ** 63n)],
    ['Add', 'int64', 2n ** 53n, 1, 2n ** 53n + 1n],
    ['Sub', 'int64', 2n ** 53n + 1n, 2, 9007199254740991],
    ['Mul', 'int64', 3037000500, 3037000500, -9223372036709301616n],
    ['Mul', 'int32', 65536, 65536, 0],
    ['Add', 'uint8', 200, 100, 44],
    // Division rounds towards zero; by zero it has no value.
    ['Div', 'int64', -7, 2, -3],
    ['Div', 'int64', 7, 0, undefined],
    ['Div', 'float32', 1, 3, Math.fround(1 / 3)],
    ['Pow', 'int64', 3, 4, 81],
    ['Pow', 'float32', 2, 0.5, Math.fround(Math.SQRT2)],
    // The sign of the divisor.
    ['Mod', 'int64', -7, 3, 2],
    ['Mod', 'int64', 7, -3, -2],
    ['Min', 'int64', MAX, 3, 3],
    ['Max', 'int64', MAX, 3, MAX],
  ])('%s of %s: %s and %s', (op, type, a, b, expected) => {
    const { values } = run({ op, inputs: [vector(type, a), vector(type, b)] });
    expect(values).toEqual([expected === undefined ? undefined : [expected]]);
  });

  it('lets Mod take the sign of the dividend with fmod', () => {
    const inputs = [vector('int64', -7), vector('int64', 3)];
    expect(run({ op: 'Mod', inputs, attributes: { fmod: 1 } }).values).toEqual([[-1]]);
  });

  it.each<readonly [string, number, number]>([
    ['Abs', -3, 3],
    ['Neg', 4, -4],
    ['Sign', -9, -1],
  ])('%s of %d', (op, x, expected) => {
    expect(run({ op, inputs: [vector('int64', x)] }).values).toEqual([[expected]]);
  });
});

describe('dimensions', () => {
  const n = symbol('N');
  const value = (...elements: Value): Fact => ({ type: 'int64', shape: [elements.length], value: elements });
  it.each<readonly [string, Dim, Dim, string | undefined]>([
    ['Add', n, 2, 'N + 2'],
    ['Mul', n, 4, '4*N'],
    ['Sub', n, n, '0'],
    ['Div', n, 2, 'floor(N/2)'],
    // N - 5 may be negative, where integer division rounds the other way.
    ['Div', sub(n, 5), 2, undefined],
    ['Max', n, 1, 'max(1, N)'],
    ['Mod', n, 1, '0'],
  ])('%s', (op, a, b, expected) => {
    const [result] = run({ op, inputs: [value(a), value(b)] }).values!;
    expect(result && formatDim(result[0] as Dim)).toBe(expected);
  });

  it('pass through rounding and casts to float and back', () => {
    const float32: Fact = { type: 'float32', shape: [1], value: [n] };
    expect(run({ op: 'Floor', inputs: [float32] }).values).toEqual([[n]]);
    expect(run({ op: 'Cast', inputs: [float32], attributes: { to: 7 } }).values).toEqual([[n]]);
  });

  it('are not divided where a fraction could come out', () => {
    const half: NodeSketch = {
      op: 'Div',
      inputs: [{ type: 'float32', shape: [], value: [n] }, scalar('float32', 2)],
    };
    expect(run(half).values).toEqual([undefined]);
  });
});

describe('Clip', () => {
  it('takes its bounds from attributes, then from inputs', () => {
    const x = vector('float32', -2, 0, 9);
    const attributes = { min: { float: -1 }, max: { float: 6 } };
    expect(run({ op: 'Clip', opset: 6, inputs: [x], attributes }).values).toEqual([[-1, 0, 6]]);
    expect(run({ op: 'Clip', inputs: [x, undefined, scalar('float32', 6)] }).values).toEqual([[-2, 0, 6]]);
  });

  it('leaves a dimension alone that is provably inside', () => {
    const n = symbol('N');
    const x: Fact = { type: 'int64', shape: [1], value: [n] };
    expect(run({ op: 'Clip', inputs: [x, scalar('int64', 0)] }).values).toEqual([[n]]);
    expect(run({ op: 'Clip', inputs: [x, scalar('int64', 1)] }).values).toEqual([undefined]);
  });
});

describe('in place', () => {
  it.each([
    ['Relu', [0]],
    ['Add', [0, 1]],
    // Kernels fold more operands in one after the other, so a later one would be overwritten before it is read.
    ['Sum', [0, 1]],
    ['Where', [1, 2]],
    ['Cast', undefined],
    ['Transpose', undefined],
  ])('%s: %o', (op, expected) => {
    expect(findRow('', op)?.inPlace).toEqual(expected);
  });
});

it('averages and adds any number of operands', () => {
  const inputs = [vector('float32', 1, 2), vector('float32', 3, 4), scalar('float32', 5)];
  expect(run({ op: 'Mean', inputs }).values).toEqual([[3, Math.fround(11 / 3)]]);
  expect(run({ op: 'Sum', inputs }).values).toEqual([[9, 11]]);
  expect(texts({ op: 'Max', inputs: [typed('int8', 2, 1), typed('int8', 3)] })).toEqual(['int8[2,3]']);
});
