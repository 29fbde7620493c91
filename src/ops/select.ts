/**
 * Operators that select by value: how much they select may depend on data.
 *
 * NonZero: 9, 13. Compress: 9, 11 (negative axis), 28. Unique: 11, 28.
 * TopK: 1 (k is an attribute), 10 (an input), 11 (largest, sorted), 24. OneHot: 9, 11 (negative axis), 28.
 */
import { type Dim, formatDim, isKnown } from '../graph/dims.ts';
import { countOf, pick, range, stridesOf } from './elements.ts';
import {
  elementCount,
  fact,
  knownDims,
  knownNumbers,
  normaliseAxis,
  reshaped,
  staticShape,
} from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { hasArithmetic, isNumeric } from './values.ts';

/** Row-major positions of what is not 0, or undefined while the value is not known. */
function nonZeroPlaces(c: OpContext): readonly number[] | undefined {
  const x = c.input(0);
  if (x.value === undefined || !hasArithmetic(x.type)) return undefined;
  const places: number[] = [];
  for (const [at, element] of x.value.entries()) {
    if (typeof element === 'object') return undefined;
    if (Number(element) !== 0) places.push(at);
  }
  return places;
}

/** [rank, count]: a scalar counts as a vector of one. */
const nonZeroShape: ShapeRule = (c) => {
  const rank = c.input(0).shape?.length ?? c.unknownDim('the rank of the input is not known');
  const count = nonZeroPlaces(c)?.length ?? c.unknownDim('how many elements are not 0 depends on data');
  return [fact('int64', [rank === 0 ? 1 : rank, count])];
};

const nonZeroFold: FoldRule = (c) => {
  const sizes = staticShape(c.input(0).shape);
  const places = nonZeroPlaces(c);
  if (sizes === undefined || places === undefined) return [undefined];
  if (sizes.length === 0) return [places.map(() => 0)];
  const strides = stridesOf(sizes);
  return [sizes.flatMap((size, axis) => places.map((at) => Math.floor(at / strides[axis]!) % size))];
};

const compressShape: ShapeRule = (c) => {
  const x = c.input(0);
  const condition = knownNumbers(c.input(1));
  const kept = condition?.filter((element) => element !== 0).length;
  const size: Dim = kept ?? c.unknownDim('how many elements are selected depends on data');
  if (!c.has('axis')) return [reshaped(x, [size])];
  if (x.shape === undefined) return [reshaped(x, undefined)];
  return [reshaped(x, x.shape.with(normaliseAxis(c, c.int('axis'), x.shape.length), size))];
};

const compressFold: FoldRule = (c) => {
  const x = c.input(0);
  const sizes = staticShape(x.shape);
  const condition = knownNumbers(c.input(1));
  if (sizes === undefined || x.value === undefined || condition === undefined) return [undefined];
  const kept = condition.flatMap((element, i) => (element === 0 ? [] : [i]));
  if (!c.has('axis')) return [pick(x.value, [x.value.length], [kept])];
  const axis = normaliseAxis(c, c.int('axis'), sizes.length);
  return [
    pick(
      x.value,
      sizes,
      sizes.map((size, i) => (i === axis ? kept : range(size))),
    ),
  ];
};

/** Y, the first index of each, where each input went, and how often each occurs. */
const uniqueShape: ShapeRule = (c) => {
  const x = c.input(0);
  const count = uniqueCount(c) ?? c.unknownDim('how many elements differ depends on data');
  const axis =
    c.has('axis') && x.shape !== undefined ? normaliseAxis(c, c.int('axis'), x.shape.length) : undefined;
  const all = axis === undefined ? elementCount(x.shape) : x.shape![axis];
  const indices = fact('int64', [count]);
  const inverse = fact('int64', [all ?? c.unknownDim('the rank of the input is not known')]);
  const values = c.has('axis') ? (axis === undefined ? undefined : x.shape!.with(axis, count)) : [count];
  return [reshaped(x, values), indices, inverse, indices];
};

