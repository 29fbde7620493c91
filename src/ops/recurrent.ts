/**
 * Recurrent layers (https://onnx.ai/onnx/operators/onnx__LSTM.html and its siblings).
 *
 * RNN: 1 (output_sequence), 7 (optional outputs by position), 14 (layout), 22 (bfloat16).
 * GRU: 1, 3 (linear_before_reset), 7, 14, 22.
 * LSTM: 1, 7, 14, 22.
 */
import { type Dim, floorDiv } from '../graph/dims.ts';
import { checkRank, fact, type Shape, unify } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** hidden_size, which old files leave out: then the columns of the recurrent weights. */
function hiddenSize(c: OpContext): Dim {
  if (c.has('hidden_size')) return c.int('hidden_size');
  return c.input(2).shape?.[2] ?? c.fail('attribute hidden_size is missing.');
}

/** 2 for a bidirectional layer, else 1. */
export function directions(c: OpContext): number {
  const direction = c.string('direction', 'forward');
  if (direction === 'bidirectional') return 2;
  if (direction === 'forward' || direction === 'reverse') return 1;
  return c.fail(`direction is '${direction}'.`);
}

/** Outputs Y, Y_h and for LSTM Y_c. `gates` stacked matrices make up the weights. */
const recurrent =
  (gates: number, states: number): ShapeRule =>
  (c) => {
    const x = c.input(0);
    checkRank(c, x, 3);
    checkRank(c, c.input(1), 3, 3, 'W');
    checkRank(c, c.input(2), 3, 3, 'R');
    const hidden = hiddenSize(c);
    const count = directions(c);
    checkWeights(c, gates, hidden, count);
    return sequences(c, hidden, count, states);
  };

/** Y with all steps, and `states` last ones, of the type of the input. With layout 1 the batch comes first. */
export function sequences(c: OpContext, hidden: Dim, count: number, states: number): ReturnType<ShapeRule> {
  const { type, shape } = c.input(0);
  if (shape === undefined) return new Array(c.outputCount).fill(fact(type, undefined));
  const [first, second] = shape as [Dim, Dim, Dim];
  const batchFirst = c.int('layout', 0) === 1;
  const batch = batchFirst ? first : second;
  const all: Shape = batchFirst ? [batch, second, count, hidden] : [first, count, batch, hidden];
  const last: Shape = batchFirst ? [batch, count, hidden] : [count, batch, hidden];
  return [fact(type, all), ...new Array(states).fill(fact(type, last))].slice(0, c.outputCount);
}

/** W is [directions, gates * hidden, input], R [directions, gates * hidden, hidden]. */
function checkWeights(c: OpContext, gates: number, hidden: Dim, count: number): void {
  const x = c.input(0).shape;
  const w = c.input(1).shape;
  const r = c.input(2).shape;
  if (w !== undefined) {
    unify(c, w[0]!, count, 'directions of W and of the attribute');
    unify(c, floorDiv(w[1]!, gates), hidden, 'hidden size of W and of the attribute');
    if (x !== undefined) unify(c, x[2]!, w[2]!, 'features of the input and of W');
  }
  if (r !== undefined) unify(c, r[2]!, hidden, 'hidden size of R and of the attribute');
}

export const rows: readonly OpRow[] = [
  { op: 'RNN', since: [1, 7, 14, 22], inputs: [3, 6], outputs: [0, 2], shape: recurrent(1, 1) },
  { op: 'GRU', since: [1, 3, 7, 14, 22], inputs: [3, 6], outputs: [0, 2], shape: recurrent(3, 1) },
  { op: 'LSTM', since: [1, 7, 14, 22], inputs: [3, 8], outputs: [0, 3], shape: recurrent(4, 2) },
];
