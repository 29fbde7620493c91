/** Lowers every step of a plan to kernel calls, or says of all nodes at once why that cannot be. */
import { type Diagnostic, diagnostic, fail, MemplanError } from '../errors.ts';
import type { Node, TypedGraph } from '../graph/types.ts';
import type { Schedule, Step } from '../lifetime/types.ts';
import { refusalOf, refuse, runnerNode } from './node.ts';
import type { Places } from './places.ts';
import { loweringOf } from './registry.ts';
import type { Call } from './types.ts';

/** How many nodes a message names. */
const MOST_NAMED = 5;

/**
 * The calls of each step; none where a step has nothing to do. Throws E_UNSUPPORTED_KERNEL, one for each operator and
 * reason, and E_INTERNAL where the plan shares bytes in a way that the kernels do not allow.
 */
export function lowerSteps(
  graph: TypedGraph,
  schedule: Schedule,
  places: Places,
): readonly (readonly Call[])[] {
  const refused = new Map<string, Node[]>();
  const lowered = schedule.steps.map((step) => {
    try {
      return lowerStep(graph, step, places);
    } catch (error) {
      const why = refusalOf(error);
      if (why === undefined) throw error;
      const key = `${operatorOf(step.node)}\0${why}`;
      refused.set(key, [...(refused.get(key) ?? []), step.node]);
      return [];
    }
  });
  const [first, ...others] = [...refused].map(([key, nodes]) => unsupported(key, nodes));
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return lowered;
}

function lowerStep(graph: TypedGraph, step: Step, places: Places): readonly Call[] {
  const { node } = step;
  if (node.bodies.length > 0) refuse(': the runner knows no control flow');
  if (node.group !== undefined) refuse(' that does the work of several nodes: use --fuse none');
  const outputs = node.outputs.filter((tensor) => tensor !== undefined);
  const made = outputs.filter((tensor) => !isView(tensor, places) && !isEmpty(graph, tensor));
  if (made.length === 0) return [];
  const lowering = loweringOf(node) ?? refuse('');
  checkSharing(step, made, lowering.inPlace ?? [], places);
  return lowering.lower(runnerNode(graph, node, places));
}

/** It shows bytes that another tensor already has. */
function isView(tensor: number, places: Places): boolean {
  const planned = places.planned(tensor);
  if (planned === undefined) return true;
  return planned.how === 'view' || (planned.how === 'external' && planned.aliasOf !== null);
}

function isEmpty(graph: TypedGraph, tensor: number): boolean {
  return graph.facts[tensor]?.shape?.includes(0) ?? false;
}

/** What a step writes may lie on nothing it reads but an operand that its kernels overwrite element by element. */
function checkSharing(
  { node, reads }: Step,
  made: readonly number[],
  inPlace: readonly number[],
  places: Places,
) {
  const allowed = new Set(inPlace.map((position) => node.inputs[position]));
  for (const output of made) {
    const how = places.planned(output)?.how;
    for (const input of reads) {
      if (!places.overlap(output, input)) continue;
      const inStep = output === node.outputs[0] && allowed.has(input) && places.coincide(output, input, 0);
      if (inStep || how === 'elided' || places.planned(input)?.how === 'elided') continue;
      fail('E_INTERNAL', `${node.label}: its output would overwrite an input that its kernel still reads.`, {
        node: node.label,
        hint: 'run it again with --no-in-place and report this model',
      });
    }
  }
}

function operatorOf({ domain, op }: Node): string {
  return domain === '' ? op : `${domain}.${op}`;
}

function unsupported(key: string, nodes: readonly Node[]): Diagnostic {
  const [operator, why] = key.split('\0') as [string, string];
  const names = nodes.slice(0, MOST_NAMED).map(({ label }) => label);
  const rest = nodes.length > MOST_NAMED ? ` and ${nodes.length - MOST_NAMED} more` : '';
  const reason = why === '' || why.startsWith(':') ? why : ` ${why.trim()}`;
  const text = `The runner has no kernel for ${operator}${reason}: ${names.join(', ')}${rest}.`;
  const hint = 'leave runner out of --emit, or write the step by hand with the offset table';
  return diagnostic('E_UNSUPPORTED_KERNEL', text, { node: nodes[0]!.label, hint });
}
