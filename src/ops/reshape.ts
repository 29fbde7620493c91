/**
 * Operators that give the same elements another shape. Their outputs are views.
 *
 * Reshape: 1 (shape is an attribute), 5 (it is an input), 13, 14 (allowzero), 19, 21, 23, 24, 25.
 * Flatten: 1, 9, 11 (negative axis), 13, 21, 23, 24, 25.
 * Squeeze: 1, 11 (negative axes), 13 (axes is an input), 21, 23, 24, 25.
 * Unsqueeze: 1, 11 (negative axes), 13 (axes is an input), 21, 23, 24, 25.
 */
import { type Dim, floorDiv, formatDim, formatShape, isKnown, mul, product, sameDim } from '../graph/dims.ts';
import {
  elementCount,
  intsOf,
  knownDims,
  normaliseAxes,
  normaliseAxis,
  reshaped,
  type Shape,
  unknownShape,
} from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule, ViewRule } from './types.ts';

/** Output 0 is input 0 under another shape. */
export const sameBytes: ViewRule = () => [{ output: 0, input: 0 }];

/** The elements of input 0, in their order. */
export const sameElements: FoldRule = (c) => [c.input(0).value];

const reshapeShape: ShapeRule = (c) => {
  const x = c.input(0);
  const target = c.opset < 5 ? c.ints('shape') : knownDims(c.input(1));
  return [reshaped(x, target === undefined ? unknownTarget(c, x.shape) : reshapeTo(c, x.shape, target))];
};

/** The number of sizes is known even where the sizes are not; a single one holds all elements. */
function unknownTarget(c: OpContext, shape: Shape | undefined): Shape | undefined {
  const rank = c.opset < 5 ? undefined : c.input(1).shape?.[0];
  if (rank === undefined || !isKnown(rank)) return undefined;
  const count = elementCount(shape);
  if (rank === 1 && count !== undefined) return [count];
  return unknownShape(c, rank, 'the new shape is computed from data');
}

function reshapeTo(c: OpContext, shape: Shape | undefined, target: readonly Dim[]): Shape {
  const copies = c.int('allowzero', 0) === 0;
  const open = target.indexOf(-1);
  if (open !== target.lastIndexOf(-1)) c.fail(`the new shape ${formatShape(target)} leaves two sizes open.`);
  const sizes = target.map((size, axis) => {
    if (isKnown(size) && size < -1) c.fail(`the new shape ${formatShape(target)} has a size below -1.`);
    if (size !== 0 || !copies) return size;
    if (shape === undefined) return c.unknownDim('it copies a dimension of a tensor whose rank is not known');
    return (
      shape[axis] ??
      c.fail(`the new shape ${formatShape(target)} copies axis ${axis} of ${formatShape(shape)}.`)
    );
  });
  const count = elementCount(shape);
  if (open >= 0)
    sizes[open] = restOf(c, shape, target, count, product(sizes.filter((_, axis) => axis !== open)));
  const total = product(sizes);
  if (count !== undefined && isKnown(count) && isKnown(total) && count !== total) {
    mismatch(c, shape, target, count, total);
  }
  if (count !== undefined && open < 0) c.equate(count, total);
  return sizes;
}

/** The size that -1 stands for: all elements over the product of the other sizes. */
function restOf(
  c: OpContext,
  shape: Shape | undefined,
  target: Shape,
  count: Dim | undefined,
  others: Dim,
): Dim {
  if (count === undefined) return c.unknownDim('the number of elements is not known');
  if (others === 0) {
    return c.fail(
      `-1 in the new shape ${formatShape(target)} cannot be found out: the other sizes multiply to 0.`,
    );
  }
  const rest = floorDiv(count, others);
  if (isKnown(count) && isKnown(others) && !sameDim(mul(rest, others), count)) {
    mismatch(c, shape, target, count, others);
  }
  return rest;
}

function mismatch(c: OpContext, from: Shape | undefined, to: Shape, count: Dim, total: Dim): never {
  return c.fail(
    `${formatShape(from)} has ${formatDim(count)} elements, which do not fit the new shape ${formatShape(to)} ` +
      `(${formatDim(total)}).`,
    'A size that the model fixes by a constant may contradict --dim or --input-shape.',
  );
}

const flattenShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) {
    return [reshaped(x, unknownShape(c, 2, 'the rank of the input is not known'))];
  }
  const rank = x.shape.length;
  const axis = c.int('axis', 1);
  const split = axis === rank ? rank : normaliseAxis(c, axis, Math.max(rank, 1));
  return [reshaped(x, [product(x.shape.slice(0, split)), product(x.shape.slice(split))])];
};

const squeezeShape: ShapeRule = (c) => {
  const x = c.input(0);
  const axes = intsOf(c, 'axes', 1, undefined);
  if (x.shape === undefined) return [reshaped(x, undefined)];
  if (axes === 'unknown') return [reshaped(x, undefined)];
  if (axes === undefined || axes.length === 0) return [reshaped(x, withoutOnes(c, x.shape, axes))];
  const gone = new Set(normaliseAxes(c, axes, x.shape.length));
  for (const axis of gone) {
    const size = x.shape[axis]!;
    if (isKnown(size) && size !== 1) c.fail(`axis ${axis} of ${formatShape(x.shape)} is ${size}, not 1.`);
    c.equate(size, 1);
  }
  return [
    reshaped(
      x,
      x.shape.filter((_, axis) => !gone.has(axis)),
    ),
  ];
};

/** Without axes every 1 goes; an open dimension could be one. An empty list is no list for onnxruntime. */
function withoutOnes(c: OpContext, shape: Shape, axes: readonly number[] | undefined): Shape | undefined {
  if (!shape.every(isKnown)) return undefined;
  const squeezed = shape.filter((size) => size !== 1);
  if (axes !== undefined && squeezed.length < shape.length) {
    c.note(
      `an empty list of axes gives ${formatShape(squeezed)} in onnxruntime, which is planned; the standard keeps ` +
        `${formatShape(shape)}.`,
    );
  }
  return squeezed;
}

const unsqueezeShape: ShapeRule = (c) => {
  const x = c.input(0);
  const axes = intsOf(c, 'axes', 1, undefined) ?? c.fail('axes are missing.');
  if (x.shape === undefined || axes === 'unknown') return [reshaped(x, undefined)];
  const added = new Set(normaliseAxes(c, axes, x.shape.length + axes.length));
  const rest = [...x.shape];
  return [
    reshaped(
      x,
      Array.from({ length: x.shape.length + axes.length }, (_, axis) =>
        added.has(axis) ? 1 : rest.shift()!,
      ),
    ),
  ];
};

const VERSIONS = [1, 11, 13, 21, 23, 24, 25];

const shared = { outputs: [1, 1], fold: sameElements, views: sameBytes } as const;

export const rows: readonly OpRow[] = [
  {
    ...shared,
    op: 'Reshape',
    since: [1, 5, 13, 14, 19, 21, 23, 24, 25],
    inputs: [1, 2],
    shape: reshapeShape,
  },
  { ...shared, op: 'Flatten', since: [1, 9, 11, 13, 21, 23, 24, 25], inputs: [1, 1], shape: flattenShape },
  { ...shared, op: 'Squeeze', since: VERSIONS, inputs: [1, 2], shape: squeezeShape },
  { ...shared, op: 'Unsqueeze', since: VERSIONS, inputs: [1, 2], shape: unsqueezeShape },
];
