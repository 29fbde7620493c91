/** Sorts the inputs of an operator into data, weight, bias and parameters, each with what dequantises it. */
import type { Node } from '../graph/types.ts';
import type { IntegerOperator } from '../kernels/fusions.ts';
import { type Parameters, parametersOf } from './scales.ts';
import type { Wiring } from './wiring.ts';

export interface Operand {
  readonly role: 'data' | 'weight' | 'bias' | 'parameter';
  readonly tensor: number;
  /** The DequantizeLinear that writes it, in the same body. */
  readonly dequantizer: Node | undefined;
  readonly parameters: Parameters | undefined;
}

/** In the order of the inputs; omitted ones are left out. */
export function operandsOf(wiring: Wiring, node: Node, rule: IntegerOperator): readonly Operand[] {
  return node.inputs.flatMap((tensor, position) => {
    if (tensor === undefined) return [];
    const writer = wiring.writer(tensor);
    const dequantizer =
      writer?.op === 'DequantizeLinear' && wiring.areTogether(writer, node) ? writer : undefined;
    const parameters = dequantizer && parametersOf(wiring, dequantizer);
    return [{ role: roleOf(rule, position), tensor, dequantizer, parameters }];
  });
}

function roleOf({ data, weight, bias }: IntegerOperator, position: number): Operand['role'] {
  if (position === weight) return 'weight';
  if (position === bias) return 'bias';
  return data === 'all' || data.includes(position) ? 'data' : 'parameter';
}

/** The axis of a weight that counts the output channels. */
export function channelAxisOfWeight(node: Node, rank: number): number {
  if (node.op === 'Conv') return 0;
  if (node.op === 'ConvTranspose') return 1;
  const turned = node.attributes.get('transB');
  const isTurned = turned?.kind === 'int' && Number(turned.value) !== 0;
  return isTurned ? 0 : rank - 1;
}
