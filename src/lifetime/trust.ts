/** Says which tensors rely on what a kernel is said to allow and no run has proved. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import { constantTensors } from './constants.ts';
import type { Buffers, Schedule } from './types.ts';

/** Names in the message; the rest is counted. */
const MOST_NAMES = 6;

/** One warning (W_UNPROVED) for all of them. */
export function trustWarnings(
  graph: TypedGraph,
  schedule: Schedule,
  { buffers }: Buffers,
  kernels: KernelLibrary,
): readonly Diagnostic[] {
  const inPlace = new Set(
    buffers.flatMap(({ members }) =>
      members.filter(({ how }) => how === 'in-place').map(({ tensor }) => tensor),
    ),
  );
  const scene = { graph, constants: constantTensors(graph) };
  const names = schedule.steps
    .filter(({ node, writes }) => {
      return (
        writes.some((tensor) => inPlace.has(tensor)) && kernels.contract(scene, node).proof === 'unproved'
      );
    })
    .map(({ node }) => node.label);
  if (names.length === 0) return [];
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  const text =
    `${names.slice(0, MOST_NAMES).join(', ')}${rest} write over an operand, which no run has shown the kernels of ` +
    `${kernels.name} to do right.`;
  return [
    diagnostic('W_UNPROVED', text, { node: names[0]!, hint: 'Leave --trust out, or test those kernels.' }),
  ];
}
