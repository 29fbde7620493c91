/** Leaves out what only passes its input on: Identity, and Dropout outside of training. */
import type { Fusions } from '../kernels/fusions.ts';
import { findRow } from '../ops/registry.ts';
import { settledContext } from '../ops/settled.ts';
import { joined } from './group.ts';
import { feederOf, hasOneResult } from './neighbours.ts';
import type { Fusion, Wiring } from './wiring.ts';

/**
 * Readers of the output read the input instead. An output that must be there under its own name is written by the
 * step before, if nobody else needs what that step wrote so far; else the node stays.
 */
export const leaveOutPasses: Fusion = (wiring, node, fusions) => {
  const [source] = node.inputs;
  const [output] = node.outputs;
  if (source === undefined || output === undefined || !passesOn(wiring, node, fusions)) return;
  if (!wiring.isFixed(output)) {
    wiring.leaveOut(node, output, source);
    return;
  }
  const feeder = feederOf(wiring, node);
  if (feeder === undefined) return;
  wiring.absorb(node);
  const outputs = feeder.outputs.map((tensor) => (tensor === source ? output : tensor));
  wiring.replace(feeder, joined(feeder, { after: [node], outputs }));
};

function passesOn(wiring: Wiring, node: Parameters<Fusion>[1], { passes }: Fusions): boolean {
  if (!passes.includes(node.op) || node.domain !== '' || !hasOneResult(wiring, node)) return false;
  const facts = node.outputs.map((tensor) => (tensor === undefined ? undefined : wiring.graph.facts[tensor]));
  const views = findRow(node.domain, node.op)?.views?.(settledContext(wiring.graph, node), facts) ?? [];
  return views.some(({ input, output, starts }) => input === 0 && output === 0 && starts === undefined);
}
