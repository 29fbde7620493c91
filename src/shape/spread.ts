/** Spreads quantisation over tensors whose elements are only moved: what comes out of a Reshape tells what goes in. */
import type { Body, Fact, Node } from '../graph/types.ts';
import { withValue } from '../ops/values.ts';
import type { State } from './state.ts';

/** Operators that hand the elements of these inputs to their outputs as they are. */
const MOVERS: Readonly<Record<string, readonly number[] | 'all'>> = {
  Concat: 'all',
  DepthToSpace: [0],
  Expand: [0],
  Flatten: [0],
  Gather: [0],
  GlobalMaxPool: [0],
  Identity: [0],
  MaxPool: [0],
  NhwcMaxPool: [0],
  Reshape: [0],
  Slice: [0],
  SpaceToDepth: [0],
  Split: [0],
  Squeeze: [0],
  Tile: [0],
  Transpose: [0],
  Unsqueeze: [0],
};

/**
 * Walks backwards, so that what a quantised operator says about its operand reaches the tensors before it, bodies of
 * control flow included. Only scales of whole tensors move; those of channels belong to an axis.
 */
export function spreadQuantisation(state: State, nodes: readonly Node[]): void {
  for (const node of [...nodes].reverse()) {
    for (const body of node.bodies) {
      spreadQuantisation(state, body.nodes);
      spreadOut(state, node, body);
    }
    const movers = MOVERS[node.op];
    if (movers === undefined) continue;
    for (const [position, tensor] of node.inputs.entries()) {
      const moves = movers === 'all' || movers.includes(position);
      for (const output of moves ? node.outputs : []) copy(state, output, tensor);
    }
  }
}

/** What a body hands out is what its node hands out. A Loop's body says first whether to go on. */
function spreadOut(state: State, node: Node, body: Body): void {
  const skipped = node.op === 'Loop' ? 1 : 0;
  for (const [i, output] of node.outputs.entries()) copy(state, body.outputs[i + skipped], output);
}

/** From a tensor whose quantisation is known to one of the same type whose is not. */
function copy({ facts }: State, from: number | undefined, to: number | undefined): void {
  if (from === undefined || to === undefined) return;
  const [known, fact]: (Fact | undefined)[] = [facts[from], facts[to]];
  if (known?.quant === undefined || known.quant.axis !== null) return;
  if (fact === undefined || fact.quant !== undefined || fact.type !== known.type) return;
  facts[to] = withValue({ ...fact, quant: known.quant }, () => fact.value);
}
