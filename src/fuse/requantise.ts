/** Makes one step of a DequantizeLinear with a QuantizeLinear right behind it, or none where nothing changes. */
import type { Node } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { joined } from './group.ts';
import { isUsed } from './neighbours.ts';
import { isPerTensor, meanTheSame, parametersOf } from './scales.ts';
import type { Wiring } from './wiring.ts';

/**
 * Both have one constant scale and integer types of the library. With equal types, scales and zero points what reads
 * the result reads the source instead; else the pair converts element by element.
 */
export function fuseRequantise(wiring: Wiring, node: Node, { integer }: Fusions): void {
  const [between] = node.inputs;
  const [output] = node.outputs;
  const before = wiring.writer(between);
  if (node.op !== 'QuantizeLinear' || before?.op !== 'DequantizeLinear' || before.group !== undefined) return;
  const [source] = before.inputs;
  if (!wiring.areTogether(before, node) || between === undefined) return;
  if (source === undefined || output === undefined || wiring.constants.has(source)) return;
  const from = parametersOf(wiring, before);
  const to = parametersOf(wiring, node);
  if (from === undefined || to === undefined) return;
  if (!isPerTensor(wiring, from) || !isPerTensor(wiring, to)) return;
  const types = [source, output].map((tensor) => wiring.graph.facts[tensor]!.type);
  if (!types.every((type) => integer.types.includes(type))) return;

  if (types[0] === types[1] && meanTheSame(wiring, from, to) && !wiring.isFixed(output)) {
    wiring.leaveOut(node, output, source);
    if (!isUsed(wiring, between)) wiring.dropUnread(before);
    return;
  }
  const parameters = [from.scale, from.zeroPoint].filter((tensor) => tensor !== undefined);
  const inputs: Node['inputs'] = [source, ...node.inputs.slice(1)];
  wiring.replace(node, joined(node, { before: [before], parameters, inputs }));
  if (!isUsed(wiring, between)) wiring.absorb(before);
}
