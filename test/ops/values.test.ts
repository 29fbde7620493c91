import { describe, expect, it } from 'vitest';
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Fact } from '../../src/graph/types.ts';
import { constantFact, roundFloat, roundToEven, toType, withValue } from '../../src/ops/values.ts';

describe('toType', () => {
  it.each<readonly [ElementType, number | bigint, number | bigint]>([
    ['int8', 200, -56],
    ['uint8', -1, 255],
    ['int32', 2 ** 31, -(2 ** 31)],
    ['int64', 2n ** 63n, -(2n ** 63n)],
    ['int64', -(2n ** 63n) - 1n, 2n ** 63n - 1n],
    // The two forms of one integer meet at 2^53.
    ['int64', 5n, 5],
    ['int64', 2n ** 53n, 2n ** 53n],
    ['uint64', -1, 2n ** 64n - 1n],
    ['bool', 7, 1],
    ['bool', 0, 0],
    ['float32', 0.1, 0.10000000149011612],
    ['float32', 16777217, 16777216],
  ])('%s of %s is %s', (type, exact, expected) => {
    expect(toType(type, exact)).toBe(expected);
  });
});

/** Neighbours from the definitions: float16 has 10 fraction bits and a largest number of 65504, bfloat16 7. */
it.each<readonly [ElementType, number, number]>([
  ['float16', 1 + 2 ** -11, 1],
  ['float16', 1 + 3 * 2 ** -11, 1 + 2 ** -9],
  ['float16', 65519, 65504],
  ['float16', 65520, Infinity],
  ['float16', -65520, -Infinity],
  ['float16', 2 ** -24, 2 ** -24],
  ['float16', 2 ** -25, 0],
  ['bfloat16', 1 + 2 ** -8, 1],
  ['bfloat16', 257, 256],
  ['bfloat16', 259, 260],
  ['float64', 0.1, 0.1],
])('%s of %d is %d', (type, exact, expected) => {
  expect(roundFloat(type, exact)).toBe(expected);
});

it('rounds ties to even', () => {
  expect([-2.5, -1.5, 0.5, 1.5, 2.5, 2.4].map(roundToEven)).toEqual([-2, -2, 0, 2, 2, 2]);
});

describe('a value on demand', () => {
  it('is computed once, and only when it is read', () => {
    let reads = 0;
    const fact = withValue({ type: 'int64', shape: [1] }, () => [++reads]);
    expect(reads).toBe(0);
    expect([fact.value, fact.value]).toEqual([[1], [1]]);
    expect(reads).toBe(1);
  });

  it('stays behind when the shape changes', () => {
    const fact = withValue({ type: 'int64', shape: [2] }, () => [1, 2]);
    const other: Fact = { ...fact, shape: [1, 2] };
    expect(other.value).toBeUndefined();
  });

  it('is not decoded for a weight that nobody asks about', () => {
    const fail = () => {
      throw new Error('decoded');
    };
    const fact = constantFact({ type: 'float32', shape: [3], place: undefined, value: fail });
    expect(fact.shape).toEqual([3]);
  });
});
