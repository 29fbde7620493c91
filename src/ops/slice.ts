/**
 * Slice: 1 (starts, ends and axes are attributes, steps are 1), 10 (they are inputs, steps), 11 (negative axes), 13.
 */

import { isAtMost, isNonNegative } from '../graph/dim-order.ts';
import { add, ceilDiv, type Dim, formatShape, isKnown, max, min, sub } from '../graph/dims.ts';
import type { Fact, Scalar } from '../graph/types.ts';
import { isUnknown } from '../graph/unknown-dims.ts';
import { pick, range } from './elements.ts';
import {
  knownDims,
  knownNumbers,
  normaliseAxes,
  reshaped,
  type Shape,
  staticShape,
  unknownShape,
} from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule, ViewRule } from './types.ts';

/** What one axis keeps, as the model states it. */
interface Cut {
  readonly start: Dim;
  /** Infinity: to the end of the axis. */
  readonly end: Dim;
  readonly step: number;
}

/** INT32_MAX and INT64_MAX mean "to the end of the axis", whatever the sign of the step. */
function endOf(element: Scalar): Dim {
  if (element === 2 ** 31 - 1 || element === 2n ** 63n - 1n) return Infinity;
  return typeof element === 'bigint' ? Number(element) : element;
}

/** The cuts by axis; undefined where an axis stays whole, 'unknown' where the operands are computed from data. */
function cutsOf(c: OpContext, rank: number): readonly (Cut | undefined)[] | 'unknown' {
  const starts = c.opset < 10 ? c.ints('starts') : knownDims(c.input(1));
  const ends = c.opset < 10 ? c.ints('ends') : c.input(2).value?.map(endOf);
  const axes = given(
    c,
    'axes',
    3,
    starts?.map((_, i) => i),
  );
  const steps = given(
    c,
    'steps',
    4,
    starts?.map(() => 1),
  );
  if (starts === undefined || ends === undefined || axes === undefined || steps === undefined)
    return 'unknown';
  if (starts.length !== ends.length || starts.length !== axes.length || starts.length !== steps.length) {
    c.fail(`starts ${formatShape(starts)}, ends ${formatShape(ends)}, axes and steps differ in length.`);
  }
  const cuts = new Array<Cut | undefined>(rank).fill(undefined);
  for (const [i, axis] of normaliseAxes(c, axes, rank).entries()) {
    if (steps[i] === 0) c.fail('a step is 0.');
    cuts[axis] = { start: starts[i]!, end: ends[i]!, step: steps[i]! };
  }
  return cuts;
}

function given(
  c: OpContext,
  name: string,
  position: number,
  standard: readonly number[] | undefined,
): readonly number[] | undefined {
  if (c.opset < 10) return c.ints(name) ?? standard;
  return c.node.inputs[position] === undefined ? standard : knownNumbers(c.optional(position));
}

/** The axes that are cut when only they are known: the others keep their size. */
function touchedAxes(c: OpContext, rank: number): ReadonlySet<number> {
  const count = c.input(1).shape?.[0];
  const first = count !== undefined && isKnown(count) ? range(count) : range(rank);
  const axes = given(c, 'axes', 3, first) ?? range(rank);
  if (count !== undefined && c.node.inputs[3] !== undefined) c.equate(count, axes.length);
  return new Set(normaliseAxes(c, axes, rank));
}

const sliceShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [reshaped(x, undefined)];
  const cuts = cutsOf(c, x.shape.length);
  if (cuts !== 'unknown') {
    return [
      reshaped(
        x,
        x.shape.map((size, axis) => (cuts[axis] ? lengthOf(c, size, cuts[axis]) : size)),
      ),
    ];
  }
  const touched = touchedAxes(c, x.shape.length);
  const open = unknownShape(c, x.shape.length, 'where it is cut is computed from data');
  return [
    reshaped(
      x,
      x.shape.map((size, axis) => (touched.has(axis) ? open[axis]! : size)),
    ),
  ];
};

function lengthOf(c: OpContext, size: Dim, cut: Cut): Dim {
  if (isKnown(size) && isKnown(cut.start) && isKnown(cut.end)) return indicesOf(size, cut).length;
  const length = cut.step > 0 ? forwardLength(size, cut) : backwardLength(size, cut);
  const atUnknownPlace = isUnknown(cut.start) || isUnknown(cut.end);
  if (length !== undefined && (isKnown(length) || !atUnknownPlace)) return length;
  return c.unknownDim('where it is cut depends on what is not known');
}

