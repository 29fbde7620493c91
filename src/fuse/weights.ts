/** Says which weights are still turned into floats while the network runs, and why. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import { tensorBytes } from '../graph/element-type.ts';
import type { Node, TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Wiring } from './wiring.ts';

/** One note for all weights that are turned into floats because nothing was fused. */
export function unfusedWeights(graph: TypedGraph): readonly Diagnostic[] {
  const constants = constantTensors(graph);
  let count = 0;
  const visit = (nodes: readonly Node[]): void => {
    for (const { op, inputs, bodies } of nodes) {
      const [source] = inputs;
      if (op === 'DequantizeLinear' && source !== undefined && constants.has(source)) count++;
      for (const body of bodies) visit(body.nodes);
    }
  };
  visit(graph.nodes);
  if (count === 0) return [];
  const text = `The network turns ${count} quantised ${count === 1 ? 'weight' : 'weights'} into floats in the arena.`;
  return [
    diagnostic('N_WEIGHT_DEQUANTIZED', text, { hint: '--fuse default plans them as integer kernels do.' }),
  ];
}

/** One note per DequantizeLinear of a constant that stays a step. `reasons`: why nodes are no integer steps, by label. */
export function dequantisedWeights(
  wiring: Wiring,
  reasons: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  return [...wiring.nodes()].flatMap((node) => {
    const [source] = node.inputs;
    const [output] = node.outputs;
    if (node.op !== 'DequantizeLinear' || source === undefined || output === undefined) return [];
    if (!wiring.constants.has(source)) return [];
    const { graph } = wiring;
    const weight = graph.tensors[source]!.name;
    const bytes = bytesOf(graph, output);
    const text =
      `${node.label} turns the weight ${weight}${bytes === undefined ? '' : ` into ${bytes} bytes of floats`} while the ` +
      `network runs, because ${because(wiring, output, reasons)}.`;
    return [diagnostic('N_WEIGHT_DEQUANTIZED', text, { node: node.label, tensor: weight })];
  });
}

function because(wiring: Wiring, tensor: number, reasons: ReadonlyMap<string, string>): string {
  if (wiring.isFixed(tensor)) return `${wiring.graph.tensors[tensor]!.name} must be there under its name`;
  const [reader] = wiring.readers(tensor);
  if (reader === undefined) return 'nobody reads it';
  return `${reader.label} (${reader.op}) ${reasons.get(reader.label) ?? 'has no integer form'}`;
}

function bytesOf({ facts }: TypedGraph, tensor: number): number | undefined {
  const fact = facts[tensor];
  if (fact === undefined || !fact.shape?.every(isKnown)) return undefined;
  return tensorBytes(
    fact.type,
    fact.shape.reduce((a, b) => a * b, 1),
  );
}
