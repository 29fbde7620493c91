/** Lets a product or sum apply the activation behind it before it writes its result. */
import type { Node } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { hasActivation } from './channels.ts';
import { joined } from './group.ts';
import { feederOf, hasOneResult } from './neighbours.ts';
import type { Fusion, Wiring } from './wiring.ts';

/** Further inputs of the activation (the limits of a Clip) must be constants; one activation per step. */
export const applyActivation: Fusion = (wiring, node, fusions) => {
  if (!fusions.activations.includes(node.op) || node.domain !== '' || !hasOneResult(wiring, node)) return;
  const feeder = feederOf(wiring, node);
  const parameters = node.inputs.slice(1).filter((tensor) => tensor !== undefined);
  if (feeder === undefined || !parameters.every((tensor) => wiring.constants.has(tensor))) return;
  if (!takesIn(wiring, feeder, node, fusions)) return;
  wiring.absorb(node);
  wiring.replace(feeder, joined(feeder, { after: [node], parameters, outputs: [node.outputs[0]] }));
};

function takesIn({ graph }: Wiring, feeder: Node, node: Node, fusions: Fusions): boolean {
  const typeOf = (tensor: number | undefined) =>
    tensor === undefined ? undefined : graph.facts[tensor]?.type;
  return (
    fusions.activated.includes(feeder.op) &&
    feeder.domain === '' &&
    !hasActivation(feeder, fusions) &&
    typeOf(feeder.outputs[0]) === typeOf(node.outputs[0])
  );
}
