/**
 * Pooling.
 *
 * MaxPool: 1, 8 (second output), 10 (ceil_mode, dilations), 11, 12 (int8), 22.
 * AveragePool: 1, 7 (count_include_pad), 10 (ceil_mode), 11, 19 (dilations), 22.
 * LpPool: 1 (standard kernel_shape), 2, 11, 18 (ceil_mode, dilations), 22.
 * GlobalAveragePool, GlobalMaxPool: 1, 22. GlobalLpPool: 1, 2, 22.
 * MaxUnpool: 9, 11, 22.
 */
import { add, ceilDiv, type Dim, floorDiv, formatDim, isKnown, mul, sub } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { checkRank, fact, knownDims, reshaped, type Shape, unknownShape } from './rules.ts';
import { type Axis, axesOf, listed, padsToSame, places, placesUp, reach, room } from './spatial.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/**
 * The output shape of a pool over `x`, channels first, as onnxruntime computes it (its disagreements with the
 * standard's inference are in the tests). Undefined while the rank is unknown.
 */
export function poolShape(c: OpContext, x: Fact): Shape | undefined {
  checkRank(c, x, 3, Infinity);
  if (x.shape === undefined) return undefined;
  const [batch, channels, ...sizes] = x.shape;
  return [batch!, channels!, ...pooledSizes(c, sizes)];
}

/** The spatial sizes after a pool with the attributes of the node. */
export function pooledSizes(c: OpContext, sizes: Shape): Shape {
  const kernel = c.ints('kernel_shape') ?? c.fail('attribute kernel_shape is missing.');
  if (kernel.length !== sizes.length) {
    c.fail(`kernel_shape [${kernel.join(',')}] does not fit ${sizes.length} spatial dimensions.`);
  }
  const same = padsToSame(c);
  const up = c.int('ceil_mode', 0) !== 0;
  return axesOf(c, kernel).map((axis, i) => {
    if (same) return samePlaces(c, sizes[i]!, axis, up);
    return narrowPlaces(c, sizes[i]!, axis) ?? (up ? placesUp : places)(sizes[i]!, axis);
  });
}

/**
 * auto_pad SAME gives ceil(size / stride). onnxruntime computes those pads without the dilation and applies the
 * dilation afterwards, so that a dilated window gives less.
 */
function samePlaces(c: OpContext, size: Dim, axis: Axis, up: boolean): Dim {
  const standard = ceilDiv(size, axis.stride);
  if (axis.dilation === 1) return standard;
  const left = add(mul(sub(standard, 1), axis.stride), sub(axis.kernel, reach(axis)));
  const run =
    isKnown(left) && left < 0 ? cutShort(left, axis) : add((up ? ceilDiv : floorDiv)(left, axis.stride), 1);
  c.note(
    `auto_pad SAME with a dilation of ${axis.dilation} gives ${formatDim(run)} in onnxruntime, which is planned; ` +
      `the standard says ${formatDim(standard)}.`,
  );
  return run;
}

/**
 * A window that is wider than the padded input: onnxruntime rounds the negative quotient towards zero and still
 * yields one place where it reaches over by less than a stride. Undefined when the window fits.
 */
function narrowPlaces(c: OpContext, size: Dim, axis: Axis): Dim | undefined {
  const left = room(size, axis);
  if (!isKnown(left) || left >= 0) return undefined;
  const run = cutShort(left, axis);
  c.note(
    `the window is ${-left} wider than the padded input; ${run} place(s) are planned, as onnxruntime has it.`,
  );
  return run;
}

/** A negative quotient rounded towards zero. */
function cutShort(left: number, axis: Axis): number {
  return Math.max(0, Math.trunc(left / axis.stride) + 1);
}

/** Integer pools keep the quantisation of their input. */
const maxPool: ShapeRule = (c) => {
  const x = c.input(0);
  const shape = poolShape(c, x);
  return [reshaped(x, shape), fact('int64', shape)].slice(0, c.outputCount);
};

const pool: ShapeRule = (c) => [reshaped(c.input(0), poolShape(c, c.input(0)))];

/** Every spatial dimension becomes 1. */
const globalPool: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 3, Infinity);
  return [
    reshaped(
      x,
      x.shape?.map((dim, i) => (i < 2 ? dim : 1)),
    ),
  ];
};

/** The inverse of MaxPool; the third input overrules what strides, kernel and pads say. */
const maxUnpool: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 3, Infinity);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  if (c.node.inputs[2] !== undefined) {
    const stated = knownDims(c.optional(2));
    return [
      fact(x.type, stated ?? unknownShape(c, x.shape.length, 'output_shape of MaxUnpool is not constant')),
    ];
  }
  const [batch, channels, ...sizes] = x.shape;
  const kernel = listed(c, 'kernel_shape', sizes.length, 1);
  const outputs = axesOf(c, kernel, false).map((axis, i) =>
    sub(add(mul(sub(sizes[i]!, 1), axis.stride), axis.kernel), axis.padHead + axis.padTail),
  );
  return [fact(x.type, [batch!, channels!, ...outputs])];
};

export const rows: readonly OpRow[] = [
  { op: 'MaxPool', since: [1, 8, 10, 11, 12, 22], inputs: [1, 1], outputs: [1, 2], shape: maxPool },
  { op: 'AveragePool', since: [1, 7, 10, 11, 19, 22], inputs: [1, 1], outputs: [1, 1], shape: pool },
  { op: 'LpPool', since: [1, 2, 11, 18, 22], inputs: [1, 1], outputs: [1, 1], shape: pool },
  { op: 'GlobalAveragePool', since: [1, 22], inputs: [1, 1], outputs: [1, 1], shape: globalPool },
  { op: 'GlobalMaxPool', since: [1, 22], inputs: [1, 1], outputs: [1, 1], shape: globalPool },
  { op: 'GlobalLpPool', since: [1, 2, 22], inputs: [1, 1], outputs: [1, 1], shape: globalPool },
  { op: 'MaxUnpool', since: [9, 11, 22], inputs: [2, 3], outputs: [1, 1], shape: maxUnpool },
];
