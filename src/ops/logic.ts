/**
 * Comparisons, logic, bits, tests of floats, and Where.
 *
 * Equal: 1 (broadcast by attributes), 7 (by shape), 11, 13, 19 (strings). Greater, Less: 1, 7, 9, 13.
 * GreaterOrEqual, LessOrEqual: 12, 16. And, Or, Xor: 1, 7. Not: 1.
 * BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot: 18. BitShift: 11, 28. IsNaN: 9, 13, 20. IsInf: 10, 20.
 * Where: 9, 16.
 */

import { differs, isAtMost } from '../graph/dim-order.ts';
import { type Dim, sameDim, sub } from '../graph/dims.ts';
import type { Scalar } from '../graph/types.ts';
import { binary, type Evaluate, mapElements, operandShape, unary } from './elementwise.ts';
import { fact } from './rules.ts';
import type { OpContext, OpRow } from './types.ts';
import { isNumeric, type Numeric } from './values.ts';

interface Comparison {
  /** On numbers, mixed with bigints where they are large. */
  readonly holds: (a: Numeric, b: Numeric) => boolean;
  /** On dimensions: undefined where it depends on what the symbols stand for. */
  readonly proved: (a: Dim, b: Dim) => boolean | undefined;
}

const COMPARISONS: readonly OpRow[] = [
  comparison('Equal', [1, 7, 11, 13, 19], {
    holds: (a, b) => a === b,
    proved: (a, b) => (sameDim(a, b) ? true : differs(a, b) ? false : undefined),
  }),
  comparison('Greater', [1, 7, 9, 13], { holds: (a, b) => a > b, proved: (a, b) => isLess(b, a) }),
  comparison('Less', [1, 7, 9, 13], { holds: (a, b) => a < b, proved: isLess }),
  comparison('GreaterOrEqual', [12, 16], { holds: (a, b) => a >= b, proved: (a, b) => not(isLess(a, b)) }),
  comparison('LessOrEqual', [12, 16], { holds: (a, b) => a <= b, proved: (a, b) => not(isLess(b, a)) }),
];

function isLess(a: Dim, b: Dim): boolean | undefined {
  if (isAtMost(a, sub(b, 1))) return true;
  return isAtMost(b, a) ? false : undefined;
}

function not(known: boolean | undefined): boolean | undefined {
  return known === undefined ? undefined : !known;
}

function comparison(op: string, since: readonly number[], { holds, proved }: Comparison): OpRow {
  const evaluate: Evaluate = ([a, b]) => {
    if (isNumeric(a!) && isNumeric(b!)) return holds(a, b) ? 1 : 0;
    if (typeof a === 'bigint' || typeof b === 'bigint') return undefined;
    const known = proved(a as Dim, b as Dim);
    return known === undefined ? undefined : Number(known);
  };
  return toBool(op, since, [2, 2], evaluate);
}

/** An operator whose output is bool: in place only over operands of one byte, which the byte widths decide. */
function toBool(op: string, since: readonly number[], inputs: OpRow['inputs'], evaluate: Evaluate): OpRow {
  return {
    op,
    since,
    inputs,
    outputs: [1, 1],
    shape: (c) => [fact('bool', operandShape(c))],
    fold: (c, [output]) => [mapElements(c, output, evaluate)],
    inPlace: inputs[1] === 1 ? [0] : [0, 1],
  };
}

const numeric =
  (test: (x: number) => boolean): Evaluate =>
  ([x]) =>
    isNumeric(x!) ? Number(test(Number(x))) : 0;

const TESTS: readonly OpRow[] = [
  toBool('IsNaN', [9, 13, 20], [1, 1], numeric(Number.isNaN)),
  {
    ...toBool('IsInf', [10, 20], [1, 1], () => undefined),
    fold: (c, [output]) => [mapElements(c, output, infinite(c))],
  },
];

function infinite(c: OpContext): Evaluate {
  const positive = c.int('detect_positive', 1) !== 0;
  const negative = c.int('detect_negative', 1) !== 0;
  return numeric((x) => (positive && x === Infinity) || (negative && x === -Infinity));
}

const LOGIC: readonly OpRow[] = [
  unary('Not', [1], { ints: (a) => 1n - a! }),
  binary('And', [1, 7], { ints: (a, b) => a! & b! }),
  binary('Or', [1, 7], { ints: (a, b) => a! | b! }),
  binary('Xor', [1, 7], { ints: (a, b) => a! ^ b! }),
  unary('BitwiseNot', [18], { ints: (a) => ~a! }),
  binary('BitwiseAnd', [18], { ints: (a, b) => a! & b! }),
  binary('BitwiseOr', [18], { ints: (a, b) => a! | b! }),
  binary('BitwiseXor', [18], { ints: (a, b) => a! ^ b! }),
  binary('BitShift', [11, 28], (c) =>
    c.string('direction') === 'LEFT'
      ? { ints: (a, b) => (b! < 64n ? a! << b! : 0n) }
      : { ints: (a, b) => (b! < 64n ? a! >> b! : 0n) },
  ),
];

const where: Evaluate = ([condition, then, otherwise]): Scalar | undefined => {
  if (condition === 0) return otherwise;
  return condition === 1 ? then : undefined;
};

export const rows: readonly OpRow[] = [
  ...COMPARISONS,
  ...TESTS,
  ...LOGIC,
  {
    op: 'Where',
    since: [9, 16],
    inputs: [3, 3],
    outputs: [1, 1],
    shape: (c) => [fact(c.input(1).type, operandShape(c))],
    fold: (c, [output]) => [mapElements(c, output, where)],
    inPlace: [1, 2],
  },
];