/** How many indices a known cut of a known size keeps, and which: onnxruntime's rule. */
function indicesOf(size: number, cut: Cut): { readonly start: number; readonly length: number } {
  if (size === 0) return { start: 0, length: 0 };
  const [start, end] = [cut.start as number, cut.end as number];
  const last = cut.step < 0 ? size - 1 : size;
  const from = clamp(start < 0 ? start + size : start, 0, last);
  const until =
    end === Infinity
      ? cut.step < 0
        ? -1
        : size
      : clamp(end < 0 ? end + size : end, cut.step < 0 ? -1 : 0, size);
  return { start: from, length: Math.max(0, Math.ceil((until - from) / cut.step)) };
}

function clamp(x: number, least: number, most: number): number {
  return Math.min(Math.max(x, least), most);
}

/** ceil(max(end - start, 0) / step), with both counted from the front. A start beyond the end needs no clamp. */
function forwardLength(size: Dim, cut: Cut): Dim | undefined {
  const start = fromFront(size, cut.start);
  const end = cut.end === Infinity ? size : fromFront(size, cut.end);
  if (start === undefined || end === undefined) return undefined;
  return ceilDiv(larger(sub(smaller(end, size), start), 0), cut.step);
}

function fromFront(size: Dim, index: Dim): Dim | undefined {
  if (isNonNegative(index)) return index;
  return isAtMost(index, -1) ? larger(add(size, index), 0) : undefined;
}

/** Of an open size only the whole can be walked backwards. */
function backwardLength(size: Dim, cut: Cut): Dim | undefined {
  const fromLast = isKnown(cut.start) && (cut.start === -1 || cut.start >= 2 ** 31 - 1);
  const toFirst = isKnown(cut.end) && (cut.end <= -(2 ** 31) + 1 || cut.end === Infinity);
  return fromLast && toFirst ? ceilDiv(size, -cut.step) : undefined;
}

function smaller(a: Dim, b: Dim): Dim {
  return isAtMost(a, b) ? a : isAtMost(b, a) ? b : min(a, b);
}

function larger(a: Dim, b: Dim): Dim {
  return isAtMost(a, b) ? b : isAtMost(b, a) ? a : max(a, b);
}

const sliceFold: FoldRule = (c, [output]) => {
  const x = c.input(0);
  const sizes = staticShape(x.shape);
  if (sizes === undefined || x.value === undefined || !isStatic(output)) return [undefined];
  const cuts = cutsOf(c, sizes.length);
  if (cuts === 'unknown') return [undefined];
  const lists: number[][] = [];
  for (const [axis, size] of sizes.entries()) {
    const cut = cuts[axis];
    if (cut === undefined) lists.push(range(size));
    else if (!isKnown(cut.start) || !isKnown(cut.end)) return [undefined];
    else {
      const { start, length } = indicesOf(size, cut);
      lists.push(range(length).map((i) => start + i * cut.step));
    }
  }
  return [pick(x.value, sizes, lists)];
};

/** A block, where each axis is walked forwards without leaving elements out, or has one element. */
const sliceViews: ViewRule = (c) => {
  const sizes = staticShape(c.input(0).shape);
  const cuts = sizes && cutsOf(c, sizes.length);
  if (sizes === undefined || cuts === undefined || cuts === 'unknown') return [];
  const starts: number[] = [];
  for (const [axis, size] of sizes.entries()) {
    const cut = cuts[axis];
    if (cut !== undefined && !(isKnown(cut.start) && isKnown(cut.end))) return [];
    const { start, length } = cut === undefined ? { start: 0, length: size } : indicesOf(size, cut);
    if (cut !== undefined && cut.step !== 1 && length !== 1) return [];
    starts.push(start);
  }
  return [{ output: 0, input: 0, starts }];
};

function isStatic(output: Fact | undefined): boolean {
  return staticShape(output?.shape as Shape | undefined) !== undefined;
}

export const rows: readonly OpRow[] = [
  {
    op: 'Slice',
    since: [1, 10, 11, 13],
    inputs: [1, 5],
    outputs: [1, 1],
    shape: sliceShape,
    fold: sliceFold,
    views: sliceViews,
  },
];
