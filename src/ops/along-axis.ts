/**
 * Operators that work along one axis, or on the last two, and keep the shape.
 *
 * CumSum: 11, 14. CumProd: 26. ReverseSequence: 10, 28. Trilu: 14.
 */

import { add, type Dim, mul } from '../graph/dims.ts';
import { isInteger } from '../graph/element-type.ts';
import type { Scalar } from '../graph/types.ts';
import { countOf, range } from './elements.ts';
import { checkRank, exactDims, fact, knownScalar, normaliseAxis, reshaped, staticShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { isNumeric, toType } from './values.ts';

const sameShape: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

/** Running totals, from the other end with reverse, without the element itself with exclusive. */
function cumulative(combine: (a: Dim, b: Dim) => Dim, neutral: number): FoldRule {
  return (c) => {
    const x = c.input(0);
    const sizes = staticShape(x.shape);
    const value = exactDims(x);
    const axis = knownScalar(c.input(1));
    if (sizes === undefined || value === undefined || axis === undefined) return [undefined];
    const along = normaliseAxis(c, axis, sizes.length);
    const inner = countOf(sizes.slice(along + 1));
    const order = range(sizes[along]!).map((i) => (c.int('reverse', 0) === 0 ? i : sizes[along]! - 1 - i));
    const result = new Array<Scalar>(value.length);
    for (const lane of lanes(sizes, along)) {
      let total: Dim = neutral;
      for (const i of order) {
        const next: Dim = combine(total, value[lane + i * inner]!);
        const kept: Dim = c.int('exclusive', 0) === 0 ? next : total;
        if (isNumeric(kept) && isInteger(x.type) && !Number.isSafeInteger(kept)) return [undefined];
        result[lane + i * inner] = isNumeric(kept) ? toType(x.type, kept) : kept;
        total = next;
      }
    }
    return [result];
  };
}

/** Where each lane along `axis` starts. */
function lanes(sizes: readonly number[], axis: number): readonly number[] {
  const inner = countOf(sizes.slice(axis + 1));
  const outer = countOf(sizes.slice(0, axis));
  return range(outer).flatMap((i) => range(inner).map((j) => i * sizes[axis]! * inner + j));
}

const atLeast = (rank: number): ShapeRule => {
  return (c: OpContext) => {
    checkRank(c, c.input(0), rank, Infinity);
    return [reshaped(c.input(0), c.input(0).shape)];
  };
};

/** Keeps one side of the k-th diagonal of every matrix. */
const triluFold: FoldRule = (c) => {
  const { shape, value } = c.input(0);
  const sizes = staticShape(shape);
  const k = c.node.inputs[1] === undefined ? 0 : knownScalar(c.optional(1));
  if (sizes === undefined || value === undefined || k === undefined) return [undefined];
  const [rows, columns] = [sizes.at(-2)!, sizes.at(-1)!];
  const upper = c.int('upper', 1) !== 0;
  return [
    value.map((element, at) => {
      const distance = (at % columns) - (Math.floor(at / columns) % rows);
      return (upper ? distance >= k : distance <= k) ? element : 0;
    }),
  ];
};

export const rows: readonly OpRow[] = [
  {
    op: 'CumSum',
    since: [11, 14],
    inputs: [2, 2],
    outputs: [1, 1],
    shape: sameShape,
    fold: cumulative(add, 0),
  },
  { op: 'CumProd', since: [26], inputs: [2, 2], outputs: [1, 1], shape: sameShape, fold: cumulative(mul, 1) },
  { op: 'ReverseSequence', since: [10, 28], inputs: [2, 2], outputs: [1, 1], shape: atLeast(2) },
  { op: 'Trilu', since: [14], inputs: [1, 2], outputs: [1, 1], shape: atLeast(2), fold: triluFold },
];
