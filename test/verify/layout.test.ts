import { expect, it } from 'vitest';
import type { PlanTensor } from '../../src/plan/types.ts';
import { movesInLayout } from '../../src/verify/operators.ts';

const tensor = (shape: readonly number[]): PlanTensor =>
  ({ shape, bytes: shape.reduce((a, b) => a * b, 1) }) as PlanTensor;

/** Where each element, numbered in the order of the file (channels first), lies in memory with channels last. */
function inMemory(shape: readonly number[]): string {
  const order =
    shape.length < 3 ? [...shape.keys()] : [0, ...shape.keys()].filter((a, i) => i === 0 || a > 1);
  const axes = shape.length < 3 ? order : [...order, 1];
  let places: number[] = [0];
  for (const axis of axes) {
    const stride = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    places = places.flatMap((at) => Array.from({ length: shape[axis]! }, (_, k) => at + k * stride));
  }
  return places.join();
}

const shapesOf = (rank: number): readonly (readonly number[])[] =>
  rank === 0 ? [[]] : shapesOf(rank - 1).flatMap((rest) => [1, 2, 3].map((size) => [size, ...rest]));
const SHAPES = [1, 2, 3, 4].flatMap(shapesOf);

it('finds every reshape that moves elements with channels last, against their true places', () => {
  let kept = 0;
  for (const a of SHAPES) {
    for (const b of SHAPES) {
      if (tensor(a).bytes !== tensor(b).bytes) continue;
      const moves = movesInLayout('nhwc', 'Reshape', tensor(a), tensor(b));
      const same = inMemory(a) === inMemory(b);
      if (!moves) kept++;
      // It may call a reshape moving that is not; it never lets one through that moves.
      if (!moves) expect(same, `${a} to ${b}`).toBe(true);
      expect(movesInLayout('nchw', 'Reshape', tensor(a), tensor(b))).toBe(false);
      expect(movesInLayout('nhwc', 'Transpose', tensor(a), tensor(b))).toBe(false);
    }
  }
  expect(kept).toBeGreaterThan(500);
});

it.each([
  [[1, 4, 1, 1], [4], false],
  [[1, 1, 4, 4], [16], false],
  [[2, 3, 4, 4], [2, 1, 3, 4, 4], true],
  [[1, 3, 4, 4], [1, 3, 4, 4, 1], false],
  [[1, 3, 4, 4], [1, 3, 16], true],
  [[1, 3, 4, 4], [48], true],
  [[0, 3, 4, 4], [0], false],
  [[3, 4], [12], false],
] as const)('%o to %o', (a, b, moves) => {
  expect(movesInLayout('nhwc', 'Reshape', tensor(a), tensor(b))).toBe(moves);
});
