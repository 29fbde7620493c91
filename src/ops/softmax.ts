/**
 * Normalised exponentials along an axis; the shape stays.
 *
 * Softmax, LogSoftmax, Hardmax: 1, 11 (negative axis; the input is read as a matrix split at `axis`),
 * 13 (one axis, by default the last).
 */
import { fact, normaliseAxis } from './rules.ts';
import type { OpRow, ShapeRule } from './types.ts';

const alongAxis: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape !== undefined && x.shape.length > 0) {
    normaliseAxis(c, c.int('axis', c.opset < 13 ? 1 : -1), x.shape.length);
  }
  return [fact(x.type, x.shape)];
};

const since: readonly number[] = [1, 11, 13];

export const rows: readonly OpRow[] = [
  { op: 'Softmax', since, inputs: [1, 1], outputs: [1, 1], shape: alongAxis },
  { op: 'LogSoftmax', since, inputs: [1, 1], outputs: [1, 1], shape: alongAxis },
  { op: 'Hardmax', since, inputs: [1, 1], outputs: [1, 1], shape: alongAxis },
];
