/** Folds a BatchNormalization into the weights and the bias of the product before it. */
import type { Node } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { settledContext } from '../ops/settled.ts';
import { biasFits, channelsOf, hasActivation } from './channels.ts';
import { joined } from './group.ts';
import { feederOf, hasOneResult, isOwnConstant } from './neighbours.ts';
import type { Fusion, Wiring } from './wiring.ts';

/**
 * Scale, shift, mean and variance must be constants with one element per channel, outside of training. Weights are
 * changed by it, so they must be a constant that no other step reads; the same holds for the bias. Without one the
 * product gets one of the size of the shift.
 */
export const foldNormalisation: Fusion = (wiring, node, fusions) => {
  if (node.op !== 'BatchNormalization' || node.domain !== '' || !hasOneResult(wiring, node)) return;
  const feeder = feederOf(wiring, node);
  if (feeder === undefined || !takesIn(feeder, fusions) || trains(wiring, node)) return;
  const parameters = node.inputs.slice(1, 5).filter((tensor) => tensor !== undefined);
  const channels = channelsOf(wiring, feeder);
  if (parameters.length !== 4 || channels === undefined) return;
  if (!parameters.every((tensor) => wiring.constants.has(tensor) && hasLength(wiring, tensor, channels)))
    return;

  const [, weight, bias] = feeder.inputs;
  if (weight === undefined || !isOwnConstant(wiring, weight, feeder)) return;
  const folded = bias === undefined ? firstOwn(wiring, node, parameters) : firstOwn(wiring, feeder, [bias]);
  if (folded === undefined || (bias !== undefined && !biasFits(wiring, feeder, bias))) return;
  wiring.absorb(node);
  const inputs = [feeder.inputs[0], weight, folded];
  wiring.replace(feeder, joined(feeder, { after: [node], inputs, outputs: [node.outputs[0]] }));
};

function takesIn(feeder: Node, fusions: Fusions): boolean {
  return fusions.normalised.includes(feeder.op) && feeder.domain === '' && !hasActivation(feeder, fusions);
}

/** Before opset 7 test mode is a flag, later training is one; training normalises by the batch itself. */
function trains(wiring: Wiring, node: Node): boolean {
  const c = settledContext(wiring.graph, node);
  return c.opset < 7 ? c.int('is_test', 0) === 0 : c.int('training_mode', 0) !== 0;
}

/** The first constant that only `reader` reads: its bytes may hold the folded bias. */
function firstOwn(wiring: Wiring, reader: Node, tensors: readonly number[]): number | undefined {
  // The shift has the type and the meaning of a bias.
  return [tensors[1], ...tensors].find(
    (tensor) => tensor !== undefined && isOwnConstant(wiring, tensor, reader),
  );
}

function hasLength(wiring: Wiring, tensor: number, length: number): boolean {
  const shape = wiring.graph.facts[tensor]?.shape;
  return shape?.length === 1 && shape[0] === length;
}
