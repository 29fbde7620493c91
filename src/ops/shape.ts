/**
 * What a tensor's shape says as a value.
 *
 * Shape: 1, 13, 15 (start, end), 19, 21, 23, 24, 25. Size: 1, 13, 19, 21, 23, 24, 25.
 */
import { elementCount, fact, type Shape } from './rules.ts';
import type { OpContext, OpRow } from './types.ts';

/** The dimensions that Shape yields: from start to end, both counted from the end where negative, and clamped. */
function sliced(c: OpContext): Shape | undefined {
  const shape = c.input(0).shape;
  if (shape === undefined) return undefined;
  const rank = shape.length;
  const clamp = (axis: number) => Math.min(Math.max(axis < 0 ? axis + rank : axis, 0), rank);
  return shape.slice(clamp(c.int('start', 0)), clamp(c.int('end', rank)));
}

export const rows: readonly OpRow[] = [
  {
    op: 'Shape',
    since: [1, 13, 15, 19, 21, 23, 24, 25],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: (c) => [fact('int64', [sliced(c)?.length ?? c.unknownDim('the rank of the input is not known')])],
    fold: (c) => [sliced(c)],
  },
  {
    op: 'Size',
    since: [1, 13, 19, 21, 23, 24, 25],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: () => [fact('int64', [])],
    fold: (c) => {
      const count = elementCount(c.input(0).shape);
      return [count === undefined ? undefined : [count]];
    },
  },
];
