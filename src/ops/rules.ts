/** Rules that many operators share: axes, broadcasting, element types, sizes read from values. */
import { type Dim, formatDim, formatShape, isKnown, max, product, sameDim } from '../graph/dims.ts';
import type { ElementType } from '../graph/element-type.ts';
import type { Fact, Quant } from '../graph/types.ts';
import { isUnknown } from '../graph/unknown-dims.ts';
import type { OpContext } from './types.ts';

export type Shape = readonly Dim[];

/** A fact without value and quantisation. */
export function fact(type: ElementType, shape: Shape | undefined): Fact {
  return { type, shape };
}

/** A fact of the same type and quantisation with another shape. The value does not come along. */
export function reshaped(
  from: Fact,
  shape: Shape | undefined,
  quant: Quant | undefined = tensorQuant(from),
): Fact {
  return { type: from.type, shape, ...(quant === undefined ? {} : { quant }) };
}

/** The quantisation of a fact when it holds for every element alike, else undefined. */
export function tensorQuant(from: Fact): Quant | undefined {
  return from.quant?.axis === null ? from.quant : undefined;
}

/** `rank` dimensions nothing is known about. */
export function unknownShape(c: OpContext, rank: number, why: string): Shape {
  return Array.from({ length: rank }, () => c.unknownDim(why));
}

/** An axis counted from the end made positive. Throws E_SHAPE outside [-rank, rank). */
export function normaliseAxis(c: OpContext, axis: number, rank: number, what = 'axis'): number {
  const positive = axis < 0 ? axis + rank : axis;
  if (!(positive >= 0 && positive < rank)) c.fail(`${what} ${axis} is outside a tensor of rank ${rank}.`);
  return positive;
}

/** The same for a list; a repeated axis throws E_SHAPE. */
export function normaliseAxes(c: OpContext, axes: readonly number[], rank: number, what = 'axis'): number[] {
  const positive = axes.map((axis) => normaliseAxis(c, axis, rank, what));
  if (new Set(positive).size !== positive.length) c.fail(`axes [${axes.join(',')}] repeat an axis.`);
  return positive;
}

/** Throws E_SHAPE unless the rank of the fact, where known, lies in [least, most]. */
export function checkRank(c: OpContext, from: Fact, least: number, most = least, what = 'its input'): void {
  const rank = from.shape?.length;
  if (rank === undefined || (rank >= least && rank <= most)) return;
  const wanted =
    least === most
      ? `rank ${least}`
      : most === Infinity
        ? `rank ${least} or more`
        : `rank ${least} to ${most}`;
  c.fail(`${what} has shape ${formatShape(from.shape)}, but ${c.node.op} wants ${wanted}.`);
}

/** Two dimensions that must be equal: the one that is known best. Throws E_SHAPE when both are known and differ. */
export function unify(c: OpContext, a: Dim, b: Dim, what: string): Dim {
  if (sameDim(a, b)) return a;
  if (isKnown(a) && isKnown(b)) c.fail(`${what}: ${a} and ${b} should be equal.`);
  c.equate(a, b);
  return isKnown(b) || (isUnknown(a) && !isUnknown(b)) ? b : a;
}

/**
 * Multidirectional broadcasting (ONNX "Broadcasting in ONNX"): shapes aligned at the end, 1 stretches.
 * An open dimension against 1 stays as it is; against a number above 1 it is that number, or the model is wrong;
 * two different open ones give an unknown dimension, the larger of them at most. Undefined when a rank is unknown.
 */
export function broadcast(c: OpContext, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const known: Shape[] = [];
  for (const shape of shapes) {
    if (shape === undefined) return undefined;
    known.push(shape);
  }
  const [first] = known;
  if (first !== undefined && known.every((shape) => sameShape(shape, first))) return first;
  const rank = Math.max(0, ...known.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const column = known.flatMap((shape) => shape[axis - rank + shape.length] ?? []);
    return column.reduce((a, b) => broadcastDim(c, a, b, known), 1);
  });
}

function sameShape(a: Shape, b: Shape): boolean {
  return a === b || (a.length === b.length && a.every((dim, axis) => sameDim(dim, b[axis]!)));
}

function broadcastDim(c: OpContext, a: Dim, b: Dim, shapes: readonly Shape[]): Dim {
  if (a === 1 || sameDim(a, b)) return b;
  if (b === 1) return a;
  if (isKnown(a) && isKnown(b)) {
    return c.fail(
      `shapes ${shapes.map((shape) => formatShape(shape)).join(' and ')} cannot be broadcast together.`,
    );
  }
  if (isKnown(a)) return a;
  if (isKnown(b)) return b;
  return c.boundedDim(
    `${formatDim(a)} and ${formatDim(b)} are broadcast against each other`,
    max(a, b),
    'follows',
  );
}

/** Number of elements, or undefined when the rank is unknown. */
export function elementCount(shape: Shape | undefined): Dim | undefined {
  return shape === undefined ? undefined : product(shape);
}

/** All dimensions as numbers, or undefined when one is open. */
export function staticShape(shape: Shape | undefined): readonly number[] | undefined {
  return shape?.every(isKnown) ? shape : undefined;
}

/** The elements of a folded value as plain numbers (64-bit limits come out rounded), or undefined. */
export function knownNumbers(from: Fact | undefined): readonly number[] | undefined {
  const dims = knownDims(from);
  return dims?.every(isKnown) ? dims : undefined;
}

/** The elements of a folded value as dimensions, which may be open, or undefined. */
export function knownDims(from: Fact | undefined): readonly Dim[] | undefined {
  return from?.value?.map((element) => (typeof element === 'bigint' ? Number(element) : element));
}

/** The same where every element is exact: undefined with an integer beyond 2^53. For values, not for limits. */
export function exactDims(from: Fact | undefined): readonly Dim[] | undefined {
  return from?.value?.every((element) => typeof element !== 'bigint') ? from.value : undefined;
}

/** The only element of a folded value, or undefined when it is not known. */
export function knownScalar(from: Fact | undefined): number | undefined {
  const numbers = knownNumbers(from);
  return numbers?.length === 1 ? numbers[0] : undefined;
}

/**
 * Integers that moved from an attribute to an input over the opsets (axes, k, split ...): the input when the node
 * names it, else the attribute, else `standard`. Returns 'unknown' when the input has no folded value.
 */
export function intsOf<T>(
  c: OpContext,
  attribute: string,
  position: number,
  standard: T,
): readonly number[] | T | 'unknown' {
  if (c.node.inputs[position] !== undefined) return knownNumbers(c.optional(position)) ?? 'unknown';
  return c.ints(attribute) ?? standard;
}
