/**
 * com.microsoft: what belongs to no other family: sampling, transforms, older copies of standard operators. All of
 * version 1. https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
 */

import { add, type Dim, floorDiv, mul, sub } from '../graph/dims.ts';
import { rows as alongAxis } from './along-axis.ts';
import { changedContext } from './context.ts';
import { convTransposeShape } from './conv.ts';
import { rows as gather } from './gather.ts';
import { rows as generate } from './generate.ts';
import { matmulShape } from './matmul.ts';
import { rows as pad } from './pad.ts';
import { rows as pool } from './pool.ts';
import { directions, sequences } from './recurrent.ts';
import { checkRank, fact, knownDims, knownScalar, normaliseAxis, unify, unknownShape } from './rules.ts';
import type { Arity, FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { rows as vision } from './vision.ts';

const DOMAIN = 'com.microsoft';

/** A standard operator of `opset` under the same name in this domain. */
function copied(family: readonly OpRow[], op: string, opset: number, inputs?: Arity): OpRow {
  const row = family.find((candidate) => candidate.op === op)!;
  const dated = (c: OpContext): OpContext => changedContext(c, { opset });
  const fold: FoldRule | undefined = row.fold && ((c, outputs) => row.fold!(dated(c), outputs));
  return {
    ...row,
    op,
    domain: DOMAIN,
    since: [1],
    ...(inputs === undefined ? {} : { inputs }),
    shape: (c) => row.shape(dated(c)),
    ...(fold === undefined ? {} : { fold }),
  };
}

/** One crop of [height, width] per region, all channels. */
const cropAndResize: ShapeRule = (c) => {
  const x = c.input(0);
  const regions = c.input(1);
  checkRank(c, x, 4);
  checkRank(c, regions, 2, 2, 'the list of regions');
  const size = knownDims(c.input(3)) ?? unknownShape(c, 2, 'the size of a crop is not constant');
  if (size.length !== 2) c.fail(`the size of a crop has ${size.length} elements, not 2.`);
  const known = x.shape !== undefined && regions.shape !== undefined;
  return [fact(x.type, known ? [regions.shape![0]!, x.shape![1]!, ...size] : undefined)];
};

const sameShape: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

/** Distances between the rows of two matrices. */
const cdist: ShapeRule = (c) => {
  const a = c.input(0);
  const b = c.input(1);
  checkRank(c, a, 2);
  checkRank(c, b, 2);
  if (a.shape === undefined || b.shape === undefined) return [fact(a.type, undefined)];
  unify(c, a.shape[1]!, b.shape[1]!, 'columns of the two matrices');
  return [fact(a.type, [a.shape[0]!, b.shape[0]!])];
};

const expandDims: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const stated = knownScalar(c.input(1));
  const rank = x.shape.length + 1;
  if (stated === undefined) return [fact(x.type, unknownShape(c, rank, 'the axis is not constant'))];
  const axis = normaliseAxis(c, stated, rank);
  return [fact(x.type, [...x.shape.slice(0, axis), 1, ...x.shape.slice(axis)])];
};

/** A real spectrum keeps half of its last axis, plus one; a last axis of 2 holds the parts of a number. */
const rfft: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 1, Infinity);
  const last = (size: Dim) => (c.int('onesided', 1) === 0 ? size : add(floorDiv(size, 2), 1));
  return [fact(x.type, x.shape && [...x.shape.slice(0, -1), last(x.shape.at(-1)!), 2])];
};

const irfft: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2, Infinity);
  const last = (size: Dim) => (c.int('onesided', 1) === 0 ? size : mul(sub(size, 1), 2));
  return [fact(x.type, x.shape && [...x.shape.slice(0, -2), last(x.shape.at(-2)!)])];
};

/** Values, for each element the place of its value, and how often it occurs. */
const unique: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 1);
  const count = c.unknownDim('how many values differ is known only at run time');
  return [fact(x.type, [count]), fact('int64', x.shape), fact('int64', [count])];
};

