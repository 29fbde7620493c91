/** Lets a convolution or pool pad its input itself instead of reading a padded copy. */
import { isKnown } from '../graph/dims.ts';
import { isInteger } from '../graph/element-type.ts';
import type { Attribute, Node } from '../graph/types.ts';
import { borders, fillOf } from '../ops/pad.ts';
import { settledContext } from '../ops/settled.ts';
import type { OpContext } from '../ops/types.ts';
import { joined } from './group.ts';
import { feederOf, hasOneResult } from './neighbours.ts';
import { leastOf, realOf } from './scales.ts';
import type { Fusion, Wiring } from './wiring.ts';

/**
 * The Pad must fill with a constant and widen spatial axes only. A convolution pads with 0 (quantised: with the zero
 * point); so does an AveragePool, which must count what it pads; a MaxPool ignores its border, which is that of a
 * Pad with minus infinity (quantised: with the least element). Pools keep their borders narrower than the window,
 * and none rounds its size up, because where the last window stands then depends on who pads.
 */
export const takeInPad: Fusion = (wiring, node, fusions) => {
  if (!fusions.padded.includes(node.op) || node.domain !== '' || !hasOneResult(wiring, node)) return;
  const pad = feederOf(wiring, node);
  if (pad === undefined || pad.op !== 'Pad' || pad.domain !== '') return;
  const c = settledContext(wiring.graph, node);
  const own = ownPads(wiring, node, c);
  const added = addedPads(wiring, pad);
  if (own === undefined || added === undefined || own.length !== added.length) return;
  if (!fillsAs(wiring, pad, node, c)) return;
  const pads = own.map((size, i) => size + added[i]!);
  if (node.op.endsWith('Pool') && !isNarrow(pads, c)) return;
  const attributes = new Map<string, Attribute>(node.attributes).set('pads', { kind: 'ints', value: pads });
  attributes.delete('auto_pad');
  wiring.absorb(pad);
  wiring.replace(
    node,
    joined(node, { before: [pad], inputs: [pad.inputs[0], ...node.inputs.slice(1)], attributes }),
  );
};

/** The pads of the node, heads then tails; undefined where they follow from the size of the input. */
function ownPads({ graph }: Wiring, node: Node, c: OpContext): readonly number[] | undefined {
  const rank = graph.facts[node.inputs[0]!]?.shape?.length;
  if (rank === undefined || c.int('ceil_mode', 0) !== 0) return undefined;
  const auto = c.string('auto_pad', 'NOTSET');
  if (auto !== 'NOTSET' && auto !== 'VALID' && auto !== '') return undefined;
  const none = new Array<number>(2 * (rank - 2)).fill(0);
  return auto === 'VALID' ? none : (c.ints('pads') ?? none);
}

/** What the Pad adds to each spatial axis, heads then tails; undefined where it cuts or widens another axis. */
function addedPads({ graph }: Wiring, pad: Node): readonly number[] | undefined {
  const c = settledContext(graph, pad);
  const rank = c.input(0).shape?.length;
  const found = rank === undefined ? undefined : borders(c, rank);
  const sizes = found?.flatMap(({ head, tail }) => [head, tail]);
  if (found === undefined || !sizes?.every((size) => isKnown(size) && size >= 0)) return undefined;
  const [batch, channels, ...spatial] = found;
  const outside = [batch, channels].some((border) => border?.head !== 0 || border.tail !== 0);
  if (outside || c.string('mode', 'constant') !== 'constant') return undefined;
  return [...spatial.map(({ head }) => head), ...spatial.map(({ tail }) => tail)].filter(isKnown);
}

/** The Pad fills with what the node would take its border for. */
function fillsAs({ graph }: Wiring, pad: Node, node: Node, c: OpContext): boolean {
  if (node.op === 'AveragePool' && c.int('count_include_pad', 0) === 0) return false;
  const fill = fillOf(settledContext(graph, pad));
  const data = graph.facts[pad.outputs[0]!];
  const [, , value] = pad.inputs;
  const stated = value === undefined ? undefined : graph.facts[value];
  if (typeof fill !== 'number' || data === undefined) return false;
  // Between DequantizeLinear and QuantizeLinear a value is a real number, or an element with a scale of its own.
  const isReal = pad.group === undefined ? !isInteger(data.type) : !isInteger(stated?.type ?? 'float32');
  if (node.op === 'MaxPool') {
    return isReal ? fill === -Infinity : pad.group === undefined && fill === leastOf(data.type);
  }
  return isReal ? fill === 0 : realOf(pad.group === undefined ? data : stated!, fill) === 0;
}

function isNarrow(pads: readonly number[], c: OpContext): boolean {
  const kernel = c.ints('kernel_shape') ?? [];
  return pads.every((size, i) => size < (kernel[i % kernel.length] ?? 0));
}
