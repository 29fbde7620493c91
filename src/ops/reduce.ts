/**
 * Reductions over axes.
 *
 * ReduceSum: 1, 11, 13 (axes became an input).
 * ReduceMax, ReduceMin: 1, 11, 12 (int8), 13, 18 (axes became an input), 20 (bool).
 * ReduceMean, ReduceProd, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceSumSquare: 1, 11, 13, 18.
 * ArgMax, ArgMin: 1, 11, 12 (select_last_index), 13.
 */
import { foldArg, foldReduction, type Reduction } from './reduce-fold.ts';
import { fact, intsOf, normaliseAxis, type Shape, staticShape, unknownShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

/**
 * The axes a reduction works on (repeats do no harm), 'unknown' while they are not constant. No axes means all of
 * them, or with noop_with_empty_axes none.
 */
function reducedAxes(c: OpContext, rank: number): readonly number[] | 'unknown' {
  const axes = intsOf(c, 'axes', 1, []);
  if (axes === 'unknown') return 'unknown';
  if (axes.length > 0) return axes.map((axis) => normaliseAxis(c, axis, rank));
  return c.int('noop_with_empty_axes', 0) !== 0 ? [] : Array.from({ length: rank }, (_, i) => i);
}

/** The shape without the axes, or with 1 in their places. */
function withoutAxes(shape: Shape, axes: readonly number[], keep: boolean): Shape {
  return shape.flatMap((dim, i) => (axes.includes(i) ? (keep ? [1] : []) : [dim]));
}

function keepsDims(c: OpContext): boolean {
  return c.int('keepdims', 1) !== 0;
}

/** The shape after a reduction whose axes can only be an attribute; without it all axes go. */
export function reducedByAttribute(c: OpContext, shape: Shape | undefined): Shape | undefined {
  if (shape === undefined) return undefined;
  const axes = c.ints('axes') ?? [];
  const over =
    axes.length > 0 ? axes.map((axis) => normaliseAxis(c, axis, shape.length)) : shape.map((_, i) => i);
  return withoutAxes(shape, over, keepsDims(c));
}

const WHY = 'the axes of a reduction are not constant';

const reduce: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const rank = x.shape.length;
  const axes = reducedAxes(c, rank);
  if (axes !== 'unknown') return [fact(x.type, withoutAxes(x.shape, axes, keepsDims(c)))];
  const count = staticShape(c.optional(1)?.shape)?.[0];
  if (keepsDims(c)) return [fact(x.type, unknownShape(c, rank, WHY))];
  if (count === undefined || count === 0) return [fact(x.type, undefined)];
  return [fact(x.type, unknownShape(c, Math.max(0, rank - count), WHY))];
};

const folded =
  (kind: Reduction): FoldRule =>
  (c) => {
    const x = c.input(0);
    const shape = staticShape(x.shape);
    if (shape === undefined || x.value === undefined) return [undefined];
    const axes = reducedAxes(c, shape.length);
    return [axes === 'unknown' ? undefined : foldReduction(kind, x.value, x.type, shape, axes)];
  };

const argReduce: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [fact('int64', undefined)];
  const axis = normaliseAxis(c, c.int('axis', 0), x.shape.length);
  return [fact('int64', withoutAxes(x.shape, [axis], keepsDims(c)))];
};

const argFolded =
  (largest: boolean): FoldRule =>
  (c) => {
    const x = c.input(0);
    const shape = staticShape(x.shape);
    if (shape === undefined || x.value === undefined) return [undefined];
    const axis = normaliseAxis(c, c.int('axis', 0), shape.length);
    return [foldArg(x.value, shape, axis, largest, c.int('select_last_index', 0) !== 0)];
  };

function reduction(op: string, since: readonly number[], kind?: Reduction): OpRow {
  const row: OpRow = { op, since, inputs: [1, 2], outputs: [1, 1], shape: reduce };
  return kind === undefined ? row : { ...row, fold: folded(kind) };
}

export const rows: readonly OpRow[] = [
  reduction('ReduceSum', [1, 11, 13], 'sum'),
  reduction('ReduceMax', [1, 11, 12, 13, 18, 20], 'max'),
  reduction('ReduceMin', [1, 11, 12, 13, 18, 20], 'min'),
  reduction('ReduceMean', [1, 11, 13, 18], 'mean'),
  reduction('ReduceProd', [1, 11, 13, 18], 'product'),
  reduction('ReduceL1', [1, 11, 13, 18], 'l1'),
  reduction('ReduceL2', [1, 11, 13, 18], 'l2'),
  reduction('ReduceSumSquare', [1, 11, 13, 18], 'sumSquare'),
  reduction('ReduceLogSum', [1, 11, 13, 18]),
  reduction('ReduceLogSumExp', [1, 11, 13, 18]),
  {
    op: 'ArgMax',
    since: [1, 11, 12, 13],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: argReduce,
    fold: argFolded(true),
  },
  {
    op: 'ArgMin',
    since: [1, 11, 12, 13],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: argReduce,
    fold: argFolded(false),
  },
];
