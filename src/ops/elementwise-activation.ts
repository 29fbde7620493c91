/**
 * Activations that work element by element, and Clip.
 *
 * Relu: 1, 6, 13, 14 (integers). Sigmoid, Tanh: 1, 6, 13. LeakyRelu: 1, 6, 16. Elu, Selu, HardSigmoid: 1, 6, 22.
 * Softplus, Softsign: 1, 22. ThresholdedRelu: 10, 22. Shrink: 9. Celu: 12, 28. HardSwish: 14, 22. Mish: 18, 22.
 * Gelu: 20. Swish: 24.
 * Clip: 1, 6 (min and max are attributes), 11 (they are inputs), 12, 13.
 */

import { isAtMost, isNonNegative } from '../graph/dim-order.ts';
import type { Dim } from '../graph/dims.ts';
import type { Value } from '../graph/types.ts';
import { unary } from './elementwise.ts';
import { checkRank, fact, knownDims } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { isNumeric } from './values.ts';

const ACTIVATIONS: readonly OpRow[] = [
  unary('Relu', [1, 6, 13, 14], {
    ints: (x) => (x! > 0n ? x! : 0n),
    floats: (x) => Math.max(x!, 0),
    dims: ([x]) => (isNonNegative(x!) ? x : undefined),
  }),
  unary('Sigmoid', [1, 6, 13], { floats: (x) => 1 / (1 + Math.exp(-x!)) }),
  unary('Tanh', [1, 6, 13], { floats: Math.tanh }),
  unary('LeakyRelu', [1, 6, 16]),
  unary('Elu', [1, 6, 22]),
  unary('Selu', [1, 6, 22]),
  unary('Celu', [12, 28]),
  unary('HardSigmoid', [1, 6, 22]),
  unary('HardSwish', [14, 22]),
  unary('Mish', [18, 22]),
  unary('Gelu', [20]),
  unary('Swish', [24]),
  unary('Softplus', [1, 22]),
  unary('Softsign', [1, 22]),
  unary('ThresholdedRelu', [10, 22]),
  unary('Shrink', [9]),
];

const clipShape: ShapeRule = (c) => {
  for (const bound of [c.optional(1), c.optional(2)]) {
    if (bound !== undefined) checkRank(c, bound, 0, 1, 'a bound');
  }
  return [fact(c.input(0).type, c.input(0).shape)];
};

/** The bounds as scalars; -Infinity and Infinity where there are none; undefined where one is not known. */
function bounds(c: OpContext): readonly [Dim, Dim] | undefined {
  if (c.opset < 11) return [c.float('min', -Infinity), c.float('max', Infinity)];
  const low = c.node.inputs[1] === undefined ? -Infinity : knownDims(c.optional(1))?.[0];
  const high = c.node.inputs[2] === undefined ? Infinity : knownDims(c.optional(2))?.[0];
  return low === undefined || high === undefined ? undefined : [low, high];
}

const clipFold: FoldRule = (c) => {
  const limits = bounds(c);
  const x = c.input(0);
  if (limits === undefined || x.value === undefined) return [undefined];
  const [low, high] = limits;
  const result: Value[number][] = [];
  for (const element of x.value) {
    const clipped = isNumeric(element) ? clipNumber(element, low, high) : clipDim(element, low, high);
    if (clipped === undefined) return [undefined];
    result.push(clipped);
  }
  return [result];
};

/**
 * A bigint is beyond 2^53, so comparing it with a rounded 64-bit limit could be off: it is left alone only inside.
 * Of limits that cross, the upper one wins.
 */
function clipNumber(x: number | bigint, low: Dim, high: Dim): number | bigint | undefined {
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  if (x > high || low > high) return Number.isSafeInteger(high) || typeof x === 'number' ? high : undefined;
  if (x < low) return Number.isSafeInteger(low) || typeof x === 'number' ? low : undefined;
  return x;
}

function clipDim(x: Dim, low: Dim, high: Dim): Dim | undefined {
  const above = low === -Infinity || isAtMost(low, x);
  const below = high === Infinity || isAtMost(x, high);
  return above && below ? x : undefined;
}

export const rows: readonly OpRow[] = [
  ...ACTIVATIONS,
  {
    op: 'Clip',
    since: [1, 6, 11, 12, 13],
    inputs: [1, 3],
    outputs: [1, 1],
    shape: clipShape,
    fold: clipFold,
    inPlace: [0],
  },
];
