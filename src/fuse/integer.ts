/** Makes one integer step of DequantizeLinear -> operator -> QuantizeLinear. */
import { isFloat } from '../graph/element-type.ts';
import type { Node } from '../graph/types.ts';
import type { Fusions, IntegerOperator } from '../kernels/fusions.ts';
import { joined, membersOf } from './group.ts';
import { isUsed, onlyReader } from './neighbours.ts';
import { channelAxisOfWeight, type Operand, operandsOf } from './operands.ts';
import {
  isBiasScale,
  isPerChannelOf,
  isPerTensor,
  meanTheSame,
  type Parameters,
  parametersOf,
} from './scales.ts';
import type { Wiring } from './wiring.ts';

/** A QuantizeLinear behind an output of the operator. */
interface Result {
  readonly position: number;
  readonly node: Node;
  readonly tensor: number;
  readonly parameters: Parameters;
}

/**
 * Joins the node with what dequantises its operands and quantises its results. A DequantizeLinear that others read as
 * well is joined with each of its readers. Returns why it cannot be, or undefined when it was, or when the node has
 * nothing to do with quantised tensors.
 */
export function fuseInteger(wiring: Wiring, node: Node, fusions: Fusions): string | undefined {
  const rule = fusions.integer.operators.find(({ op }) => op === node.op);
  if (rule === undefined || node.domain !== '')
    return readsDequantised(wiring, node) ? 'has no integer form' : undefined;
  const operands = operandsOf(wiring, node, rule);
  if (!operands.some(({ dequantizer }) => dequantizer !== undefined)) return undefined;
  const results = resultsOf(wiring, node);
  if (typeof results === 'string') return results;
  const why =
    operandFault(wiring, operands, fusions) ??
    weightFault(wiring, node, operands, fusions) ??
    typeFault(wiring, operands, results, fusions) ??
    scaleFault(wiring, rule, operands, results) ??
    activationFault(node, fusions);
  if (why === undefined) join(wiring, node, operands, results);
  return why;
}

function readsDequantised(wiring: Wiring, node: Node): boolean {
  return node.inputs.some((tensor) => wiring.writer(tensor)?.op === 'DequantizeLinear');
}

