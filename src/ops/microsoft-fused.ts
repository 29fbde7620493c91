/**
 * com.microsoft: what the graph optimiser of onnxruntime fuses: activations and biases into products and
 * convolutions, skip connections into normalisations. All of version 1.
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
 */
import { floorDiv } from '../graph/dims.ts';
import { channelsFirst, toChannelsLast } from './channels-last.ts';
import { convShape } from './conv.ts';
import { gemmShape, matmulShape } from './matmul.ts';
import { stashedShape } from './normalization.ts';
import { checkRank, fact, type Shape } from './rules.ts';
import type { Arity, OpContext, OpRow, ShapeRule } from './types.ts';

const conv: ShapeRule = (c) => [fact(c.input(0).type, convShape(c, c.input(0), c.input(1)))];

const nhwcConv: ShapeRule = (c) => {
  const inner = channelsFirst(c);
  const shape = convShape(inner, inner.input(0), c.input(1));
  return [fact(c.input(0).type, shape && toChannelsLast(shape))];
};

const gemm: ShapeRule = (c) => {
  checkRank(c, c.input(0), 2, 2, 'A');
  checkRank(c, c.input(1), 2, 2, 'B');
  return [fact(c.input(0).type, gemmShape(c, c.input(0).shape, c.input(1).shape))];
};

/** A matrix product of operands that are transposed on the way: the batch axes first, then the matrix. */
const matmul: ShapeRule = (c) => {
  const a = turned(c, c.input(0).shape, 'A');
  const b = turned(c, c.input(1).shape, 'B');
  return [fact(c.input(0).type, matmulShape(c, a, b))];
};

/** transBatch moves axis 0 behind the batch axes, trans swaps the last two. A vector stays as it is. */
function turned(c: OpContext, shape: Shape | undefined, operand: 'A' | 'B'): Shape | undefined {
  if (shape === undefined || shape.length < 2) return shape;
  const moved =
    c.int(`transBatch${operand}`, 0) === 0 ? shape : [...shape.slice(1, -1), shape[0]!, shape.at(-1)!];
  if (c.int(`trans${operand}`, 0) === 0) return moved;
  return [...moved.slice(0, -2), moved.at(-1)!, moved.at(-2)!];
}

/** The weights are packed; their columns are the attribute N. */
const packedMatmul: ShapeRule = (c) => {
  const a = c.input(0);
  return [fact(a.type, a.shape && [...a.shape.slice(0, -1), c.int('N')])];
};

const sameShape: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

/** Half of the last axis gates the other half. */
const biasSplitGelu: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 1, Infinity);
  return [fact(x.type, x.shape && [...x.shape.slice(0, -1), floorDiv(x.shape.at(-1)!, 2)])];
};

/** Outputs: normalised, mean, inverse deviation, sum of input and skip. */
const skipLayerNormalization: ShapeRule = (c) => {
  const x = c.input(0);
  const statistic = fact('float32', stashedShape(c, x.shape));
  const same = fact(x.type, x.shape);
  return [same, statistic, statistic, same].slice(0, c.outputCount);
};

/** Outputs: normalised, sum of input and skip. */
const skipGroupNorm: ShapeRule = (c) => {
  const same = fact(c.input(0).type, c.input(0).shape);
  return [same, same].slice(0, c.outputCount);
};

/** Outputs: embedding of every token, number of real tokens per sequence, sum before the normalisation. */
const embedLayerNormalization: ShapeRule = (c) => {
  const ids = c.input(0);
  const table = c.input(2);
  checkRank(c, ids, 2);
  checkRank(c, table, 2, 2, 'the table of words');
  const shape = ids.shape && table.shape && [...ids.shape, table.shape[1]!];
  const embedded = fact(table.type, shape);
  const lengths = fact('int32', ids.shape?.slice(0, 1));
  return [embedded, lengths, embedded].slice(0, c.outputCount);
};

function row(op: string, inputs: Arity, shape: ShapeRule, more: Partial<OpRow> = {}): OpRow {
  return { op, domain: 'com.microsoft', since: [1], inputs, outputs: [1, 1], shape, ...more };
}

export const rows: readonly OpRow[] = [
  row('BiasAdd', [3, 3], sameShape, { inPlace: [0, 2] }),
  row('BiasGelu', [2, 2], sameShape, { inPlace: [0] }),
  row('BiasSoftmax', [2, 2], sameShape),
  row('BiasSplitGelu', [2, 2], biasSplitGelu),
  row('EmbedLayerNormalization', [7, 9], embedLayerNormalization, { outputs: [1, 3] }),
  row('FastGelu', [1, 2], sameShape, { inPlace: [0] }),
  row('FusedConv', [2, 4], conv),
  row('FusedGemm', [2, 3], gemm),
  row('FusedMatMul', [2, 2], matmul),
  row('FusedMatMulActivation', [2, 2], matmul),
  row('Gelu', [1, 1], sameShape, { inPlace: [0] }),
  row('GemmFastGelu', [2, 3], matmul),
  row('GroupNorm', [3, 3], sameShape),
  row('MatMulBnb4', [3, 3], packedMatmul),
  row('MatMulNBits', [3, 6], packedMatmul),
  row('NhwcConv', [2, 3], nhwcConv),
  row('NhwcFusedConv', [2, 4], nhwcConv),
  row('QuickGelu', [1, 1], sameShape, { inPlace: [0] }),
  row('SkipGroupNorm', [4, 5], skipGroupNorm, { outputs: [1, 2] }),
  row('SkipLayerNormalization', [3, 5], skipLayerNormalization, { outputs: [1, 4] }),
  row('SkipSimplifiedLayerNormalization', [3, 4], skipLayerNormalization, { outputs: [1, 4] }),
  row('TransposeMatMul', [2, 2], matmul),
];
