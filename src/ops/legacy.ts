/**
 * Experimental operators of opset 1 that the standard has dropped, in files up to opset 9; onnxruntime still runs
 * most of them.
 *
 * Affine, ConstantFill, Crop, DynamicSlice, GRUUnit, GivenTensorFill, ImageScaler, ParametricSoftplus, Scale,
 * ScaledTanh: 1.
 */

import { type Dim, sub } from '../graph/dims.ts';
import { changedContext } from './context.ts';
import { checkRank, fact, knownDims, type Shape, staticShape, unknownShape } from './rules.ts';
import { rows as slice } from './slice.ts';
import { typeAttribute } from './type-attribute.ts';
import type { Arity, OpContext, OpRow, ShapeRule } from './types.ts';

const sameShape: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

/** border is left, top, right, bottom. With scale, a height and width, it only says where the crop starts. */
const crop: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 4);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const [left, top, right, bottom] = fourOf(c);
  const [batch, channels, height, width] = x.shape as [Dim, Dim, Dim, Dim];
  const scale = c.ints('scale') ?? [];
  if (scale.length > 0 && scale.length !== 2) c.fail(`scale [${scale.join(',')}] is no height and width.`);
  const size = scale.length > 0 ? scale : [sub(height, top + bottom), sub(width, left + right)];
  return [fact(x.type, [batch, channels, ...size])];
};

function fourOf(c: OpContext): readonly [number, number, number, number] {
  const border = c.ints('border') ?? [];
  if (border.length !== 4) c.fail(`border [${border.join(',')}] has not four numbers.`);
  return border as unknown as readonly [number, number, number, number];
}

/** The shape is the attribute, or that of the input, or what the input says; extra_shape is appended. */
function filledShape(c: OpContext): Shape | undefined {
  const extra = c.ints('extra_shape') ?? [];
  if (c.node.inputs[0] === undefined) {
    return [...(c.ints('shape') ?? c.fail('attribute shape is missing.')), ...extra];
  }
  const from = c.input(0);
  if (c.int('input_as_shape', 0) === 0) return from.shape && [...from.shape, ...extra];
  const rank = staticShape(from.shape)?.[0];
  const stated =
    knownDims(from) ?? (rank === undefined ? undefined : unknownShape(c, rank, 'a shape is not constant'));
  return stated && [...stated, ...extra];
}

const constantFill: ShapeRule = (c) => [fact(typeAttribute(c, 'dtype', 'float32'), filledShape(c))];

const givenTensorFill: ShapeRule = (c) => [fact('float32', filledShape(c))];

function row(op: string, shape: ShapeRule, inPlace?: readonly number[], inputs: Arity = [1, 1]): OpRow {
  const plain: OpRow = { op, since: [1], until: 10, inputs, outputs: [1, 1], shape };
  return inPlace === undefined ? plain : { ...plain, inPlace };
}

const standardSlice = slice.find((candidate) => candidate.op === 'Slice')!;

export const rows: readonly OpRow[] = [
  row('Affine', sameShape, [0]),
  row('ConstantFill', constantFill, undefined, [0, 1]),
  row('Crop', crop),
  row('DynamicSlice', (c) => standardSlice.shape(changedContext(c, { opset: 10 })), undefined, [3, 4]),
  row('GRUUnit', sameShape, undefined, [4, 4]),
  row('GivenTensorFill', givenTensorFill, undefined, [0, 1]),
  row('ImageScaler', sameShape, [0]),
  row('ParametricSoftplus', sameShape, [0]),
  row('Scale', sameShape, [0]),
  row('ScaledTanh', sameShape, [0]),
];