/** One QuantizeLinear for each output that anybody needs. */
function resultsOf(wiring: Wiring, node: Node): readonly Result[] | string {
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

/** Data is dequantised by one constant scale; a parameter is a constant, or no float at all. */
function operandFault(wiring: Wiring, operands: readonly Operand[], fusions: Fusions): string | undefined {
  const { facts, tensors } = wiring.graph;
  for (const { role, tensor, dequantizer, parameters } of operands) {
    const name = tensors[tensor]!.name;
    if (role === 'data') {
      if (dequantizer === undefined) return `reads ${name}, which is not quantised`;
      if (parameters === undefined || !isPerTensor(wiring, parameters))
        return `reads ${name}, which has no one constant scale`;
      const type = facts[dequantizer.inputs[0]!]!.type;
      if (!fusions.integer.types.includes(type)) return `reads ${name} as ${type}`;
    }
    if (role === 'parameter' && dequantizer === undefined) {
      const isComputed = !wiring.constants.has(tensor) && isFloat(facts[tensor]?.type ?? 'int64');
      if (isComputed) return `reads ${name}, which is not quantised`;
    }
  }
  return undefined;
}

/** Weights may have one scale per output channel; a bias is int32 with the scale of the products, or still a constant float. */
function weightFault(
  wiring: Wiring,
  node: Node,
  operands: readonly Operand[],
  fusions: Fusions,
): string | undefined {
  const { facts, tensors } = wiring.graph;
  const [data] = operands;
  const weight = operands.find(({ role }) => role === 'weight');
  const bias = operands.find(({ role }) => role === 'bias');
  if (weight === undefined) return undefined;
  const name = tensors[weight.tensor]!.name;
  if (weight.dequantizer === undefined) return `has a weight, ${name}, that is not quantised`;
  if (weight.parameters === undefined) return `has a weight, ${name}, without constant scales`;
  const source = weight.dequantizer.inputs[0]!;
  const isConstant = wiring.constants.has(source);
  const { type, shape } = facts[source]!;
  if (!(isConstant ? fusions.integer.weightTypes : fusions.integer.types).includes(type))
    return `has a weight, ${name}, of type ${type}`;
  const axis = channelAxisOfWeight(node, shape?.length ?? 0);
  const fits = isConstant
    ? isPerChannelOf(wiring, weight.dequantizer, weight.parameters, axis)
    : isPerTensor(wiring, weight.parameters);
  if (!fits) return `has a weight, ${name}, whose scales do not belong to its output channels`;
  if (bias === undefined || data?.parameters === undefined) return undefined;
  const biasName = tensors[bias.tensor]!.name;
  if (bias.dequantizer === undefined)
    return wiring.constants.has(bias.tensor) ? undefined : `has a bias, ${biasName}, that is not quantised`;
  const isBias =
    facts[bias.dequantizer.inputs[0]!]?.type === 'int32' &&
    bias.parameters !== undefined &&
    isBiasScale(wiring, bias.parameters, data.parameters, weight.parameters);
  return isBias
    ? undefined
    : `has a bias, ${biasName}, that is not int32 with the scale of data times weight`;
}

/** A kernel reads and writes elements of one type. */
function typeFault(
  { graph }: Wiring,
  operands: readonly Operand[],
  results: readonly Result[],
  { integer }: Fusions,
): string | undefined {
  const read = operands
    .filter(({ role }) => role === 'data')
    .map(({ dequantizer }) => dequantizer!.inputs[0]!);
  const types = [...read, ...results.map(({ tensor }) => tensor)].map((tensor) => graph.facts[tensor]!.type);
  const other = types.find((type) => type !== types[0]);
  if (other !== undefined) return `mixes ${types[0]} and ${other}`;
  return integer.types.includes(types[0]!) ? undefined : `works on ${types[0]}`;
}

/** What is only moved keeps its scale and zero point. */
function scaleFault(
  wiring: Wiring,
  { scales }: IntegerOperator,
  operands: readonly Operand[],
  results: readonly Result[],
): string | undefined {
  if (scales === 'any') return undefined;
  const [first, ...others] = [
    ...operands.flatMap(({ role, parameters }) => (role === 'data' ? [parameters!] : [])),
    ...results.map(({ parameters }) => parameters),
  ];
  return others.every((other) => meanTheSame(wiring, first!, other))
    ? undefined
    : 'moves data between different scales';
}

/** Behind the sum an integer kernel can only limit: any other activation would need a scale of its own before it. */
function activationFault(node: Node, { activations, integer }: Fusions): string | undefined {
  const other = membersOf(node).find(
    ({ op, label }) => label !== node.label && activations.includes(op) && !integer.clamps.includes(op),
  );
  return other === undefined ? undefined : `has ${other.op} behind it without a scale between them`;
}

function join(wiring: Wiring, node: Node, operands: readonly Operand[], results: readonly Result[]): void {
  const integers = new Map(
    operands.map(({ tensor, dequantizer }) => [tensor, dequantizer?.inputs[0] ?? tensor]),
  );
  // The scale of a bias follows from the others.
  const scaled = operands.flatMap(({ role, parameters }) => (role === 'bias' ? [] : [parameters]));
  const parameters = [...scaled, ...results.map((result) => result.parameters)].flatMap((p) =>
    p === undefined ? [] : [p.scale, p.zeroPoint],
  );
  const dequantizers = new Set(
    operands.map(({ dequantizer }) => dequantizer).filter((found) => found !== undefined),
  );
  for (const result of results) wiring.absorb(result.node);
  wiring.replace(
    node,
    joined(node, {
      before: [...dequantizers],
      after: results.map((result) => result.node),
      parameters: parameters.filter((tensor) => tensor !== undefined),
      inputs: node.inputs.map((tensor) =>
        tensor === undefined ? undefined : (integers.get(tensor) ?? tensor),
      ),
      outputs: node.outputs.map(
        (_, position) => results.find((result) => result.position === position)?.tensor,
      ),
    }),
  );
  for (const dequantizer of dequantizers) {
    if (!isUsed(wiring, dequantizer.outputs[0]!)) wiring.absorb(dequantizer);
  }
}
