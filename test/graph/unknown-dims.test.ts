import { expect, it } from 'vitest';
import { add, type Dim, floorDiv, formatDim, mul, sub, symbol } from '../../src/graph/dims.ts';
import { isUnknown, solveFor } from '../../src/graph/unknown-dims.ts';

const x = symbol('?1');
const y = symbol('?2');
const n = symbol('N');

it('tells what is unknown from what is only open', () => {
  expect(isUnknown(add(n, 1))).toBe(false);
  expect(isUnknown(mul(n, x))).toBe(true);
  expect(isUnknown(4)).toBe(false);
});

it.each<readonly [string, Dim, string | undefined]>([
  ['4x = 12', sub(mul(x, 4), 12), '?1 = 3'],
  ['x = N + 2', sub(x, add(n, 2)), '?1 = N + 2'],
  ['N - x = 0', sub(n, x), '?1 = N'],
  // A third is no size, and neither is a negative number.
  ['3x = 10', sub(mul(x, 3), 10), undefined],
  ['x + 4 = 0', add(x, 4), undefined],
  ['2x = N', sub(mul(x, 2), n), undefined],
  // The symbol stands inside the floor as well.
  ['x = floor(x / 2)', sub(x, floorDiv(x, 2)), undefined],
  ['y = 3 is not asked for', sub(y, 3), undefined],
  ['N = 3', sub(n, 3), undefined],
])('%s', (_, difference, expected) => {
  const found = solveFor(difference, (name) => name === '?1');
  expect(found && `${found.name} = ${formatDim(found.equals)}`).toBe(expected);
});
