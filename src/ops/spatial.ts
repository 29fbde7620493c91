/** Sizes of sliding windows: what convolutions and pools share. */
import { add, ceilDiv, type Dim, floorDiv, isKnown, min, mul, sub } from '../graph/dims.ts';
import { unify } from './rules.ts';
import type { OpContext } from './types.ts';

/** One spatial axis of a window. */
export interface Axis {
  readonly kernel: Dim;
  readonly stride: number;
  readonly dilation: number;
  readonly padHead: number;
  readonly padTail: number;
}

export type AutoPad = 'NOTSET' | 'VALID' | 'SAME_UPPER' | 'SAME_LOWER';

/** The attribute auto_pad; an empty one (some old exporters write it) means NOTSET. */
export function autoPad(c: OpContext): AutoPad {
  const text = c.string('auto_pad', 'NOTSET') || 'NOTSET';
  if (text === 'NOTSET' || text === 'VALID' || text === 'SAME_UPPER' || text === 'SAME_LOWER') return text;
  return c.fail(`auto_pad is '${text}'.`);
}

/** True where auto_pad asks for an output of ceil(size / stride). */
export function padsToSame(c: OpContext): boolean {
  return autoPad(c).startsWith('SAME');
}

/**
 * The axes of a window from the attributes strides, dilations and pads. Explicit pads count only without auto_pad
 * (onnxruntime ignores or refuses the combination).
 */
export function axesOf(c: OpContext, kernel: readonly Dim[], dilated = true): readonly Axis[] {
  const rank = kernel.length;
  const strides = positive(c, 'strides', rank);
  const dilations = dilated ? positive(c, 'dilations', rank) : strides.map(() => 1);
  const pads = autoPad(c) === 'NOTSET' ? listed(c, 'pads', 2 * rank, 0) : strides.flatMap(() => [0, 0]);
  return kernel.map((size, i) => {
    if (isKnown(size) && size <= 0) c.fail(`the kernel has the size ${size} on spatial axis ${i}.`);
    return {
      kernel: size,
      stride: strides[i]!,
      dilation: dilations[i]!,
      padHead: pads[i]!,
      padTail: pads[i + rank]!,
    };
  });
}

function positive(c: OpContext, name: string, length: number): readonly number[] {
  const values = listed(c, name, length, 1);
  if (values.some((v) => v <= 0)) c.fail(`${name} [${values.join(',')}] are not all positive.`);
  return values;
}

/** An attribute with `length` numbers; all of them `standard` where it is absent or empty. */
export function listed(c: OpContext, name: string, length: number, standard: number): readonly number[] {
  const values = c.ints(name);
  if (values === undefined || values.length === 0) return new Array<number>(length).fill(standard);
  if (values.length !== length) {
    c.fail(`${name} [${values.join(',')}] has ${values.length} values, but ${length} are needed.`);
  }
  return values;
}

/** The attribute kernel_shape where it is given, checked against the spatial part of the weights. */
export function kernelOf(c: OpContext, weights: readonly Dim[]): readonly Dim[] {
  const stated = c.ints('kernel_shape') ?? [];
  if (stated.length === 0) return weights;
  const kernel = listed(c, 'kernel_shape', weights.length, 1);
  return kernel.map((size, i) => unify(c, size, weights[i]!, 'kernel_shape and the shape of the weight'));
}

/** Reach of the kernel with its holes. */
export function reach(axis: Axis): Dim {
  return add(mul(sub(axis.kernel, 1), axis.dilation), 1);
}

/** What is left of the padded size beside one window. */
export function room(size: Dim, axis: Axis): Dim {
  return sub(add(size, axis.padHead + axis.padTail), reach(axis));
}

/** Places of a window: floor(room / stride) + 1. */
export function places(size: Dim, axis: Axis): Dim {
  return add(floorDiv(room(size, axis), axis.stride), 1);
}

/** The same rounded up (ceil_mode); a window that would start in the tail padding does not count. */
export function placesUp(size: Dim, axis: Axis): Dim {
  const all = add(room(size, axis), axis.stride);
  const started = add(size, axis.padHead);
  return ceilDiv(min(all, started), axis.stride);
}
