import { describe, expect, it } from 'vitest';
import { differs, isAtMost, isNonNegative } from '../../src/graph/dim-order.ts';
import { add, type Dim, floorDiv, formatDim, max, min, mod, mul, sub, symbol } from '../../src/graph/dims.ts';

const n = symbol('N');
const m = symbol('M');

describe('isNonNegative', () => {
  it.each<readonly [Dim, boolean]>([
    [0, true],
    [-1, false],
    [n, true],
    [add(mul(n, 2), 3), true],
    // 0 - 1 is negative.
    [sub(n, 1), false],
    [sub(n, m), false],
    [floorDiv(n, 2), true],
    // The divisor could be 0.
    [floorDiv(n, m), false],
    [mod(n, 3), true],
    [min(n, m), true],
    [min(n, -3), false],
    [max(sub(n, 1), 0), true],
  ])('%o', (dim, expected) => {
    expect(isNonNegative(dim), formatDim(dim)).toBe(expected);
  });
});

it('orders what can be proved', () => {
  expect(isAtMost(n, add(n, m))).toBe(true);
  expect(isAtMost(add(n, 1), n)).toBe(false);
  expect(isAtMost(n, m)).toBe(false);
});

it('tells dimensions apart that can never be equal', () => {
  expect(differs(n, -1)).toBe(true);
  expect(differs(n, add(n, 2))).toBe(true);
  expect(differs(n, 5)).toBe(false);
  expect(differs(n, m)).toBe(false);
});
