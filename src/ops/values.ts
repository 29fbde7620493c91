/** Values of constants: elements in their type's exact arithmetic, and facts that decode their value on demand. */
import { ELEMENT_BITS, type ElementType, isInteger } from '../graph/element-type.ts';
import type { Constant, Fact, Scalar, Value } from '../graph/types.ts';

/** An element that is not symbolic. */
export type Numeric = number | bigint;

export function isNumeric(element: Scalar): element is Numeric {
  return typeof element !== 'object';
}

/**
 * The fact with a value that is computed when it is first read, at most once. The property is not enumerable:
 * `{ ...fact, shape }` leaves it behind, so no value can outlive its shape.
 */
export function withValue(fact: Fact, compute: () => Value | undefined): Fact {
  let value: Value | undefined;
  let pending: (() => Value | undefined) | undefined = compute;
  const get = () => {
    if (pending !== undefined) {
      const run = pending;
      pending = undefined;
      value = run();
    }
    return value;
  };
  return Object.defineProperty({ ...fact }, 'value', { get, enumerable: false });
}

/** What a weight says about itself. Its elements are decoded only when somebody asks. */
export function constantFact(constant: Constant): Fact {
  return withValue({ type: constant.type, shape: constant.shape }, constant.value);
}

/** Types whose elements can be folded. The rest (strings, complex, 8 bits of float and less) never decide a shape. */
export function hasArithmetic(type: ElementType): boolean {
  return type === 'bool' || isInteger(type) || type in SIGNIFICAND;
}

/** Fraction bits and smallest normal exponent of the types narrower than float32. */
const SIGNIFICAND: Readonly<Partial<Record<ElementType, readonly [bits: number, exponent: number]>>> = {
  float16: [10, -14],
  bfloat16: [7, -126],
  float32: [23, -126],
  float64: [52, -1022],
};

/** An exact number brought into a type: integers wrap at their width, floats round to nearest, bool is 0 or 1. */
export function toType(type: ElementType, exact: Numeric): Numeric {
  if (type === 'bool') return Number(exact) === 0 ? 0 : 1;
  return isInteger(type) ? wrap(type, exact) : roundFloat(type, Number(exact));
}

/** A number rounded to the nearest element of a float type, ties to even. */
export function roundFloat(type: ElementType, exact: number): number {
  if (type === 'float64') return exact;
  if (type === 'float32') return Math.fround(exact);
  const [bits, exponent] = SIGNIFICAND[type] ?? [52, -1022];
  if (!Number.isFinite(exact) || exact === 0) return exact;
  const own = Math.max(Math.floor(Math.log2(Math.abs(exact))), exponent);
  const unit = 2 ** (own - bits);
  const rounded = roundToEven(exact / unit) * unit;
  return Math.abs(rounded) >= OVERFLOW[type]! ? Math.sign(exact) * Infinity : rounded;
}

const OVERFLOW: Readonly<Partial<Record<ElementType, number>>> = { float16: 65520, bfloat16: 2 ** 128 };

/** Nearest integer, ties to even. */
export function roundToEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}

/** An integer wrapped at the width of its type; a number where it is exact, else a bigint. */
function wrap(type: ElementType, exact: Numeric): Numeric {
  const bits = ELEMENT_BITS[type];
  const signed = type.startsWith('i');
  if (typeof exact === 'number') {
    const least = signed ? -(2 ** (bits - 1)) : 0;
    const most = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
    if (Number.isSafeInteger(exact) && exact >= least && exact <= most) return exact;
  }
  const large = typeof exact === 'bigint' ? exact : BigInt(Number.isFinite(exact) ? Math.trunc(exact) : 0);
  return normal(signed ? BigInt.asIntN(bits, large) : BigInt.asUintN(bits, large));
}

/** The one form of an integer: a number up to 2^53, a bigint beyond. */
export function normal(exact: bigint): Numeric {
  const near = Number(exact);
  return Number.isSafeInteger(near) ? near : exact;
}

/** A value of `count` times the same element. */
export function repeated(element: Scalar, count: number): Value {
  return new Array<Scalar>(count).fill(element);
}
