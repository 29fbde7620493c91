/** Reductions of constants: sizes are often multiplied, added up or compared before they shape a tensor. */
import { add, type Dim, isKnown, max, min, mul } from '../graph/dims.ts';
import { type ElementType, isInteger } from '../graph/element-type.ts';
import type { Scalar, Value } from '../graph/types.ts';
import { countOf, offsetsOf, range, stridesOf } from './elements.ts';
import { toType } from './values.ts';

export type Reduction = 'sum' | 'product' | 'max' | 'min' | 'mean' | 'l1' | 'l2' | 'sumSquare';

/**
 * The elements of `value` reduced over `axes`, row-major, or undefined where that cannot be said: 64-bit values
 * beyond 2^53, symbols under anything but integer arithmetic, the mean or the extreme of nothing.
 */
export function foldReduction(
  kind: Reduction,
  value: Value,
  type: ElementType,
  shape: readonly number[],
  axes: readonly number[],
): Value | undefined {
  const groups = grouped(value, shape, axes);
  const reduced: Dim[] = [];
  for (const group of groups) {
    if (!group.every(isDim)) return undefined;
    const result = reduceGroup(kind, group, type);
    if (result === undefined) return undefined;
    reduced.push(result);
  }
  return reduced;
}

/** Index of the largest or smallest element along `axis`; of equals the first, or the last if asked. */
export function foldArg(
  value: Value,
  shape: readonly number[],
  axis: number,
  largest: boolean,
  last: boolean,
): Value | undefined {
  const found: number[] = [];
  for (const group of grouped(value, shape, [axis])) {
    if (group.length === 0 || group.some((element) => typeof element === 'object')) return undefined;
    let best = 0;
    group.forEach((element, i) => {
      const over = largest ? element > group[best]! : element < group[best]!;
      if (over || (last && element === group[best])) best = i;
    });
    found.push(best);
  }
  return found;
}

function isDim(element: Scalar): element is Dim {
  return typeof element !== 'bigint';
}

/** The elements that fall together when `axes` vanish, in the order of the output. */
function grouped(value: Value, shape: readonly number[], axes: readonly number[]): readonly Scalar[][] {
  const kept = shape.map((size, i) => (axes.includes(i) ? 1 : size));
  const strides = stridesOf(kept);
  const steps = shape.map((size, i) => range(size).map((at) => (axes.includes(i) ? 0 : at * strides[i]!)));
  const groups: Scalar[][] = Array.from({ length: countOf(kept) }, () => []);
  offsetsOf(shape, steps).forEach((offset, i) => {
    groups[offset]!.push(value[i]!);
  });
  return groups;
}

function reduceGroup(kind: Reduction, group: readonly Dim[], type: ElementType): Dim | undefined {
  const whole = isInteger(type) || type === 'bool';
  if (group.every(isKnown)) return settled(reduceNumbers(kind, group, whole), type);
  if (!whole || group.length === 0) return undefined;
  if (kind === 'sum') return group.reduce(add);
  if (kind === 'product') return group.reduce(mul);
  if (kind === 'max') return group.reduce(max);
  if (kind === 'min') return group.reduce(min);
  return undefined;
}

function reduceNumbers(kind: Reduction, group: readonly number[], whole: boolean): number | undefined {
  const sum = (f: (x: number) => number) => group.reduce((total, x) => total + f(x), 0);
  if (kind === 'sum') return sum((x) => x);
  if (kind === 'product') return group.reduce((a, b) => a * b, 1);
  if (kind === 'l1') return sum(Math.abs);
  if (kind === 'sumSquare') return sum((x) => x * x);
  if (kind === 'l2') return Math.sqrt(sum((x) => x * x));
  if (group.length === 0) return undefined;
  if (kind === 'max') return group.reduce((a, b) => Math.max(a, b));
  if (kind === 'min') return group.reduce((a, b) => Math.min(a, b));
  const mean = sum((x) => x) / group.length;
  return whole ? Math.trunc(mean) : mean;
}

/** Brought into the element type; an integer beyond 2^53 is not folded. */
function settled(result: number | undefined, type: ElementType): number | undefined {
  if (result === undefined) return undefined;
  if (isInteger(type) && !Number.isSafeInteger(result)) return undefined;
  const own = toType(type, result);
  return typeof own === 'bigint' ? undefined : own;
}
