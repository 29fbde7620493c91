/**
 * Operators that change the element type.
 *
 * Cast: 1 (to is a name), 6 (a number), 9 (strings), 13, 19 (saturate), 21, 23, 24, 25, 28.
 * CastLike: 15, 19, 21, 23, 24, 25. BitCast: 26.
 */
import { ELEMENT_BITS, type ElementType, isFloat, isInteger } from '../graph/element-type.ts';
import type { Scalar } from '../graph/types.ts';
import { fact } from './rules.ts';
import { typeAttribute } from './type-attribute.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { hasArithmetic, isNumeric, toType } from './values.ts';

/** Opset 1 names the type by a word (FLOAT), later ones by its number. */
function target(c: OpContext): ElementType {
  if (c.node.attributes.get('to')?.kind !== 'string') {
    return typeAttribute(c, 'to', undefined) ?? c.fail('attribute to is missing.');
  }
  const word = c.string('to').toUpperCase();
  const type = { FLOAT: 'float32', DOUBLE: 'float64' }[word] ?? word.toLowerCase();
  return Object.hasOwn(ELEMENT_BITS, type)
    ? (type as ElementType)
    : c.fail(`attribute to is '${word}', which is no element type.`);
}

const castShape: ShapeRule = (c) => [fact(target(c), c.input(0).shape)];

const castLikeShape: ShapeRule = (c) => [fact(c.input(1).type, c.input(0).shape)];

const castFold: FoldRule = (c, [output]) => {
  const { type, value } = c.input(0);
  if (output === undefined || value === undefined || !hasArithmetic(type)) return [undefined];
  const result: Scalar[] = [];
  for (const element of value) {
    const converted = convert(output.type, element);
    if (converted === undefined) return [undefined];
    result.push(converted);
  }
  return [result];
};

/** A float becomes an integer by dropping its fraction; what has no integer (NaN, infinity) is not known. */
function convert(to: ElementType, element: Scalar): Scalar | undefined {
  if (!isNumeric(element)) return isInteger(to) || isFloat(to) ? element : undefined;
  if (!isInteger(to) || typeof element === 'bigint') return toType(to, element);
  const whole = Math.trunc(element);
  if (!Number.isFinite(whole) || Math.abs(whole) >= 2 ** 63) return undefined;
  return toType(to, Number.isSafeInteger(whole) ? whole : BigInt(whole));
}

/** The bits stay. From opset 26 on the widths must be equal. */
const bitCastShape: ShapeRule = (c) => {
  const x = c.input(0);
  const to = target(c);
  if (ELEMENT_BITS[x.type] !== ELEMENT_BITS[to]) c.fail(`${x.type} and ${to} differ in width.`);
  return [fact(to, x.shape)];
};

export const rows: readonly OpRow[] = [
  {
    op: 'Cast',
    since: [1, 6, 9, 13, 19, 21, 23, 24, 25, 28],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: castShape,
    fold: castFold,
  },
  {
    op: 'CastLike',
    since: [15, 19, 21, 23, 24, 25],
    inputs: [2, 2],
    outputs: [1, 1],
    shape: castLikeShape,
    fold: castFold,
  },
  {
    op: 'BitCast',
    since: [26],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: bitCastShape,
    views: () => [{ output: 0, input: 0 }],
  },
];
