/**
 * Operators that write elements by index into a copy of the data. The output has the data's shape.
 *
 * Scatter: 9, deprecated since 11. ScatterElements: 11, 13, 16 (reduction), 18. ScatterND: 11, 13, 16, 18.
 * TensorScatter: 24.
 */
import type { Scalar } from '../graph/types.ts';
import { countOf, offsetsOf, range, stridesOf } from './elements.ts';
import { knownNumbers, normaliseAxis, reshaped, staticShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

const sameAsData: ShapeRule = (c) => [reshaped(c.input(0), c.input(0).shape)];

/** Only writes that replace are evaluated; reductions never decide shapes. */
function replaces(c: OpContext): boolean {
  return c.string('reduction', 'none') === 'none';
}

const scatterElementsFold: FoldRule = (c) => {
  const { shape, value } = c.input(0);
  const sizes = staticShape(shape);
  const target = staticShape(c.input(1).shape);
  const indices = knownNumbers(c.input(1));
  const updates = c.input(2).value;
  if (!sizes || !target || !value || !indices || !updates || !replaces(c)) return [undefined];
  const axis = normaliseAxis(c, c.int('axis', 0), sizes.length);
  const strides = stridesOf(sizes);
  const offsets = offsetsOf(
    target,
    target.map((size, i) => range(size).map((j) => (i === axis ? 0 : j * strides[i]!))),
  );
  const result: Scalar[] = [...value];
  for (const [at, offset] of offsets.entries()) {
    const index = normaliseAxis(c, indices[at]!, sizes[axis]!, 'index');
    result[offset + index * strides[axis]!] = updates[at]!;
  }
  return [result];
};

const scatterNdFold: FoldRule = (c) => {
  const { shape, value } = c.input(0);
  const sizes = staticShape(shape);
  const target = staticShape(c.input(1).shape);
  const indices = knownNumbers(c.input(1));
  const updates = c.input(2).value;
  if (!sizes || !target || !value || !indices || !updates || !replaces(c)) return [undefined];
  const depth = target.at(-1)!;
  const strides = stridesOf(sizes);
  const block = countOf(sizes.slice(depth));
  const result: Scalar[] = [...value];
  for (let tuple = 0; tuple < countOf(target.slice(0, -1)); tuple++) {
    let start = 0;
    for (let i = 0; i < depth; i++) {
      start += normaliseAxis(c, indices[tuple * depth + i]!, sizes[i]!, 'index') * strides[i]!;
    }
    for (let j = 0; j < block; j++) result[start + j] = updates[tuple * block + j]!;
  }
  return [result];
};

const shared = { inputs: [3, 3], outputs: [1, 1], shape: sameAsData } as const;

export const rows: readonly OpRow[] = [
  { ...shared, op: 'Scatter', since: [9], until: 11, fold: scatterElementsFold },
  { ...shared, op: 'ScatterElements', since: [11, 13, 16, 18], fold: scatterElementsFold },
  { ...shared, op: 'ScatterND', since: [11, 13, 16, 18], fold: scatterNdFold },
  { ...shared, op: 'TensorScatter', since: [24], inputs: [2, 3] },
];
