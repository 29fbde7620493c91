/**
 * Losses and the steps of optimisers.
 *
 * NegativeLogLikelihoodLoss: 12, 13, 22. SoftmaxCrossEntropyLoss: 12, 13.
 * ai.onnx.preview.training Adagrad, Adam, Gradient, Momentum: 1.
 */
import type { Fact } from '../graph/types.ts';
import { fact, type Shape } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** One loss per target, or a scalar when they are reduced. */
function lossShape(c: OpContext): Shape | undefined {
  return c.string('reduction', 'mean') === 'none' ? c.input(1).shape : [];
}

const negativeLogLikelihoodLoss: ShapeRule = (c) => [fact(c.input(0).type, lossShape(c))];

const softmaxCrossEntropyLoss: ShapeRule = (c) => {
  const scores = c.input(0);
  return [fact(scores.type, lossShape(c)), fact(scores.type, scores.shape)].slice(0, c.outputCount);
};

/**
 * After learning rate and count come `groups` groups of equally many tensors, the second of them gradients; the
 * outputs are the new tensors of all other groups.
 */
const optimiser =
  (groups: number): ShapeRule =>
  (c) => {
    const count = (c.inputs.length - 2) / groups;
    if (!Number.isInteger(count)) c.fail(`${c.inputs.length} inputs are not 2 and ${groups} times as many.`);
    return Array.from({ length: c.outputCount }, (_, i) => likeInput(c, 2 + (i < count ? i : i + count)));
  };

/** One gradient per differentiated tensor, of its shape. */
const gradient: ShapeRule = (c) => Array.from({ length: c.outputCount }, (_, i) => likeInput(c, i));

function likeInput(c: OpContext, position: number): Fact {
  return fact(c.input(position).type, c.input(position).shape);
}

function preview(op: string, least: number, shape: ShapeRule): OpRow {
  return {
    op,
    domain: 'ai.onnx.preview.training',
    since: [1],
    inputs: [least, Infinity],
    outputs: [1, Infinity],
    shape,
  };
}

export const rows: readonly OpRow[] = [
  {
    op: 'NegativeLogLikelihoodLoss',
    since: [12, 13, 22],
    inputs: [2, 3],
    outputs: [1, 1],
    shape: negativeLogLikelihoodLoss,
  },
  {
    op: 'SoftmaxCrossEntropyLoss',
    since: [12, 13],
    inputs: [2, 3],
    outputs: [1, 2],
    shape: softmaxCrossEntropyLoss,
  },
  preview('Adagrad', 3, optimiser(3)),
  preview('Adam', 3, optimiser(4)),
  preview('Gradient', 1, gradient),
  preview('Momentum', 3, optimiser(3)),
];
