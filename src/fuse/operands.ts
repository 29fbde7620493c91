/** Sorts what an operator reads into data, weight, bias and parameters, and finds what quantises its results. */
import type { Node } from '../graph/types.ts';
import type { IntegerOperator } from '../kernels/fusions.ts';
import { isUsed, onlyReader } from './neighbours.ts';
import { isPerTensor, type Parameters, parametersOf } from './scales.ts';
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

/** A QuantizeLinear behind an output of the operator. */
export interface Result {
  readonly position: number;
  readonly node: Node;
  readonly tensor: number;
  readonly parameters: Parameters;
}

/** One QuantizeLinear for each output that anybody needs, or why there is none. */
export function resultsOf(wiring: Wiring, node: Node): readonly Result[] | string {
  const results: Result[] = [];
  for (const [position, tensor] of node.outputs.entries()) {
    if (tensor === undefined || !isUsed(wiring, tensor)) continue;
    const name = wiring.graph.tensors[tensor]!.name;
    if (wiring.isFixed(tensor)) return `hands out ${name} as it is`;
    const reader = onlyReader(wiring, tensor);
    if (reader === undefined) return `has several readers of ${name}`;
    const isQuantised =
      reader.op === 'QuantizeLinear' && reader.inputs[0] === tensor && wiring.areTogether(reader, node);
    if (!isQuantised) return `has a result, ${name}, that is not quantised`;
    const parameters = parametersOf(wiring, reader);
    if (parameters === undefined || !isPerTensor(wiring, parameters))
      return `has a result, ${name}, without one constant scale`;
    results.push({ position, node: reader, tensor: reader.outputs[0]!, parameters });
  }
  return results.length > 0 ? results : 'has no result';
}
