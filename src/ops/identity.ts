/**
 * Operators that pass their input on.
 *
 * Identity: 1, 13, 14 (sequences), 16 (optionals), 19, 21, 23, 24, 25.
 * Dropout: 1 (is_test; the mask has the input's type), 6, 7 (inference only), 10 (the mask is bool),
 * 12 (training_mode is an input), 13, 22.
 */
import { sameBytes, sameElements } from './reshape.ts';
import { fact, knownScalar } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule, ViewRule } from './types.ts';

/** Dropout acts only where a node asks for training; unknown where the model decides at run time. */
function trains(c: OpContext): boolean | undefined {
  if (c.opset < 12 || c.node.inputs[2] === undefined) return false;
  const mode = knownScalar(c.optional(2));
  return mode === undefined ? undefined : mode !== 0;
}

const dropoutShape: ShapeRule = (c) => {
  const { type, shape, quant } = c.input(0);
  const output = quant === undefined ? fact(type, shape) : { type, shape, quant };
  return c.outputCount < 2 ? [output] : [output, fact(c.opset < 10 ? type : 'bool', shape)];
};

/** The elements of the mask are not evaluated: onnxruntime and the standard disagree about them. */
const dropoutFold: FoldRule = (c) => [trains(c) === false ? c.input(0).value : undefined];

const dropoutViews: ViewRule = (c, outputs) => (trains(c) === false ? sameBytes(c, outputs) : []);

export const rows: readonly OpRow[] = [
  {
    op: 'Identity',
    since: [1, 13, 14, 16, 19, 21, 23, 24, 25],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: (c) => [c.input(0)],
    fold: sameElements,
    views: sameBytes,
  },
  {
    op: 'Dropout',
    since: [1, 6, 7, 10, 12, 13, 22],
    inputs: [1, 3],
    outputs: [1, 2],
    shape: dropoutShape,
    fold: dropoutFold,
    views: dropoutViews,
    inPlace: [0],
  },
];
