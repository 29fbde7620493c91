/** Makes one step of what a kernel library does in one call: the stage between inference and scheduling. */
import type { Diagnostic } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { applyActivation } from './activation.ts';
import { takeBias } from './bias.ts';
import { membersOf } from './group.ts';
import { fuseInteger } from './integer.ts';
import { foldNormalisation } from './normalisation.ts';
import { takeInPad } from './pad.ts';
import { leaveOutPasses } from './passes.ts';
import { fuseRequantise } from './requantise.ts';
import { cancelTransposes } from './transposes.ts';
import { dequantisedWeights } from './weights.ts';
import { type Fusion, type Wiring, wiringOf } from './wiring.ts';

export interface Fused {
  /** Tensors keep their indexes; those that only fused nodes passed to each other are read and written no more. */
  readonly graph: TypedGraph;
  /** Labels of the nodes that were left out because they change nothing. */
  readonly leftOut: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Float fusions first, so that what stands between DequantizeLinear and QuantizeLinear is one node. */
const FLOAT_SWEEPS: readonly (readonly Fusion[])[] = [
  [leaveOutPasses],
  [cancelTransposes],
  [takeInPad],
  [foldNormalisation, takeBias, applyActivation],
  [fuseRequantise],
];

/** Nodes that stand side by side only now that they work on integers. */
const INTEGER_SWEEPS: readonly (readonly Fusion[])[] = [[cancelTransposes], [takeInPad]];

/**
 * Joins nodes of the graph and of its bodies, each body by itself. A step has the place, name and operator of the
 * node that does the main work, and the output of the last. `kept`: tensors that must stay, by index. Linear in nodes.
 */
export function fuseGraph(graph: TypedGraph, fusions: Fusions, kept: ReadonlySet<number>): Fused {
  const wiring = wiringOf(graph, kept);
  for (const sweep of FLOAT_SWEEPS) run(wiring, sweep, fusions);
  const reasons = new Map<string, string>();
  for (const node of wiring.nodes()) {
    const reason = fuseInteger(wiring, node, fusions);
    if (reason !== undefined) reasons.set(node.label, reason);
  }
  for (const sweep of INTEGER_SWEEPS) run(wiring, sweep, fusions);
  const diagnostics = dequantisedWeights(wiring, reasons);
  // A DequantizeLinear that was left out with one of its readers may still be part of another.
  const running = new Set([...wiring.nodes()].flatMap(membersOf).map(({ label }) => label));
  const leftOut = wiring.leftOut.filter((label) => !running.has(label));
  return { graph: wiring.finish(), leftOut: [...new Set(leftOut)], diagnostics };
}

/** Tries every fusion at every node in the order of the graph. */
function run(wiring: Wiring, sweep: readonly Fusion[], fusions: Fusions): void {
  for (const node of wiring.nodes()) {
    for (const fusion of sweep) if (wiring.isThere(node)) fusion(wiring, node, fusions);
  }
}
