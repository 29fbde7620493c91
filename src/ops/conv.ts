/**
 * Convolutions over floats.
 *
 * Conv: 1, 11 (standard strides and dilations), 22 (bfloat16).
 * ConvTranspose: 1, 11, 22, likewise.
 * DeformConv: 19, 22 (bfloat16).
 * CausalConvWithState: 27.
 */
import { add, ceilDiv, type Dim, isKnown, min, mul, sub } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { checkRank, fact, type Shape, unify } from './rules.ts';
import { axesOf, kernelOf, listed, padsToSame, places, reach, room } from './spatial.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/**
 * The output shape of a convolution of `x` by `w`, both channels first
 * (https://onnx.ai/onnx/operators/onnx__Conv.html). Undefined while a rank is unknown.
 */
export function convShape(c: OpContext, x: Fact, w: Fact): Shape | undefined {
  checkRank(c, x, 3, Infinity);
  if (x.shape === undefined || w.shape === undefined) return undefined;
  checkRank(c, w, x.shape.length, x.shape.length, 'the weight');
  const [batch, channels, ...sizes] = x.shape;
  const group = groups(c);
  const filters = w.shape[0]!;
  unify(
    c,
    channels!,
    mul(w.shape[1]!, group),
    `channels of the input and of the weight times group ${group}`,
  );
  if (isKnown(filters) && filters % group !== 0)
    c.fail(`${filters} filters do not divide by group ${group}.`);
  return [batch!, filters, ...spatialSizes(c, sizes, kernelOf(c, w.shape.slice(2)))];
}

/** The spatial sizes after a convolution. A kernel that does not fit throws E_SHAPE, as onnxruntime refuses it. */
export function spatialSizes(c: OpContext, sizes: Shape, kernel: Shape): Shape {
  const same = padsToSame(c);
  return axesOf(c, kernel).map((axis, i) => {
    const size = sizes[i]!;
    if (same) return ceilDiv(size, axis.stride);
    const left = room(size, axis);
    if (isKnown(left) && left < 0) {
      c.fail(`the kernel does not fit: it reaches over ${reach(axis)} elements of spatial axis ${i}.`);
    }
    return places(size, axis);
  });
}

function groups(c: OpContext): number {
  const group = c.int('group', 1);
  if (!(group > 0)) c.fail(`group is ${group}.`);
  return group;
}

/**
 * The output shape of ConvTranspose (https://onnx.ai/onnx/operators/onnx__ConvTranspose.html). With auto_pad SAME
 * onnxruntime cuts the full size down to input * stride and never fills it up.
 */
export function convTransposeShape(c: OpContext, x: Fact, w: Fact): Shape | undefined {
  checkRank(c, x, 3, Infinity);
  if (x.shape === undefined || w.shape === undefined) return undefined;
  checkRank(c, w, x.shape.length, x.shape.length, 'the weight');
  const [batch, channels, ...sizes] = x.shape;
  unify(c, channels!, w.shape[0]!, 'channels of the input and of the weight');
  const axes = axesOf(c, kernelOf(c, w.shape.slice(2)));
  const extra = listed(c, 'output_padding', axes.length, 0);
  const stated = statedSizes(c, axes.length);
  const same = padsToSame(c);
  const outputs = axes.map((axis, i) => {
    if (stated !== undefined) return stated[i]!;
    const full = add(add(mul(sub(sizes[i]!, 1), axis.stride), extra[i]!), reach(axis));
    if (same) return min(full, mul(sizes[i]!, axis.stride));
    const size = sub(full, axis.padHead + axis.padTail);
    if (isKnown(size) && size < 0) c.fail(`spatial axis ${i} would have the size ${size}.`);
    return size;
  });
  return [batch!, mul(w.shape[1]!, groups(c)), ...outputs];
}

/** The attribute output_shape: spatial sizes, in some files with batch and channels before them. */
function statedSizes(c: OpContext, rank: number): readonly number[] | undefined {
  const stated = c.ints('output_shape');
  if (stated === undefined || stated.length === 0) return undefined;
  if (stated.length !== rank && stated.length !== rank + 2) {
    c.fail(`output_shape [${stated.join(',')}] does not fit ${rank} spatial dimensions.`);
  }
  return stated.slice(-rank);
}

const conv: ShapeRule = (c) => [fact(c.input(0).type, convShape(c, c.input(0), c.input(1)))];

const convTranspose: ShapeRule = (c) => [
  fact(c.input(0).type, convTransposeShape(c, c.input(0), c.input(1))),
];

/** The state holds the last kernel - 1 positions of every channel. */
const causalConvWithState: ShapeRule = (c) => {
  const x = c.input(0);
  const w = c.input(1);
  checkRank(c, x, 3);
  checkRank(c, w, 3, 3, 'the weight');
  const kernel: Dim | undefined = w.shape?.[2];
  const state =
    x.shape === undefined || kernel === undefined ? undefined : [x.shape[0]!, x.shape[1]!, sub(kernel, 1)];
  return [fact(x.type, x.shape), fact(x.type, state)];
};

export const rows: readonly OpRow[] = [
  { op: 'Conv', since: [1, 11, 22], inputs: [2, 3], outputs: [1, 1], shape: conv },
  { op: 'ConvTranspose', since: [1, 11, 22], inputs: [2, 3], outputs: [1, 1], shape: convTranspose },
  { op: 'DeformConv', since: [19, 22], inputs: [3, 5], outputs: [1, 1], shape: conv },
  { op: 'CausalConvWithState', since: [27], inputs: [2, 4], outputs: [2, 2], shape: causalConvWithState },
];
