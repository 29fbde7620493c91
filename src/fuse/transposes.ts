/** Leaves out pairs of Transpose that undo each other. */
import type { Node } from '../graph/types.ts';
import { settledContext } from '../ops/settled.ts';
import { permutationOf } from '../ops/transpose.ts';
import { isUsed } from './neighbours.ts';
import type { Fusion, Wiring } from './wiring.ts';

/**
 * What read the second reads what the first reads. The first stays if others need its output; the second stays if
 * its output must be there under its own name.
 */
export const cancelTransposes: Fusion = (wiring, second, fusions) => {
  if (!fusions.transposes || !isTranspose(second)) return;
  const [between] = second.inputs;
  const [output] = second.outputs;
  const first = wiring.writer(between);
  if (first === undefined || !isTranspose(first) || between === undefined || output === undefined) return;
  const [source] = first.inputs;
  if (source === undefined || wiring.isFixed(output) || !undo(wiring, first, second)) return;
  wiring.leaveOut(second, output, source);
  if (!isUsed(wiring, between)) wiring.dropUnread(first);
};

function isTranspose(node: Node): boolean {
  return node.op === 'Transpose' && node.domain === '';
}

/** Axis i of the result is axis `second[i]` of what lies between, which is axis `first[second[i]]` of the source. */
function undo(wiring: Wiring, first: Node, second: Node): boolean {
  const [a, b] = [first, second].map((node) => permutationOf(settledContext(wiring.graph, node)));
  return b?.every((axis, i) => a?.[axis] === i) === true;
}
