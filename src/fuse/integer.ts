/** Makes one integer step of DequantizeLinear -> operator -> QuantizeLinear. */
import type { Node } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { integerFault } from './conditions.ts';
import { joined } from './group.ts';
import { isUsed } from './neighbours.ts';
import { type Operand, operandsOf, type Result, resultsOf } from './operands.ts';
import type { Wiring } from './wiring.ts';

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
  const why = integerFault({ wiring, node, rule, operands, results, fusions });
  if (why === undefined) join(wiring, node, operands, results);
  return why;
}

function readsDequantised(wiring: Wiring, node: Node): boolean {
  return node.inputs.some((tensor) => wiring.writer(tensor)?.op === 'DequantizeLinear');
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
  const tensors = new Map(results.map(({ position, tensor }) => [position, tensor]));
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
      outputs: node.outputs.map((_, position) => tensors.get(position)),
    }),
  );
  for (const dequantizer of dequantizers) {
    if (!isUsed(wiring, dequantizer.outputs[0]!)) wiring.absorb(dequantizer);
  }
}
