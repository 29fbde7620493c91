/** Makes a constant that is added per channel the bias of the product before it. */
import type { Node } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { settledContext } from '../ops/settled.ts';
import { biasFits, hasActivation, isPerChannel } from './channels.ts';
import { joined } from './group.ts';
import { feederOf, isOwnConstant } from './neighbours.ts';
import type { Fusion, Wiring } from './wiring.ts';

/**
 * One operand is the product, the other a constant with one element per channel. A bias that is there already
 * becomes the sum, so it must be a constant of its own; that of a Gemm must not be scaled.
 */
export const takeBias: Fusion = (wiring, node, fusions) => {
  if (node.op !== 'Add' || node.domain !== '' || node.inputs.length !== 2) return;
  for (const position of [0, 1]) {
    const added = node.inputs[1 - position];
    const feeder = feederOf(wiring, node, position);
    if (added === undefined || feeder === undefined || !wiring.constants.has(added)) continue;
    if (!takesIn(wiring, feeder, fusions) || !isPerChannel(wiring, feeder, added)) continue;
    const [data, weight, bias] = feeder.inputs;
    const merges =
      bias === undefined || (isOwnConstant(wiring, bias, feeder) && biasFits(wiring, feeder, bias));
    if (!merges) continue;
    wiring.absorb(node);
    const inputs = [data, weight, bias ?? added];
    wiring.replace(feeder, joined(feeder, { after: [node], inputs, outputs: [node.outputs[0]] }));
    return;
  }
};

function takesIn(wiring: Wiring, feeder: Node, fusions: Fusions): boolean {
  if (!fusions.biased.includes(feeder.op) || feeder.domain !== '' || hasActivation(feeder, fusions))
    return false;
  if (feeder.op === 'Gemm') return settledContext(wiring.graph, feeder).float('beta', 1) === 1;
  // A product of two activations has no weights that a bias could go with.
  return feeder.op !== 'MatMul' || isWeight(wiring, feeder.inputs[1]);
}

function isWeight(wiring: Wiring, tensor: number | undefined): boolean {
  if (tensor === undefined) return false;
  if (wiring.constants.has(tensor)) return true;
  const writer = wiring.writer(tensor);
  const source = writer?.inputs[0];
  return writer?.op === 'DequantizeLinear' && source !== undefined && wiring.constants.has(source);
}
