/**
 * Operators that make tensors from nothing or from sizes.
 *
 * Constant: 1, 9, 11 (sparse_value), 12 (value_int and the like), 13, 19, 21, 23, 24, 25.
 * ConstantOfShape: 9, 20, 21, 23, 24, 25. Range: 11, 27 (stash_type). EyeLike: 9, 22.
 * RandomNormal, RandomUniform, RandomNormalLike, RandomUniformLike: 1, 22. Bernoulli: 15, 22. Multinomial: 7, 22.
 */

import { isNonNegative } from '../graph/dim-order.ts';
import { add, ceilDiv, type Dim, formatShape, isKnown, max, sub } from '../graph/dims.ts';
import { type ElementType, isFloat } from '../graph/element-type.ts';
import type { Value } from '../graph/types.ts';
import { countOf, range } from './elements.ts';
import { checkRank, exactDims, fact, knownDims, knownScalar, staticShape, unknownShape } from './rules.ts';
import { typeAttribute } from './type-attribute.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { constantFact, repeated, roundFloat } from './values.ts';

/** A Constant that reading the file has left a node. */
const constantShape: ShapeRule = (c) => {
  const tensor = c.tensor('value');
  if (tensor !== undefined) return [constantFact(tensor)];
  if (c.has('value_float')) return [fact('float32', [])];
  if (c.has('value_int')) return [fact('int64', [])];
  if (c.has('value_string')) return [fact('string', [])];
  const [floats, ints, strings] = [
    c.floats('value_floats'),
    c.ints('value_ints'),
    c.strings('value_strings'),
  ];
  if (floats !== undefined) return [fact('float32', [floats.length])];
  if (ints !== undefined) return [fact('int64', [ints.length])];
  return [strings === undefined ? c.fail('it has no value.') : fact('string', [strings.length])];
};

const constantFold: FoldRule = (c, [output]) => {
  if (c.has('value_float')) return [[Math.fround(c.float('value_float'))]];
  if (c.has('value_int')) return [[c.int('value_int')]];
  const ints = c.node.attributes.get('value_ints');
  if (ints?.kind === 'ints') return [ints.value];
  return [c.floats('value_floats')?.map(Math.fround) ?? output?.value];
};

const constantOfShapeShape: ShapeRule = (c) => {
  const type = c.tensor('value')?.type ?? 'float32';
  const sizes = knownDims(c.input(0));
  if (sizes?.some((size) => isKnown(size) && size < 0))
    c.fail(`the shape ${formatShape(sizes)} is negative.`);
  if (sizes !== undefined) return [fact(type, sizes)];
  const rank = c.input(0).shape?.[0];
  if (rank === undefined || !isKnown(rank)) return [fact(type, undefined)];
  return [fact(type, unknownShape(c, rank, 'the shape is computed from data'))];
};

const constantOfShapeFold: FoldRule = (c, [output]) => {
  const sizes = staticShape(output?.shape);
  const element = c.has('value') ? c.tensor('value')?.value()?.[0] : 0;
  return [sizes === undefined || element === undefined ? undefined : repeated(element, countOf(sizes))];
};

/** max(ceil((limit - start) / delta), 0), the difference in the type of the operands as onnxruntime has it. */
const rangeShape: ShapeRule = (c) => {
  const [start, limit, delta] = [0, 1, 2].map((position) => knownDims(c.input(position))?.[0]);
  const { type } = c.input(0);
  const count =
    start === undefined || limit === undefined || delta === undefined
      ? undefined
      : lengthOf(c, type, start, limit, delta);
  return [fact(type, [count ?? c.unknownDim('its limits are computed from data')])];
};

function lengthOf(c: OpContext, type: ElementType, start: Dim, limit: Dim, delta: Dim): Dim | undefined {
  if (delta === 0) c.fail('delta is 0.');
  if (!isKnown(delta)) return undefined;
  if (isKnown(start) && isKnown(limit)) {
    const difference = isFloat(type) ? roundFloat(type, limit - start) : limit - start;
    return Math.max(Math.ceil(difference / delta), 0);
  }
  const span = delta > 0 ? sub(limit, start) : sub(start, limit);
  return ceilDiv(isNonNegative(span) ? span : max(span, 0), Math.abs(delta));
}

const rangeFold: FoldRule = (c, [output]) => {
  const count = staticShape(output?.shape)?.[0];
  const start = exactDims(c.input(0))?.[0];
  const delta = knownScalar(c.input(2));
  if (count === undefined || start === undefined || delta === undefined) return [undefined];
  const { type } = c.input(0);
  if (!isFloat(type)) return [range(count).map((i) => add(start, i * delta))];
  if (!isKnown(start)) return [undefined];
  return [steps(type, start, delta, count)];
};

/** Floats add up step by step, as onnxruntime has them. */
function steps(type: ElementType, start: number, delta: number, count: number): Value {
  const values: number[] = [];
  for (let at = start; values.length < count; at = roundFloat(type, at + delta)) values.push(at);
  return values;
}

const eyeLikeShape: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2);
  return [fact(typeAttribute(c, 'dtype', x.type), x.shape)];
};

const eyeLikeFold: FoldRule = (c, [output]) => {
  const sizes = staticShape(output?.shape);
  if (sizes === undefined) return [undefined];
  const [rows = 0, columns = 0] = sizes;
  const k = c.int('k', 0);
  return [range(rows * columns).map((at) => (at % columns === Math.floor(at / columns) + k ? 1 : 0))];
};

const randomShape: ShapeRule = (c) => [
  fact(typeAttribute(c, 'dtype', 'float32'), c.ints('shape') ?? c.fail('attribute shape is missing.')),
];

const randomLikeShape: ShapeRule = (c) => [
  fact(typeAttribute(c, 'dtype', c.input(0).type), c.input(0).shape),
];

const multinomialShape: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2);
  const batch = x.shape?.[0] ?? c.unknownDim('the rank of the input is not known');
  return [fact(typeAttribute(c, 'dtype', 'int32'), [batch, c.int('sample_size', 1)])];
};

function random(op: string, since: readonly number[], inputs: 0 | 1, shape: ShapeRule): OpRow {
  return { op, since, inputs: [inputs, inputs], outputs: [1, 1], shape, foldable: false };
}

export const rows: readonly OpRow[] = [
  {
    op: 'Constant',
    since: [1, 9, 11, 12, 13, 19, 21, 23, 24, 25],
    inputs: [0, 0],
    outputs: [1, 1],
    shape: constantShape,
    fold: constantFold,
  },
  {
    op: 'ConstantOfShape',
    since: [9, 20, 21, 23, 24, 25],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: constantOfShapeShape,
    fold: constantOfShapeFold,
  },
  { op: 'Range', since: [11, 27], inputs: [3, 3], outputs: [1, 1], shape: rangeShape, fold: rangeFold },
  { op: 'EyeLike', since: [9, 22], inputs: [1, 1], outputs: [1, 1], shape: eyeLikeShape, fold: eyeLikeFold },
  random('RandomNormal', [1, 22], 0, randomShape),
  random('RandomUniform', [1, 22], 0, randomShape),
  random('RandomNormalLike', [1, 22], 1, randomLikeShape),
  random('RandomUniformLike', [1, 22], 1, randomLikeShape),
  random('Bernoulli', [15, 22], 1, randomLikeShape),
  random('Multinomial', [7, 22], 1, multinomialShape),
];
