/** Sizes of sliding windows: what convolutions and pools share. */
import { add, ceilDiv, type Dim, floorDiv, isKnown, min, mul, sub } from '../graph/dims.ts';
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
  return c.fail(`auto_pad is '${text}'`);
}

/**
 * The axes of a window of `rank` spatial dimensions from the attributes strides, dilations and pads. Explicit
 * pads count only without auto_pad (onnxruntime reads them so).
 */
export function axesOf(c: OpContext, kernel: readonly Dim[], dilated: boolean): readonly Axis[] {
  const rank = kernel.length;
  const strides = positive(c, 'strides', rank);
  const dilations = dilated ? positive(c, 'dilations', rank) : strides.map(() => 1);
  const pads = autoPad(c) === 'NOTSET' ? listed(c, 'pads', 2 * rank, 0) : new Array<number>(2 * rank).fill(0);
  return kernel.map((size, i) => {
    if (isKnown(size) && size <= 0) c.fail(`kernel size ${size} is not positive`);
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
  if (values.some((v) => v <= 0)) c.fail(`${name} are [${values}], but must be positive`);
  return values;
}

/** An attribute with `length` numbers, all `standard` where it is absent or empty. */
export function listed(c: OpContext, name: string, length: number, standard: number): readonly number[] {
  const values = c.ints(name);
  if (values === undefined || values.length === 0) return new Array<number>(length).fill(standard);
  if (values.length !== length) c.fail(`${name} has ${values.length} values, the input asks for ${length}`);
  return values;
}

/** Reach of the kernel with its holes. */
export function reach(axis: Axis): Dim {
  return add(mul(sub(axis.kernel, 1), axis.dilation), 1);
}

/** Positions of a window without auto_pad: floor((size + pads - reach) / stride) + 1. */
export function windows(size: Dim, axis: Axis): Dim {
  const room = sub(add(size, axis.padHead + axis.padTail), reach(axis));
  return add(floorDiv(room, axis.stride), 1);
}

/** As `windows`, rounded up; a window that would start in the tail padding does not count. */
export function windowsUp(size: Dim, axis: Axis): Dim {
  const room = sub(add(size, axis.padHead + axis.padTail), reach(axis));
  return min(add(ceilDiv(room, axis.stride), 1), ceilDiv(add(size, axis.padHead), axis.stride));
}
