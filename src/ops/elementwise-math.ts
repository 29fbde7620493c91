/**
 * Arithmetic: rounding, powers and logarithms, trigonometry, and the operators of two or more operands.
 *
 * Abs, Neg, Ceil, Floor, Sqrt, Exp, Log, Reciprocal: 1 (consumed_inputs), 6, 13.
 * Sign: 9, 13. Round: 11, 22. Erf: 9, 13.
 * Sin, Cos, Tan, Asin, Acos, Atan: 7, 22. Sinh, Cosh, Asinh, Acosh, Atanh: 9, 22.
 * Add, Sub, Mul, Div: 1 (broadcast by attributes), 6, 7 (broadcast by shape), 13, 14. Pow: 1, 7, 12 (types), 13, 15.
 * Mod: 10, 13, 28.
 * Max, Min: 1 (equal shapes), 6, 8 (broadcast), 12, 13. Sum, Mean: 1, 6, 8, 13.
 */

import { isAtMost, isNonNegative } from '../graph/dim-order.ts';
import { add, type Dim, floorDiv, isKnown, max, min, mod, mul, sub } from '../graph/dims.ts';
import { type ElementType, isInteger } from '../graph/element-type.ts';
import { type Arithmetic, binary, elementwise, unary } from './elementwise.ts';
import type { OpContext, OpRow } from './types.ts';
import { roundToEven } from './values.ts';

const BASIC = [1, 6, 13];

/** Rounding leaves integers, and so dimensions, as they are. */
const rounding = (floats: (x: number) => number): Arithmetic => ({ floats, dims: ([x]) => x });

const UNARY: readonly OpRow[] = [
  unary('Abs', BASIC, {
    ints: (x) => (x! < 0n ? -x! : x!),
    floats: Math.abs,
    dims: ([x]) => (isNonNegative(x!) ? x : undefined),
  }),
  unary('Neg', BASIC, { ints: (x) => -x!, floats: (x) => -x!, dims: ([x]) => mul(x!, -1) }),
  unary('Sign', [9, 13], {
    ints: (x) => (x! > 0n ? 1n : x! < 0n ? -1n : 0n),
    floats: Math.sign,
    dims: ([x]) => (isAtMost(1, x!) ? 1 : undefined),
  }),
  unary('Ceil', BASIC, rounding(Math.ceil)),
  unary('Floor', BASIC, rounding(Math.floor)),
  unary('Round', [11, 22], rounding(roundToEven)),
  unary('Sqrt', BASIC, { floats: Math.sqrt }),
  unary('Exp', BASIC, { floats: Math.exp }),
  unary('Log', BASIC, { floats: Math.log }),
  unary('Reciprocal', BASIC, { floats: (x) => 1 / x! }),
  unary('Erf', [9, 13]),
  unary('Sin', [7, 22], { floats: Math.sin }),
  unary('Cos', [7, 22], { floats: Math.cos }),
  unary('Tan', [7, 22], { floats: Math.tan }),
  unary('Asin', [7, 22], { floats: Math.asin }),
  unary('Acos', [7, 22], { floats: Math.acos }),
  unary('Atan', [7, 22], { floats: Math.atan }),
  unary('Sinh', [9, 22], { floats: Math.sinh }),
  unary('Cosh', [9, 22], { floats: Math.cosh }),
  unary('Asinh', [9, 22], { floats: Math.asinh }),
  unary('Acosh', [9, 22], { floats: Math.acosh }),
  unary('Atanh', [9, 22], { floats: Math.atanh }),
];

const OVER_OPSETS = [1, 6, 7, 13, 14];

const BINARY: readonly OpRow[] = [
  binary('Add', OVER_OPSETS, {
    ints: (a, b) => a! + b!,
    floats: (a, b) => a! + b!,
    dims: ([a, b]) => add(a!, b!),
  }),
  binary('Sub', OVER_OPSETS, {
    ints: (a, b) => a! - b!,
    floats: (a, b) => a! - b!,
    dims: ([a, b]) => sub(a!, b!),
  }),
  binary('Mul', OVER_OPSETS, {
    ints: (a, b) => a! * b!,
    floats: (a, b) => a! * b!,
    dims: ([a, b]) => mul(a!, b!),
  }),
  binary('Div', OVER_OPSETS, {
    ints: (a, b) => (b === 0n ? undefined : a! / b!),
    floats: (a, b) => a! / b!,
    dims: ([a, b], type) => divideDims(a!, b!, type),
  }),
  binary('Pow', [1, 7, 12, 13, 15], {
    ints: power,
    floats: (a, b) => a! ** b!,
    dims: ([a, b]) => (b === 1 ? a : b === 2 ? mul(a!, a!) : undefined),
  }),
  binary('Mod', [10, 13, 28], moduloOf),
];

/** Integer division rounds towards zero, which is the floor where nothing is negative. Floats must divide exactly. */
function divideDims(a: Dim, b: Dim, type: ElementType): Dim | undefined {
  if (!isNonNegative(a) || !isAtMost(1, b)) return undefined;
  const quotient = floorDiv(a, b);
  if (isInteger(type)) return quotient;
  return isKnown(b) && isKnown(sub(a, mul(quotient, b))) && sub(a, mul(quotient, b)) === 0
    ? quotient
    : undefined;
}

/** Exact where the result is small; a power beyond 2^53 is not worth a guess at how it wraps. */
function power(base?: bigint, exponent?: bigint): bigint | undefined {
  const near = Number(base) ** Number(exponent);
  return Number.isSafeInteger(near) ? BigInt(near) : undefined;
}

/** fmod = 0: the sign of the divisor (integers only); fmod = 1: the sign of the dividend, as C has it. */
function moduloOf(c: OpContext): Arithmetic {
  const truncates = c.int('fmod', 0) !== 0;
  const ints = (a?: bigint, b?: bigint) => {
    if (b === 0n) return undefined;
    const rest = a! % b!;
    return !truncates && rest !== 0n && rest < 0n !== b! < 0n ? rest + b! : rest;
  };
  const dims = ([a, b]: readonly Dim[]) => (isNonNegative(a!) && isAtMost(1, b!) ? mod(a!, b!) : undefined);
  return truncates ? { ints, floats: (a, b) => a! % b!, dims } : { ints, dims };
}

/** The one of the operands that comes before every other by `before`. */
function first(operands: readonly bigint[], before: (a: bigint, b: bigint) => boolean): bigint {
  return operands.reduce((best, operand) => (before(operand, best) ? operand : best));
}

const VARIADIC: readonly OpRow[] = [
  variadic('Max', [1, 6, 8, 12, 13], {
    ints: (...operands) => first(operands, (a, b) => a > b),
    floats: Math.max,
    dims: (operands) => operands.reduce(max),
  }),
  variadic('Min', [1, 6, 8, 12, 13], {
    ints: (...operands) => first(operands, (a, b) => a < b),
    floats: Math.min,
    dims: (operands) => operands.reduce(min),
  }),
  variadic('Sum', [1, 6, 8, 13], {
    floats: (...operands) => operands.reduce((a, b) => a + b),
    dims: (operands) => operands.reduce(add),
  }),
  variadic('Mean', [1, 6, 8, 13], {
    floats: (...operands) => operands.reduce((a, b) => a + b) / operands.length,
  }),
];

/** Kernels fold the operands in from the left, so only the first two may be written over. */
function variadic(op: string, since: readonly number[], arithmetic: Arithmetic): OpRow {
  return elementwise(op, since, { inputs: [1, Infinity], inPlace: [0, 1], arithmetic });
}

export const rows: readonly OpRow[] = [...UNARY, ...BINARY, ...VARIADIC];
