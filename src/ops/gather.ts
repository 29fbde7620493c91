/**
 * Operators that pick elements by index.
 *
 * Gather: 1, 11 (negative indices), 13. GatherElements: 11, 13. GatherND: 11, 12 (batch_dims), 13.
 */
import { formatShape, isKnown } from '../graph/dims.ts';
import type { Scalar, Value } from '../graph/types.ts';
import { countOf, offsetsOf, range, stridesOf } from './elements.ts';
import { knownNumbers, normaliseAxis, reshaped, staticShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

const gatherShape: ShapeRule = (c) => {
  const data = c.input(0);
  const indices = c.input(1).shape;
  if (data.shape === undefined || indices === undefined) return [reshaped(data, undefined)];
  const axis = normaliseAxis(c, c.int('axis', 0), data.shape.length);
  return [reshaped(data, [...data.shape.slice(0, axis), ...indices, ...data.shape.slice(axis + 1)])];
};

const gatherFold: FoldRule = (c) => {
  const data = c.input(0);
  const sizes = staticShape(data.shape);
  const indices = knownNumbers(c.input(1));
  if (sizes === undefined || data.value === undefined || indices === undefined) return [undefined];
  const axis = normaliseAxis(c, c.int('axis', 0), sizes.length);
  const outer = countOf(sizes.slice(0, axis));
  const inner = countOf(sizes.slice(axis + 1));
  const chosen = indices.map((index) => normaliseAxis(c, index, sizes[axis]!, 'index'));
  const result: Scalar[] = [];
  for (let i = 0; i < outer; i++) {
    for (const index of chosen) {
      const start = (i * sizes[axis]! + index) * inner;
      for (let j = 0; j < inner; j++) result.push(data.value[start + j]!);
    }
  }
  return [result];
};

/** The output has the shape of the indices. */
const gatherElementsShape: ShapeRule = (c) => {
  const data = c.input(0);
  const indices = c.input(1);
  if (data.shape !== undefined && indices.shape !== undefined) {
    if (data.shape.length !== indices.shape.length) {
      c.fail(`data ${formatShape(data.shape)} and indices ${formatShape(indices.shape)} differ in rank.`);
    }
    normaliseAxis(c, c.int('axis', 0), data.shape.length);
  }
  return [reshaped(data, indices.shape)];
};

const gatherElementsFold: FoldRule = (c) => {
  const data = c.input(0);
  const sizes = staticShape(data.shape);
  const target = staticShape(c.input(1).shape);
  const indices = knownNumbers(c.input(1));
  if (sizes === undefined || target === undefined || data.value === undefined || indices === undefined) {
    return [undefined];
  }
  const axis = normaliseAxis(c, c.int('axis', 0), sizes.length);
  return [elementsAt(c, data.value, sizes, target, indices, axis)];
};

function elementsAt(
  c: OpContext,
  data: Value,
  sizes: readonly number[],
  target: readonly number[],
  indices: readonly number[],
  axis: number,
): Value {
  const strides = stridesOf(sizes);
  const offsets = offsetsOf(
    target,
    target.map((size, i) => range(size).map((j) => (i === axis ? 0 : j * strides[i]!))),
  );
  return offsets.map((offset, at) => {
    const index = normaliseAxis(c, indices[at]!, sizes[axis]!, 'index');
    return data[offset + index * strides[axis]!]!;
  });
}

/** The shape of the indices without the last axis, then the axes of the data that an index leaves whole. */
const gatherNdShape: ShapeRule = (c) => {
  const data = c.input(0);
  const indices = c.input(1).shape;
  const depth = indices?.at(-1);
  if (indices?.length === 0) c.fail('the indices are a scalar.');
  if (data.shape === undefined || indices === undefined || depth === undefined || !isKnown(depth)) {
    return [reshaped(data, undefined)];
  }
  const start = c.int('batch_dims', 0) + depth;
  if (start > data.shape.length) {
    c.fail(`indices ${formatShape(indices)} reach deeper than data ${formatShape(data.shape)}.`);
  }
  return [reshaped(data, [...indices.slice(0, -1), ...data.shape.slice(start)])];
};

const gatherNdFold: FoldRule = (c) => {
  const data = c.input(0);
  const sizes = staticShape(data.shape);
  const shape = staticShape(c.input(1).shape);
  const indices = knownNumbers(c.input(1));
  if (sizes === undefined || shape === undefined || data.value === undefined || indices === undefined) {
    return [undefined];
  }
  const batch = c.int('batch_dims', 0);
  const depth = shape.at(-1)!;
  const tuples = countOf(shape.slice(0, -1));
  const perBatch = tuples / Math.max(1, countOf(sizes.slice(0, batch)));
  const strides = stridesOf(sizes);
  const block = countOf(sizes.slice(batch + depth));
  const result: Scalar[] = [];
  for (let tuple = 0; tuple < tuples; tuple++) {
    let start = Math.floor(tuple / perBatch) * countOf(sizes.slice(batch));
    for (let i = 0; i < depth; i++) {
      const index = normaliseAxis(c, indices[tuple * depth + i]!, sizes[batch + i]!, 'index');
      start += index * strides[batch + i]!;
    }
    for (let j = 0; j < block; j++) result.push(data.value[start + j]!);
  }
  return [result];
};

export const rows: readonly OpRow[] = [
  {
    op: 'Gather',
    since: [1, 11, 13],
    inputs: [2, 2],
    outputs: [1, 1],
    shape: gatherShape,
    fold: gatherFold,
  },
  {
    op: 'GatherElements',
    since: [11, 13],
    inputs: [2, 2],
    outputs: [1, 1],
    shape: gatherElementsShape,
    fold: gatherElementsFold,
  },
  {
    op: 'GatherND',
    since: [11, 12, 13],
    inputs: [2, 2],
    outputs: [1, 1],
    shape: gatherNdShape,
    fold: gatherNdFold,
  },
];
