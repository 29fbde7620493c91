import { describe, expect, it } from 'vitest';
import { add, symbol } from '../../src/graph/dims.ts';
import type { Fact, Scalar } from '../../src/graph/types.ts';
import { float, run, texts, typed, vector } from '../support/op.ts';

const n = symbol('N');
const ints = (...value: Scalar[]): Fact => ({ type: 'int64', shape: [value.length], value });

describe('comparisons', () => {
  it('yield bool over the broadcast shape', () => {
    expect(texts({ op: 'Less', inputs: [float(2, 1), float(3)] })).toEqual(['bool[2,3]']);
  });

  it.each<readonly [string, Scalar, Scalar, number | undefined]>([
    ['Equal', 2n ** 60n + 1n, 2n ** 60n, 0],
    ['Equal', 3, 3, 1],
    ['Less', 3, 2n ** 60n, 1],
    ['Greater', 3, 3, 0],
    ['GreaterOrEqual', 3, 3, 1],
    ['LessOrEqual', 4, 3, 0],
    // A dimension is never -1, whatever it is.
    ['Equal', n, -1, 0],
    ['Equal', n, n, 1],
    ['Equal', n, 1, undefined],
    ['Less', n, add(n, 1), 1],
    ['Greater', n, add(n, 1), 0],
    ['Less', n, 5, undefined],
    ['GreaterOrEqual', n, 0, 1],
  ])('%s of %o and %o', (op, a, b, expected) => {
    const { values } = run({ op, inputs: [ints(a), ints(b)] });
    expect(values).toEqual([expected === undefined ? undefined : [expected]]);
  });
});

it.each<readonly [string, readonly number[]]>([
  ['And', [0, 0, 0, 1]],
  ['Or', [0, 1, 1, 1]],
  ['Xor', [0, 1, 1, 0]],
])('%s', (op, expected) => {
  const inputs = [vector('bool', 0, 0, 1, 1), vector('bool', 0, 1, 0, 1)];
  expect(run({ op, inputs }).values).toEqual([expected]);
});

it('shifts and combines bits in the width of the type', () => {
  const inputs = [vector('uint8', 0b11000001), vector('uint8', 1)];
  expect(run({ op: 'BitShift', inputs, attributes: { direction: 'LEFT' } }).values).toEqual([[0b10000010]]);
  expect(run({ op: 'BitShift', inputs, attributes: { direction: 'RIGHT' } }).values).toEqual([[0b01100000]]);
  expect(run({ op: 'BitwiseNot', inputs: [vector('uint8', 1)] }).values).toEqual([[254]]);
  expect(run({ op: 'BitwiseXor', inputs: [vector('int32', 6), vector('int32', 3)] }).values).toEqual([[5]]);
  expect(run({ op: 'Not', inputs: [vector('bool', 0, 1)] }).values).toEqual([[1, 0]]);
});

it('finds NaN and infinities, of one sign if asked', () => {
  const x = vector('float32', Number.NaN, Infinity, -Infinity, 0);
  expect(run({ op: 'IsNaN', inputs: [x] }).values).toEqual([[1, 0, 0, 0]]);
  expect(run({ op: 'IsInf', inputs: [x] }).values).toEqual([[0, 1, 1, 0]]);
  expect(run({ op: 'IsInf', inputs: [x], attributes: { detect_negative: 0 } }).values).toEqual([
    [0, 1, 0, 0],
  ]);
});

describe('Where', () => {
  it('has the type of its second input and broadcasts all three', () => {
    expect(texts({ op: 'Where', inputs: [typed('bool', 2, 1), typed('int8', 3), typed('int8')] })).toEqual([
      'int8[2,3]',
    ]);
  });

  it('picks dimensions by a known condition', () => {
    const inputs = [vector('bool', 1, 0), ints(7, 8), ints(n, n)];
    expect(run({ op: 'Where', inputs }).values).toEqual([[7, n]]);
  });
});
