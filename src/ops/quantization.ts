/** Quantisation parameters of a tensor, where the graph states them as constants. */
import type { Fact, Quant } from '../graph/types.ts';
import { fact, knownNumbers, normaliseAxis, type Shape } from './rules.ts';
import type { OpContext } from './types.ts';

/**
 * Scale and zero point of a tensor of `shape`. A scale with several elements belongs to `axis`; blocks of an axis
 * (scales of the tensor's own rank) have no place in a Quant and give undefined, as unknown values do.
 */
export function quantOf(
  c: OpContext,
  scale: Fact | undefined,
  zeroPoint: Fact | undefined,
  shape: Shape | undefined,
  axis: number | null,
): Quant | undefined {
  const scales = knownNumbers(scale);
  const rank = scale?.shape?.length;
  if (scales === undefined || scales.length === 0 || rank === undefined || rank > 1) return undefined;
  if (!scales.every(Number.isFinite)) c.fail(`a scale is ${scales.find((s) => !Number.isFinite(s))}.`);
  const zeros = zeroPoint === undefined ? scales.map(() => 0) : knownNumbers(zeroPoint);
  if (zeros === undefined) return undefined;
  if (zeros.length !== scales.length) {
    c.fail(`there are ${scales.length} scales, but ${zeros.length} zero points.`);
  }
  if (scales.length === 1) return { scale: scales, zeroPoint: zeros, axis: null };
  if (axis === null || shape === undefined) return undefined;
  return { scale: scales, zeroPoint: zeros, axis: normaliseAxis(c, axis, shape.length) };
}

/** The fact of an output whose scale and zero point are two inputs; its type is that of the zero point. */
export function quantised(
  c: OpContext,
  shape: Shape | undefined,
  scalePosition: number,
  axis: number | null = null,
): Fact {
  const scale = c.optional(scalePosition);
  const zeroPoint = c.optional(scalePosition + 1);
  const plain = fact(zeroPoint?.type ?? 'uint8', shape);
  const quant = quantOf(c, scale, zeroPoint, shape, axis);
  return quant === undefined ? plain : { ...plain, quant };
}
