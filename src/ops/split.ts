/**
 * Split: 1 (split is an attribute or an input), 2 (an attribute), 11 (negative axis), 13 (an input),
 * 18 (num_outputs, the last part may be smaller).
 */
import { type Dim, floorDiv, formatDim, isKnown, mul, sub } from '../graph/dims.ts';
import { pick, range } from './elements.ts';
import { knownNumbers, normaliseAxis, reshaped, type Shape, staticShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule, ViewRule } from './types.ts';

function axisOf(c: OpContext, shape: Shape): number {
  return normaliseAxis(c, c.int('axis', 0), shape.length);
}

/** The sizes of the parts of an axis of `size`. */
function partsOf(c: OpContext, size: Dim): readonly Dim[] {
  const stated = c.node.inputs[1] !== undefined;
  const split = stated ? knownNumbers(c.optional(1)) : c.ints('split');
  if (split === undefined) return stated ? c.node.outputs.map(() => openPart(c)) : equalParts(c, size);
  if (split.length !== c.outputCount) c.fail(`${split.length} parts do not fit ${c.outputCount} outputs.`);
  if (split.some((part) => part < 0)) c.fail(`the parts [${split.join(',')}] are negative.`);
  const total = split.reduce((a, b) => a + b, 0);
  if (isKnown(size) && total !== size) c.fail(`the parts [${split.join(',')}] do not add up to ${size}.`);
  c.equate(size, total);
  return split;
}

function openPart(c: OpContext): Dim {
  return c.unknownDim('the sizes of the parts are computed from data');
}

/** Parts of ceil(size / count); before opset 18 they must be equal, from then on the last takes what is left. */
function equalParts(c: OpContext, size: Dim): readonly Dim[] {
  if (c.opset >= 18 && !c.has('num_outputs')) c.fail('it has neither split nor num_outputs.');
  const count = c.int('num_outputs', c.outputCount);
  if (count !== c.outputCount) c.fail(`num_outputs is ${count}, but there are ${c.outputCount} outputs.`);
  if (!isKnown(size)) return openParts(c, size, count);
  const part = Math.ceil(size / count);
  const last = size - part * (count - 1);
  if (c.opset >= 18 && last <= 0) c.fail(`${size} cannot be split into ${count} parts of ${part}.`);
  if (c.opset < 18 && last !== part) c.fail(`${size} cannot be split into ${count} equal parts.`);
  return range(count).map((i) => (i === count - 1 ? last : part));
}

/** An open size is divided where that leaves no rest; otherwise only the parts before opset 18 are sure to be equal. */
function openParts(c: OpContext, size: Dim, count: number): readonly Dim[] {
  const part = floorDiv(size, count);
  const leavesNone = isKnown(sub(size, mul(part, count)));
  if (leavesNone || c.opset < 18) return range(count).map(() => part);
  return range(count).map(() => c.unknownDim(`${formatDim(size)} is split into ${count} parts`));
}

const splitShape: ShapeRule = (c) => {
  const x = c.input(0);
  const { shape } = x;
  if (shape === undefined) return c.node.outputs.map(() => reshaped(x, undefined));
  const axis = axisOf(c, shape);
  return partsOf(c, shape[axis]!).map((part) => reshaped(x, shape.with(axis, part)));
};

const splitFold: FoldRule = (c, outputs) => {
  const x = c.input(0);
  const sizes = staticShape(x.shape);
  const { value } = x;
  if (sizes === undefined || value === undefined) return outputs.map(() => undefined);
  const axis = axisOf(c, sizes);
  const parts = outputs.map((output) => staticShape(output?.shape)?.[axis]);
  if (!parts.every((part) => part !== undefined)) return outputs.map(() => undefined);
  let start = 0;
  return parts.map((part) => {
    const lists = sizes.map((size, i) => (i === axis ? range(part).map((j) => start + j) : range(size)));
    start += part;
    return pick(value, sizes, lists);
  });
};

/** The parts follow each other along the axis, omitted ones counted. */
const splitParts: ViewRule = (c, outputs) => {
  const sizes = staticShape(c.input(0).shape);
  if (sizes === undefined) return [];
  const axis = axisOf(c, sizes);
  // Where parts begin whose sizes are computed from data nobody knows.
  if (c.node.inputs[1] !== undefined && knownNumbers(c.optional(1)) === undefined) return [];
  const lengths = partsOf(c, sizes[axis]!);
  let start = 0;
  return outputs.map((_, output) => {
    const starts = sizes.map((_, i) => (i === axis ? start : 0));
    start += lengths[output] as number;
    return { output, input: 0, starts };
  });
};

export const rows: readonly OpRow[] = [
  {
    op: 'Split',
    since: [1, 2, 11, 13, 18],
    inputs: [1, 2],
    outputs: [1, Infinity],
    shape: splitShape,
    fold: splitFold,
    splits: splitParts,
  },
];
