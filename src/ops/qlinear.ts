/**
 * Integer arithmetic of the standard.
 *
 * QLinearConv: 10. QLinearMatMul: 10, 21 (float8, 16-bit scales).
 * ConvInteger, MatMulInteger: 10.
 */
import { convShape } from './conv.ts';
import { matmulShape } from './matmul.ts';
import { quantised } from './quantization.ts';
import { fact } from './rules.ts';
import type { OpRow, ShapeRule } from './types.ts';

/** Inputs: x and w, each with scale and zero point, then scale and zero point of the output, bias. */
const qlinearConv: ShapeRule = (c) => [quantised(c, convShape(c, c.input(0), c.input(3)), 6)];

const qlinearMatMul: ShapeRule = (c) => [quantised(c, matmulShape(c, c.input(0).shape, c.input(3).shape), 6)];

/** The accumulators come out as they are. */
const convInteger: ShapeRule = (c) => [fact('int32', convShape(c, c.input(0), c.input(1)))];

const matmulInteger: ShapeRule = (c) => [fact('int32', matmulShape(c, c.input(0).shape, c.input(1).shape))];

export const rows: readonly OpRow[] = [
  { op: 'QLinearConv', since: [10], inputs: [8, 9], outputs: [1, 1], shape: qlinearConv },
  { op: 'QLinearMatMul', since: [10, 21], inputs: [8, 8], outputs: [1, 1], shape: qlinearMatMul },
  { op: 'ConvInteger', since: [10], inputs: [2, 4], outputs: [1, 1], shape: convInteger },
  { op: 'MatMulInteger', since: [10], inputs: [2, 4], outputs: [1, 1], shape: matmulInteger },
];
