/** Random element-wise nodes. */
import { broadcastable, type Chance, data, floats, type Made, type Makers, scalar } from './chance.ts';

const UNARY: Readonly<Record<string, number>> = {
  Abs: 6,
  Acos: 7,
  Acosh: 9,
  Asin: 7,
  Asinh: 9,
  Atan: 7,
  Atanh: 9,
  Ceil: 6,
  Celu: 12,
  Cos: 7,
  Cosh: 9,
  Elu: 6,
  Erf: 9,
  Exp: 6,
  Floor: 6,
  Gelu: 20,
  HardSigmoid: 6,
  HardSwish: 14,
  Identity: 6,
  IsInf: 10,
  IsNaN: 9,
  LeakyRelu: 6,
  Log: 6,
  Mish: 18,
  Neg: 6,
  Reciprocal: 6,
  Relu: 6,
  Round: 11,
  Selu: 6,
  Shrink: 9,
  Sigmoid: 6,
  Sign: 9,
  Sin: 7,
  Sinh: 9,
  Softplus: 6,
  Softsign: 6,
  Sqrt: 6,
  Tan: 7,
  Tanh: 6,
  ThresholdedRelu: 10,
};

const BINARY: Readonly<Record<string, number>> = {
  Add: 7,
  Div: 7,
  Equal: 11,
  Greater: 9,
  GreaterOrEqual: 12,
  Less: 9,
  LessOrEqual: 12,
  Mul: 7,
  Pow: 7,
  Sub: 7,
};

const VARIADIC: Readonly<Record<string, number>> = { Max: 8, Mean: 8, Min: 8, Sum: 8 };

const LOGIC: Readonly<Record<string, number>> = { And: 7, Or: 7, Xor: 7 };

const BITS: Readonly<Record<string, number>> = { BitwiseAnd: 18, BitwiseOr: 18, BitwiseXor: 18 };

/** The second operand broadcasts to the first, the first to the second, or both to something larger. */
function binary(op: string, g: Chance, x: readonly number[]): Made {
  const other = g.one(3) ? x.map((size) => (size === 1 ? g.int(1, 3) : size)) : broadcastable(g, x);
  const operands = [floats(...other), 'x'] as const;
  return { op, operands: g.one(2) ? operands : [operands[1], operands[0]] };
}

const table = (
  ops: Readonly<Record<string, number>>,
  make: (op: string, g: Chance, x: readonly number[]) => Made,
): Makers =>
  Object.fromEntries(Object.entries(ops).map(([op, since]) => [op, [since, (g, x) => make(op, g, x)]]));

export const makers: Makers = {
  ...table(UNARY, (op) => ({ op, operands: ['x'] })),
  ...table(BINARY, binary),
  ...table(VARIADIC, (op, g, x) => ({
    op,
    operands: ['x', ...g.ints(g.int(0, 2), 0, 0).map(() => floats(...broadcastable(g, x)))],
  })),
  ...table(LOGIC, (op, g) => {
    const shape = g.ints(g.int(0, 3), 1, 3);
    return { op, operands: [data('bool', ...shape), data('bool', ...broadcastable(g, shape))] };
  }),
  ...table(BITS, (op, g) => {
    const shape = g.ints(g.int(0, 3), 1, 3);
    return { op, operands: [data('int32', ...shape), data('int32', ...broadcastable(g, shape))] };
  }),
  BitShift: [
    11,
    (g) => ({
      op: 'BitShift',
      operands: [data('uint8', 2, 3), data('uint8', ...broadcastable(g, [2, 3]))],
      attributes: { direction: g.pick('LEFT', 'RIGHT') },
    }),
  ],
  Cast: [9, (g) => ({ op: 'Cast', operands: ['x'], attributes: { to: g.pick(6, 7, 9, 11) } })],
  CastLike: [15, (g) => ({ op: 'CastLike', operands: ['x', data(g.pick('int32', 'int64', 'bool'), 1)] })],
  Clip: [
    7,
    (g) =>
      g.opset < 11
        ? { op: 'Clip', operands: ['x'], attributes: { min: { float: 0 }, max: { float: 1 } } }
        : { op: 'Clip', operands: ['x', scalar('float32', 0), g.one(2) ? scalar('float32', 1) : undefined] },
  ],
  Dropout: [7, (g) => ({ op: 'Dropout', operands: ['x'], outputs: g.opset < 10 ? 1 : 2 })],
  Mod: [
    10,
    (g, x) => ({ op: 'Mod', operands: ['x', floats(...broadcastable(g, x))], attributes: { fmod: 1 } }),
  ],
  Not: [7, (g) => ({ op: 'Not', operands: [data('bool', ...g.ints(2, 1, 3))] })],
  PRelu: [7, (g, x) => ({ op: 'PRelu', operands: ['x', floats(...broadcastable(g, x))] })],
  Where: [
    9,
    (g, x) => ({
      op: 'Where',
      operands: [data('bool', ...broadcastable(g, x)), 'x', floats(...broadcastable(g, x))],
    }),
  ],
};
