/**
 * Which operands a reference kernel gets as copies where tensors have their channels last: kernels that walk windows or
 * rows of a tensor in the order of the model, the others take strides. Copies are scratch, so that plans know of them.
 */
import { tensorBytes } from '../graph/element-type.ts';
import { liesTheSame } from '../graph/memory-order.ts';
import { findRow } from '../ops/registry.ts';
import type { KernelCall, Operand } from './call.ts';
import { elements } from './call.ts';
import type { Scratch } from './types.ts';

export interface Turned {
  readonly side: 'input' | 'output';
  readonly position: number;
  readonly bytes: number;
}

/** Besides those that go element by element. */
const STRIDED: ReadonlySet<string> = new Set(
  `Identity Dropout Reshape Flatten Squeeze Unsqueeze Transpose Concat Split Slice Pad Expand Tile DepthToSpace
   SpaceToDepth QLinearConcat Where Cast QuantizeLinear DequantizeLinear Softmax LogSoftmax Equal Less LessOrEqual
   Greater GreaterOrEqual And Or Xor Not DynamicQuantizeLinear`.split(/\s+/),
);

/** Reference kernels of the operator find their elements in either order. */
export function isStrided({ node }: Pick<KernelCall, 'node'>): boolean {
  return STRIDED.has(node.op) || findRow(node.domain, node.op)?.inPlace !== undefined;
}

/** Operands that lie in another order than the model's; constants never do. */
export function turnedOperands(call: KernelCall): readonly Turned[] {
  if (isStrided(call) || call.node.bodies.length > 0) return [];
  const of = (side: Turned['side']) => (operand: Operand | undefined, position: number) => {
    if (operand === undefined || operand.constant || liesTheSame(operand.shape)) return [];
    return [{ side, position, bytes: tensorBytes(operand.type, elements(operand.shape)) ?? 0 }];
  };
  return [...call.inputs.flatMap(of('input')), ...call.outputs.flatMap(of('output'))];
}

/** `turned.input.0` */
export function turnedScratch(call: KernelCall): readonly Scratch[] {
  return turnedOperands(call).map(({ side, position, bytes }) => ({
    part: `turned.${side}.${position}`,
    bytes,
  }));
}
