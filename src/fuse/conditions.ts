/** The conditions under which an operator between DequantizeLinear and QuantizeLinear is one integer step. */
import { isFloat } from '../graph/element-type.ts';
import type { Node } from '../graph/types.ts';
import type { Fusions, IntegerOperator } from '../kernels/fusions.ts';
import { settledContext } from '../ops/settled.ts';
import { membersOf } from './group.ts';
import { channelAxisOfWeight, type Operand, type Result } from './operands.ts';
import { isBiasScale, isPerChannelOf, isPerTensor, meanTheSame } from './scales.ts';
import type { Wiring } from './wiring.ts';

/** An operator with everything that would be joined with it. */
export interface Attempt {
  readonly wiring: Wiring;
  readonly node: Node;
  readonly rule: IntegerOperator;
  readonly operands: readonly Operand[];
  readonly results: readonly Result[];
  readonly fusions: Fusions;
}

/** What stands in the way, as the end of a sentence about the node; undefined when nothing does. */
export function integerFault(attempt: Attempt): string | undefined {
  return (
    operandFault(attempt) ??
    weightFault(attempt) ??
    biasFault(attempt) ??
    typeFault(attempt) ??
    scaleFault(attempt) ??
    activationFault(attempt)
  );
}

/** Data is dequantised by one constant scale; a parameter is a constant, or no float at all. */
function operandFault({ wiring, operands, fusions }: Attempt): string | undefined {
  const { facts, tensors } = wiring.graph;
  for (const { role, tensor, dequantizer, parameters } of operands) {
    const name = tensors[tensor]!.name;
    const source = dequantizer?.inputs[0];
    if (role === 'data') {
      if (source === undefined) return `reads ${name}, which is not quantised`;
      if (parameters === undefined || !isPerTensor(wiring, parameters))
        return `reads ${name}, which has no one constant scale`;
      const { type } = facts[source]!;
      if (!fusions.integer.types.includes(type)) return `reads ${name} as ${type}`;
    }
    const isComputed = !wiring.constants.has(source ?? tensor);
    if (role === 'parameter' && isComputed && isFloat(facts[tensor]!.type)) {
      return `reads ${name}, which is computed in floats`;
    }
  }
  return undefined;
}

/** A constant weight may have one scale per output channel. */
function weightFault({ wiring, node, operands, fusions }: Attempt): string | undefined {
  const { facts, tensors } = wiring.graph;
  const weight = operands.find(({ role }) => role === 'weight');
  if (weight === undefined) return undefined;
  const name = tensors[weight.tensor]!.name;
  const source = weight.dequantizer?.inputs[0];
  if (weight.dequantizer === undefined || source === undefined)
    return `has a weight, ${name}, that is not quantised`;
  if (weight.parameters === undefined) return `has a weight, ${name}, without constant scales`;
  const isConstant = wiring.constants.has(source);
  const { type, shape } = facts[source]!;
  const types = isConstant ? fusions.integer.weightTypes : fusions.integer.types;
  if (!types.includes(type)) return `has a weight, ${name}, of type ${type}`;
  const axis = channelAxisOfWeight(node, shape?.length ?? 0);
  const fits = isConstant
    ? isPerChannelOf(wiring, weight.dequantizer, weight.parameters, axis)
    : isPerTensor(wiring, weight.parameters);
  return fits ? undefined : `has a weight, ${name}, whose scales do not belong to its output channels`;
}

/** A bias is a constant: int32 with the scale of the products it is added to, or a float that is still to be rounded. */
function biasFault({ wiring, node, operands }: Attempt): string | undefined {
  const { facts, tensors } = wiring.graph;
  if (node.op === 'Gemm') {
    const c = settledContext(wiring.graph, node);
    if (c.float('alpha', 1) !== 1 || c.float('beta', 1) !== 1)
      return 'has an alpha or beta besides its scales';
  }
  const of = (role: Operand['role']) => operands.find((operand) => operand.role === role);
  const [data, weight, bias] = [of('data'), of('weight'), of('bias')];
  if (bias === undefined || !data?.parameters || !weight?.parameters) return undefined;
  const name = tensors[bias.tensor]!.name;
  const source = bias.dequantizer?.inputs[0] ?? bias.tensor;
  if (!wiring.constants.has(source)) return `has a bias, ${name}, that is no constant`;
  if (bias.dequantizer === undefined) return undefined;
  const isScaled =
    facts[source]!.type === 'int32' &&
    bias.parameters !== undefined &&
    isBiasScale(wiring, bias.parameters, data.parameters, weight.parameters);
  return isScaled ? undefined : `has a bias, ${name}, that is not int32 with the scale of data times weight`;
}

/** A kernel reads and writes elements of one type. */
function typeFault({ wiring, operands, results, fusions }: Attempt): string | undefined {
  const read = operands.flatMap(({ role, dequantizer }) =>
    role === 'data' ? [dequantizer!.inputs[0]!] : [],
  );
  const tensors = [...read, ...results.map(({ tensor }) => tensor)];
  const [first, ...others] = tensors.map((tensor) => wiring.graph.facts[tensor]!.type);
  const other = others.find((type) => type !== first);
  if (other !== undefined) return `mixes ${first} and ${other}`;
  return fusions.integer.types.includes(first!) ? undefined : `works on ${first}`;
}

/** What is only moved keeps its scale and zero point. */
function scaleFault({ wiring, rule, operands, results }: Attempt): string | undefined {
  if (rule.scales === 'any') return undefined;
  const [first, ...others] = [
    ...operands.flatMap(({ role, parameters }) => (role === 'data' ? [parameters!] : [])),
    ...results.map(({ parameters }) => parameters),
  ];
  const same = others.every((other) => meanTheSame(wiring, first!, other));
  return same ? undefined : 'moves data between different scales';
}

/** Behind the sum an integer kernel can only limit: any other activation would need a scale of its own before it. */
function activationFault({ node, fusions: { activations, integer } }: Attempt): string | undefined {
  const other = membersOf(node).find(
    ({ op, label }) => label !== node.label && activations.includes(op) && !integer.clamps.includes(op),
  );
  return other === undefined ? undefined : `has ${other.op} behind it without a scale between them`;
}