const convTransposeWithDynamicPads: ShapeRule = (c) => {
  const pads = knownDims(c.optional(2))?.map(Number);
  const inner = changedContext(c, { ints: (name) => (name === 'pads' ? pads : c.ints(name)) });
  const shape = convTransposeShape(inner, c.input(0), c.input(1));
  const open = c.node.inputs[2] !== undefined && pads === undefined;
  if (!open || shape === undefined) return [fact(c.input(0).type, shape)];
  const sizes = unknownShape(c, shape.length - 2, 'the pads are not constant');
  return [fact(c.input(0).type, [...shape.slice(0, 2), ...sizes])];
};

const sparseToDenseMatMul: ShapeRule = (c) => {
  const turned = (position: number, attribute: string) => {
    const shape = c.input(position).shape;
    checkRank(c, c.input(position), 2);
    return shape && c.int(attribute, 0) !== 0 ? [shape[1]!, shape[0]!] : shape;
  };
  return [fact(c.input(1).type, matmulShape(c, turned(0, 'transA'), turned(1, 'transB')))];
};

/** The weights are [directions, features, 4 * hidden]: turned round against those of LSTM. */
const dynamicQuantizeLstm: ShapeRule = (c) => {
  checkRank(c, c.input(0), 3);
  return sequences(c, c.int('hidden_size'), directions(c), 2);
};

/** A Concat that also says how long each part was. */
const concatTraining: ShapeRule = (c) => {
  const parts = c.inputs.map((_, i) => c.input(i));
  const lengths = fact('int64', [parts.length]);
  const first = parts[0]!;
  if (parts.some((part) => part.shape === undefined)) return [fact(first.type, undefined), lengths];
  const joined = parts
    .map((part) => part.shape!)
    .reduce((a, b) => {
      const axis = normaliseAxis(c, c.int('axis'), a.length);
      return a.map((dim, i) => (i === axis ? add(dim, b[i]!) : unify(c, dim, b[i]!, `sizes of axis ${i}`)));
    });
  return [fact(first.type, joined), lengths].slice(0, c.outputCount);
};

const isAllFinite: ShapeRule = () => [fact('bool', [])];

/** The input is the scores of a language model, after the tokens so far. */
const likeSecond: ShapeRule = (c) => [fact(c.input(1).type, c.input(1).shape)];

function row(op: string, inputs: Arity, outputs: Arity, shape: ShapeRule): OpRow {
  return { op, domain: DOMAIN, since: [1], inputs, outputs, shape };
}

export const rows: readonly OpRow[] = [
  copied(gather, 'GatherND', 11),
  copied(generate, 'Range', 11),
  copied(vision, 'GridSample', 16),
  copied(pad, 'Pad', 11),
  copied(alongAxis, 'Trilu', 14),
  { ...copied(pool, 'MaxPool', 12, [2, 2]), op: 'MaxpoolWithMask', outputs: [1, 1] },
  row('CDist', [2, 2], [1, 1], cdist),
  row('ComplexMul', [2, 2], [1, 1], sameShape),
  row('ComplexMulConj', [2, 2], [1, 1], sameShape),
  row('ConcatTraining', [1, Infinity], [1, 2], concatTraining),
  row('ConvTransposeWithDynamicPads', [2, 4], [1, 1], convTransposeWithDynamicPads),
  row('CropAndResize', [4, 4], [1, 1], cropAndResize),
  row('DynamicQuantizeLSTM', [12, 12], [0, 3], dynamicQuantizeLstm),
  row('ExpandDims', [2, 2], [1, 1], expandDims),
  row('Inverse', [1, 1], [1, 1], sameShape),
  row('Irfft', [1, 1], [1, 1], irfft),
  row('IsAllFinite', [1, Infinity], [1, 1], isAllFinite),
  row('NGramRepeatBlock', [2, 2], [1, 1], likeSecond),
  row('Rfft', [1, 1], [1, 1], rfft),
  row('SparseToDenseMatMul', [2, 2], [1, 1], sparseToDenseMatMul),
  row('Unique', [1, 1], [3, 3], unique),
];
