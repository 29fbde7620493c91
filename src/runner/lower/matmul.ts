/** Matrix products, float32. */
import { address, call, list, onlyFloat, realText, structure } from '../arguments.ts';
import { broadcastStrides, gridText } from '../grid.ts';
import type { Call, Lowerings, Operand, RunnerNode, Table } from '../types.ts';

/** A memplan_product of a[..., rows, depth] and b[..., depth, columns]; vectors count as one row or column. */
export function productText(n: RunnerNode, a: Operand, b: Operand): string {
  const left = a.shape.length === 1 ? [1, ...a.shape] : a.shape;
  const right = b.shape.length === 1 ? [...b.shape, 1] : b.shape;
  const [rows, depth] = left.slice(-2) as [number, number];
  const columns = right.at(-1)!;
  const batchA = left.slice(0, -2);
  const batchB = right.slice(0, -2);
  const longer = batchA.length >= batchB.length ? batchA : batchB;
  const shape = longer.map((_, i) => {
    const at = (batch: readonly number[]) => batch[i + batch.length - longer.length] ?? 1;
    return at(batchA) === 1 ? at(batchB) : at(batchA);
  });
  const grid = {
    shape,
    strides: [
      broadcastStrides(batchA, shape).map((stride) => stride * rows * depth),
      broadcastStrides(batchB, shape).map((stride) => stride * depth * columns),
    ],
  };
  return `${gridText(n, grid)}, ${rows}, ${columns}, ${depth}, ${list([depth, 1])}, ${list([columns, 1])}`;
}

function matmul(n: RunnerNode): readonly Call[] {
  const [a, b, y] = [n.input(0), n.input(1), n.output(0)];
  onlyFloat(n, a, b);
  const table = structure('product', [productText(n, a, b)]);
  return [call('matmul', 'matmul_f32', address(a), address(b), address(y), table)];
}

/** The product of a Gemm, whose operands may be transposed. */
export function gemmText(n: RunnerNode, a: Operand, b: Operand): string {
  const turned = (x: Operand, attribute: string) =>
    n.c.int(attribute, 0) !== 0 ? x.shape.toReversed() : x.shape;
  const [rows, depth] = turned(a, 'transA') as [number, number];
  const [, columns] = turned(b, 'transB') as [number, number];
  const strideA = n.c.int('transA', 0) !== 0 ? [1, rows] : [depth, 1];
  const strideB = n.c.int('transB', 0) !== 0 ? [1, depth] : [columns, 1];
  return `{1, {1}, {{1}, {1}, {0}}}, ${rows}, ${columns}, ${depth}, ${list(strideA)}, ${list(strideB)}`;
}

function gemm(n: RunnerNode): readonly Call[] {
  const [a, b, c, y] = [n.input(0), n.input(1), n.optional(2), n.output(0)];
  onlyFloat(n, a, b, c);
  const strides = c === undefined ? [0, 0] : broadcastStrides(c.shape, y.shape);
  const factors = [n.c.float('alpha', 1), n.c.float('beta', 1)].map(realText);
  const table: Table = structure('gemm', [`{${gemmText(n, a, b)}}`, list(strides), ...factors]);
  return [call('matmul', 'gemm_f32', address(a), address(b), address(c), address(y), table)];
}

export const lowerings: Lowerings = {
  MatMul: { lower: matmul },
  Gemm: { lower: gemm },
};
