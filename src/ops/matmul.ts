/**
 * Matrix products over floats.
 *
 * MatMul: 1, 9 (integers), 13 (bfloat16).
 * Gemm: 1, 6, 7 (C broadcasts by itself), 9, 11 (C optional), 13.
 * Einsum: 12. Det: 11, 22 (bfloat16).
 */
import type { Dim } from '../graph/dims.ts';
import { einsumShape } from './einsum.ts';
import { broadcast, checkRank, fact, type Shape, unify } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/**
 * The shape of numpy.matmul: a vector on the left gains a leading 1, one on the right a trailing 1, and both lose
 * it again; all but the last two dimensions broadcast. Undefined while a rank is unknown.
 */
export function matmulShape(c: OpContext, a: Shape | undefined, b: Shape | undefined): Shape | undefined {
  if (a?.length === 0 || b?.length === 0) c.fail('a scalar has no matrix product.');
  if (a === undefined || b === undefined) return undefined;
  const left = a.length === 1 ? [1, a[0]!] : a;
  const right = b.length === 1 ? [b[0]!, 1] : b;
  unify(c, left.at(-1)!, right.at(-2)!, 'columns of the left and rows of the right operand');
  const batch = broadcast(c, [left.slice(0, -2), right.slice(0, -2)])!;
  const tail: Dim[] = [];
  if (a.length > 1) tail.push(left.at(-2)!);
  if (b.length > 1) tail.push(right.at(-1)!);
  return [...batch, ...tail];
}

const matmul: ShapeRule = (c) => {
  const a = c.input(0);
  return [fact(a.type, matmulShape(c, a.shape, c.input(1).shape))];
};

/**
 * The shape of Gemm (https://onnx.ai/onnx/operators/onnx__Gemm.html). Both operands have rank 2; the third only
 * has to broadcast to the result.
 */
export function gemmShape(c: OpContext, a: Shape | undefined, b: Shape | undefined): Shape | undefined {
  if (a === undefined || b === undefined) return undefined;
  const [rows, inner] = c.int('transA', 0) === 0 ? a : [a[1]!, a[0]!];
  const [depth, columns] = c.int('transB', 0) === 0 ? b : [b[1]!, b[0]!];
  unify(c, inner!, depth!, 'inner dimensions of A and B');
  return [rows!, columns!];
}

const gemm: ShapeRule = (c) => {
  const a = c.input(0);
  const b = c.input(1);
  checkRank(c, a, 2, 2, 'A');
  checkRank(c, b, 2, 2, 'B');
  const shape = gemmShape(c, a.shape, b.shape);
  const bias = c.optional(2)?.shape;
  if (shape !== undefined && bias !== undefined) {
    if (bias.length > 2) c.fail(`C has rank ${bias.length}, but must broadcast to a matrix.`);
    broadcast(c, [shape, bias]);
  }
  return [fact(a.type, shape)];
};

const einsum: ShapeRule = (c) => {
  const inputs = c.inputs.map((_, i) => c.input(i));
  return [
    fact(
      inputs[0]!.type,
      einsumShape(
        c,
        c.string('equation'),
        inputs.map((x) => x.shape),
      ),
    ),
  ];
};

/** The determinants of a stack of square matrices. */
const det: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2, Infinity);
  if (x.shape !== undefined) unify(c, x.shape.at(-1)!, x.shape.at(-2)!, 'sides of the matrix');
  return [fact(x.type, x.shape?.slice(0, -2))];
};

export const rows: readonly OpRow[] = [
  { op: 'MatMul', since: [1, 9, 13], inputs: [2, 2], outputs: [1, 1], shape: matmul },
  { op: 'Gemm', since: [1, 6, 7, 9, 11, 13], inputs: [2, 3], outputs: [1, 1], shape: gemm },
  { op: 'Einsum', since: [12], inputs: [1, Infinity], outputs: [1, 1], shape: einsum },
  { op: 'Det', since: [11, 22], inputs: [1, 1], outputs: [1, 1], shape: det },
];