/** Different elements of a constant, or different slices along the axis. */
function uniqueCount(c: OpContext): number | undefined {
  const { shape, value } = c.input(0);
  const sizes = staticShape(shape);
  if (sizes === undefined || value === undefined || !value.every(isNumeric)) return undefined;
  const axis = c.has('axis') ? normaliseAxis(c, c.int('axis'), sizes.length) : undefined;
  const inner = axis === undefined ? 1 : countOf(sizes.slice(axis + 1));
  const length = axis === undefined ? value.length : sizes[axis]!;
  const slices = range(length).map((): (number | bigint)[] => []);
  value.forEach((element, at) => {
    slices[Math.floor(at / inner) % length]!.push(element);
  });
  return new Set(slices.map((slice) => slice.join())).size;
}

const topKShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [reshaped(x, undefined), fact('int64', undefined)];
  const axis = normaliseAxis(c, c.int('axis', -1), x.shape.length);
  const k = c.opset < 10 ? c.int('k') : knownDims(c.input(1))?.[0];
  const shape = x.shape.with(
    axis,
    k === undefined ? c.unknownDim('k is computed from data') : chosen(c, k, x.shape[axis]!),
  );
  return [reshaped(x, shape), fact('int64', shape)];
};

function chosen(c: OpContext, k: Dim, size: Dim): Dim {
  if (isKnown(k) && k < 0) c.fail(`k is ${k}.`);
  if (isKnown(k) && isKnown(size) && k > size)
    c.fail(`k is ${formatDim(k)}, but the axis has ${formatDim(size)}.`);
  return k;
}

const oneHotShape: ShapeRule = (c) => {
  const indices = c.input(0).shape;
  const { type } = c.input(2);
  if (indices === undefined) return [fact(type, undefined)];
  const axis = normaliseAxis(c, c.int('axis', -1), indices.length + 1);
  const given = knownDims(c.input(1))?.[0];
  if (given !== undefined && isKnown(given) && given <= 0) c.fail(`depth is ${given}.`);
  const depth = given !== undefined && isKnown(given) ? Math.trunc(given) : given;
  return [fact(type, indices.toSpliced(axis, 0, depth ?? c.unknownDim('depth is computed from data')))];
};

const oneHotFold: FoldRule = (c, [output]) => {
  const sizes = staticShape(output?.shape);
  const indices = knownNumbers(c.input(0));
  const [off, on] = c.input(2).value ?? [];
  if (sizes === undefined || indices === undefined || off === undefined || on === undefined)
    return [undefined];
  const axis = normaliseAxis(c, c.int('axis', -1), sizes.length);
  const depth = sizes[axis]!;
  const inner = countOf(sizes.slice(axis + 1));
  return [
    range(countOf(sizes)).map((at) => {
      const level = Math.floor(at / inner) % depth;
      const index = indices[Math.floor(at / (inner * depth)) * inner + (at % inner)]!;
      return (index < 0 ? index + depth : index) === level ? on : off;
    }),
  ];
};

export const rows: readonly OpRow[] = [
  { op: 'NonZero', since: [9, 13], inputs: [1, 1], outputs: [1, 1], shape: nonZeroShape, fold: nonZeroFold },
  {
    op: 'Compress',
    since: [9, 11, 28],
    inputs: [2, 2],
    outputs: [1, 1],
    shape: compressShape,
    fold: compressFold,
  },
  { op: 'Unique', since: [11, 28], inputs: [1, 1], outputs: [1, 4], shape: uniqueShape },
  { op: 'TopK', since: [1, 10, 11, 24], inputs: [1, 2], outputs: [2, 2], shape: topKShape },
  {
    op: 'OneHot',
    since: [9, 11, 28],
    inputs: [3, 3],
    outputs: [1, 1],
    shape: oneHotShape,
    fold: oneHotFold,
  },
];
