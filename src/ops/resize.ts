/**
 * Resampling.
 *
 * Resize: 10 (scales), 11 (roi, scales, sizes), 13, 18 (axes, antialias, keep_aspect_ratio_policy), 19.
 * Upsample: 1 (width_scale and height_scale), 7 (attribute scales), 9 (scales became an input), 10 (deprecated).
 */
import { type Dim, floorDiv, isKnown, mul } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { fact, knownDims, knownNumbers, normaliseAxes, reshaped, type Shape, unknownShape } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/**
 * size * scale as onnxruntime computes it: in float32, cut off. The exact product can lie on the other side of an
 * integer: 10 * 0.7f is 7 here and 6.99999988 exactly, which the reference inference cuts to 6.
 */
export function scaled(c: OpContext, size: Dim, scale: number): Dim {
  if (!(scale > 0) || !Number.isFinite(scale)) c.fail(`a scale is ${scale}.`);
  const factor = Math.fround(scale);
  if (isKnown(size)) return Math.trunc(Math.fround(Math.fround(size) * factor));
  for (let denominator = 1; denominator <= 64; denominator *= 2) {
    if (Number.isInteger(factor * denominator)) return floorDiv(mul(size, factor * denominator), denominator);
  }
  return c.unknownDim(`a size of unknown value is scaled by ${factor}`);
}

/** An input that is there and not empty. Exporters pass an empty tensor for one they mean to leave out. */
function given(c: OpContext, position: number): Fact | undefined {
  const input = c.optional(position);
  return input?.shape?.[0] === 0 ? undefined : input;
}

function resizeAxes(c: OpContext, rank: number): readonly number[] {
  const axes = c.ints('axes');
  if (axes === undefined || axes.length === 0) return Array.from({ length: rank }, (_, i) => i);
  return normaliseAxes(c, axes, rank);
}

/** The shape with the axes replaced by `sizes`. */
function replaced(shape: Shape, axes: readonly number[], sizes: Shape): Shape {
  const result = [...shape];
  axes.forEach((axis, i) => {
    result[axis] = sizes[i]!;
  });
  return result;
}

/** Throws E_SHAPE when a list is not one number per axis. */
function onePerAxis(c: OpContext, list: readonly unknown[], axes: readonly number[], what: string): void {
  if (list.length !== axes.length) {
    c.fail(`${what} has ${list.length} elements, but ${axes.length} axes are resized.`);
  }
}

function byScales(c: OpContext, shape: Shape, axes: readonly number[], scales: readonly number[]): Shape {
  onePerAxis(c, scales, axes, 'scales');
  return replaced(
    shape,
    axes,
    axes.map((axis, i) => scaled(c, shape[axis]!, scales[i]!)),
  );
}

/** Sizes as they are, or with a policy all axes by one scale: the smallest or the largest of size / input. */
function bySizes(c: OpContext, shape: Shape, axes: readonly number[], sizes: Shape): Shape {
  const policy = c.string('keep_aspect_ratio_policy', 'stretch');
  onePerAxis(c, sizes, axes, 'sizes');
  if (policy === 'stretch') return replaced(shape, axes, sizes);
  if (policy !== 'not_larger' && policy !== 'not_smaller') {
    c.fail(`keep_aspect_ratio_policy is '${policy}'.`);
  }
  const from = axes.map((axis) => shape[axis]!);
  if (!from.every(isKnown) || !sizes.every(isKnown)) {
    return replaced(shape, axes, unknownShape(c, axes.length, 'an aspect ratio is not known'));
  }
  const ratios = sizes.map((size, i) => Math.fround(size / from[i]!));
  const scale = policy === 'not_larger' ? Math.min(...ratios) : Math.max(...ratios);
  const kept = from.map((size) => Math.round(Math.fround(scale * size)));
  return replaced(shape, axes, kept);
}

/**
 * With tf_crop_and_resize the standard lets the region of interest enter the size; onnxruntime 1.30 does not.
 * Worth a word where a region is given.
 */
function noteRegion(c: OpContext): void {
  if (c.string('coordinate_transformation_mode', 'half_pixel') !== 'tf_crop_and_resize') return;
  const region = knownNumbers(given(c, 1));
  if (region === undefined) return;
  const half = region.length / 2;
  if (region.every((edge, i) => edge === (i < half ? 0 : 1))) return;
  c.note('the region of interest does not change the size, as in onnxruntime; by the standard it does.');
}

const resize: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const axes = resizeAxes(c, x.shape.length);
  const scales = given(c, c.opset < 11 ? 1 : 2);
  const sizes = c.opset < 11 ? undefined : given(c, 3);
  if (sizes !== undefined) {
    const numbers = knownDims(sizes);
    if (numbers !== undefined) return [reshaped(x, bySizes(c, x.shape, axes, numbers))];
  } else if (scales !== undefined) {
    const numbers = knownNumbers(scales);
    if (numbers !== undefined) {
      noteRegion(c);
      return [reshaped(x, byScales(c, x.shape, axes, numbers))];
    }
  } else c.fail('neither scales nor sizes are given.');
  const open = unknownShape(c, axes.length, 'the scales or sizes of a Resize are not constant');
  return [reshaped(x, replaced(x.shape, axes, open))];
};

const upsample: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const scales = upsampleScales(c);
  if (scales === undefined) {
    return [reshaped(x, unknownShape(c, x.shape.length, 'the scales of an Upsample are not constant'))];
  }
  const axes = x.shape.map((_, i) => i);
  return [reshaped(x, byScales(c, x.shape, axes, scales))];
};

function upsampleScales(c: OpContext): readonly number[] | undefined {
  if (c.node.inputs[1] !== undefined) return knownNumbers(c.optional(1));
  if (c.has('scales')) return c.floats('scales');
  if (c.opset < 7) return [1, 1, c.float('height_scale'), c.float('width_scale')];
  return c.fail('attribute scales is missing.');
}

export const rows: readonly OpRow[] = [
  { op: 'Resize', since: [10, 11, 13, 18, 19], inputs: [1, 4], outputs: [1, 1], shape: resize },
  { op: 'Upsample', since: [1, 7, 9, 10], inputs: [1, 2], outputs: [1, 1], shape: upsample },
];
