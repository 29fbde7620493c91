/**
 * com.microsoft: arithmetic on quantised tensors, as the quantiser of onnxruntime writes it. Scale and zero point
 * follow each operand; those of the output come last. All of version 1.
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
 */
import { add } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { channelsFirst, toChannelsLast } from './channels-last.ts';
import { convShape } from './conv.ts';
import { gemmShape, matmulShape } from './matmul.ts';
import { poolShape } from './pool.ts';
import { quantised } from './quantization.ts';
import { reducedByAttribute } from './reduce.ts';
import { broadcast, checkRank, fact, normaliseAxis, reshaped, type Shape, unify } from './rules.ts';
import type { Arity, OpContext, OpRow, ShapeRule } from './types.ts';

/** As `quantised`; an output without a zero point has the type of its data. */
function like(c: OpContext, data: Fact, shape: Shape | undefined, scalePosition: number): Fact {
  return { ...quantised(c, shape, scalePosition), type: data.type };
}

/** A, its scale and zero point, B with its own, then those of the output. */
const binary: ShapeRule = (c) => {
  const a = c.input(0);
  return [like(c, a, broadcast(c, [a.shape, c.input(3).shape]), 6)];
};

const unary: ShapeRule = (c) => [like(c, c.input(0), c.input(0).shape, 3)];

const where: ShapeRule = (c) => {
  const x = c.input(1);
  return [like(c, x, broadcast(c, [c.input(0).shape, x.shape, c.input(4).shape]), 7)];
};

function isLast(c: OpContext): boolean {
  return c.int('channels_last', 0) !== 0;
}

/** A rule for channels first, also for channels last where the attribute says so. */
function eitherLayout(
  c: OpContext,
  last: boolean,
  rule: (c: OpContext) => Shape | undefined,
): Shape | undefined {
  if (!last) return rule(c);
  const shape = rule(channelsFirst(c));
  return shape === undefined ? undefined : toChannelsLast(shape);
}

const averagePool: ShapeRule = (c) => {
  const shape = eitherLayout(c, isLast(c), (inner) => poolShape(inner, inner.input(0)));
  return [like(c, c.input(0), shape, 3)];
};

const globalAveragePool: ShapeRule = (c) => {
  checkRank(c, c.input(0), 3, Infinity);
  const shape = eitherLayout(c, isLast(c), (inner) =>
    inner.input(0).shape?.map((dim, i) => (i < 2 ? dim : 1)),
  );
  return [like(c, c.input(0), shape, 3)];
};

const nhwcMaxPool: ShapeRule = (c) => {
  const shape = eitherLayout(c, true, (inner) => poolShape(inner, inner.input(0)));
  return [reshaped(c.input(0), shape)];
};

/** The weights stay [M, C / group, kH, kW] in either layout. */
const conv: ShapeRule = (c) => {
  const shape = eitherLayout(c, isLast(c), (inner) => convShape(inner, inner.input(0), inner.input(3)));
  return [quantised(c, shape, 6)];
};

/** Scale and zero point of the output, then triples of data, scale, zero point. */
const concat: ShapeRule = (c) => {
  const parts: Fact[] = [];
  for (let i = 2; i < c.inputs.length; i += 3) parts.push(c.input(i));
  const shapes = parts.map((part) => part.shape);
  const first = parts[0] ?? c.fail('there is nothing to join.');
  const joined = shapes.reduce((a, b) => {
    if (a === undefined || b === undefined) return undefined;
    if (a.length !== b.length) c.fail(`parts of rank ${a.length} and ${b.length} cannot be joined.`);
    const axis = normaliseAxis(c, c.int('axis'), a.length);
    return a.map((dim, i) => (i === axis ? add(dim, b[i]!) : unify(c, dim, b[i]!, `sizes of axis ${i}`)));
  });
  return [like(c, first, joined, 0)];
};

const reduceMean: ShapeRule = (c) => [like(c, c.input(0), reducedByAttribute(c, c.input(0).shape), 3)];

/** Without a scale of the output the product comes out as float. */
const gemm: ShapeRule = (c) => {
  const a = c.input(0);
  const b = c.input(3);
  checkRank(c, a, 2, 2, 'A');
  checkRank(c, b, 2, 2, 'B');
  const shape = gemmShape(c, a.shape, b.shape);
  return c.optional(8) === undefined ? [fact('float32', shape)] : [quantised(c, shape, 7)];
};

/** A product that comes out in the type of input `typed`, or in a fixed one. */
const product =
  (output: number | 'int32'): ShapeRule =>
  (c) => {
    const shape = matmulShape(c, c.input(0).shape, c.input(1).shape);
    return [fact(output === 'int32' ? output : c.input(output).type, shape)];
  };

/** Operands at 0 and 2, their zero points behind them; the output holds accumulators. */
const mulInteger: ShapeRule = (c) => [fact('int32', broadcast(c, [c.input(0).shape, c.input(2).shape]))];

const reduceSumInteger: ShapeRule = (c) => [
  fact(c.input(0).type === 'uint8' ? 'uint32' : 'int32', reducedByAttribute(c, c.input(0).shape)),
];

function row(op: string, inputs: Arity, shape: ShapeRule, inPlace?: readonly number[]): OpRow {
  const plain: OpRow = { op, domain: 'com.microsoft', since: [1], inputs, outputs: [1, 1], shape };
  return inPlace === undefined ? plain : { ...plain, inPlace };
}

export const rows: readonly OpRow[] = [
  row('DynamicQuantizeMatMul', [3, 5], product(0)),
  row('MatMulInteger16', [2, 2], product('int32')),
  row('MatMulIntegerToFloat', [4, 7], product(2)),
  row('MulInteger', [3, 4], mulInteger),
  row('NhwcMaxPool', [1, 1], nhwcMaxPool),
  row('QGemm', [6, 9], gemm),
  row('QLinearAdd', [7, 8], binary, [0, 3]),
  row('QLinearAveragePool', [4, 5], averagePool),
  row('QLinearConcat', [5, Infinity], concat),
  row('QLinearConv', [8, 9], conv),
  row('QLinearGlobalAveragePool', [5, 5], globalAveragePool),
  row('QLinearLeakyRelu', [4, 5], unary, [0]),
  row('QLinearMul', [7, 8], binary, [0, 3]),
  row('QLinearReduceMean', [4, 5], reduceMean),
  row('QLinearSigmoid', [4, 5], unary, [0]),
  row('QLinearSoftmax', [5, 5], unary),
  row('QLinearWhere', [9, 9], where),
  row('ReduceSumInteger', [1, 1], reduceSumInteger),
];
