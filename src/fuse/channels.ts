/** What is added or multiplied per channel of a convolution or matrix product. */
import { isKnown } from '../graph/dims.ts';
import type { Node } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { membersOf } from './group.ts';
import type { Wiring } from './wiring.ts';

/** The axis of the result along which a bias lies: the last one of a matrix product, else that of the channels. */
function channelAxis(node: Node, rank: number): number {
  return node.op === 'Gemm' || node.op === 'MatMul' ? rank - 1 : 1;
}

function shapeOf(wiring: Wiring, tensor: number | undefined): readonly number[] | undefined {
  const shape = tensor === undefined ? undefined : wiring.graph.facts[tensor]?.shape;
  return shape?.every(isKnown) ? shape : undefined;
}

/** The channels of the node's result, or undefined when they are not known. */
export function channelsOf(wiring: Wiring, node: Node): number | undefined {
  const shape = shapeOf(wiring, node.outputs[0]);
  return shape?.[channelAxis(node, shape.length)];
}

/** A constant that is added to the result adds one element to each channel. */
export function isPerChannel(wiring: Wiring, node: Node, tensor: number): boolean {
  const result = shapeOf(wiring, node.outputs[0]);
  const shape = shapeOf(wiring, tensor);
  if (result === undefined || shape === undefined || shape.length > result.length) return false;
  const axis = channelAxis(node, result.length) - (result.length - shape.length);
  return axis >= 0 && shape.every((size, i) => size === (i === axis ? channelsOf(wiring, node) : 1));
}

/** A bias that is there already has one element per channel. That of a Gemm may be anything that broadcasts. */
export function biasFits(wiring: Wiring, node: Node, bias: number): boolean {
  if (isPerChannel(wiring, node, bias)) return true;
  const shape = shapeOf(wiring, bias);
  return node.op !== 'Gemm' && shape?.length === 1 && shape[0] === channelsOf(wiring, node);
}

/** After an activation the result is no longer a sum of products. */
export function hasActivation(node: Node, { activations }: Fusions): boolean {
  return membersOf(node).some(({ op }) => activations.includes(op));
}
