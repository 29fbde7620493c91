/** Gives every step the working memory of its kernel, as tensors of their own. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import type { Fact, Node, Tensor, TypedGraph } from '../graph/types.ts';
import type { Contract, KernelLibrary, Scratch } from '../kernels/types.ts';
import { constantTensors } from './constants.ts';
import type { Schedule, Step } from './types.ts';

/** Bytes by node: its label, or `#3` for its place in the file. */
export type ScratchOverrides = ReadonlyMap<string, number>;

export interface Scratched {
  /** With one tensor more for each scratch buffer. */
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
  /** Labels of the steps whose scratch is not known. */
  readonly unknown: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Names in a message; the rest is counted. */
const MOST_NAMES = 6;

/**
 * One tensor for each scratch buffer that has bytes, alive in its step. Throws E_USAGE for overrides of nodes that
 * there are not.
 */
export function addScratch(
  graph: TypedGraph,
  schedule: Schedule,
  kernels: KernelLibrary,
  overrides: ScratchOverrides,
): Scratched {
  const scene = { graph, constants: constantTensors(graph) };
  const given = overridesByNode(schedule, overrides);
  const tensors = [...graph.tensors];
  const facts = [...graph.facts];
  let names: Set<string> | undefined;
  const taken = (): Set<string> => (names ??= new Set(graph.tensors.map(({ name }) => name)));
  const unknown: string[] = [];
  const missing: Found[] = [];

  const steps = schedule.steps.map((step): Step => {
    const contract = kernels.contract(scene, step.node);
    const bytes = given.get(step.node);
    const buffers = bytes === undefined ? contract.scratch : [{ part: '', bytes }];
    if (contract.missing !== undefined) missing.push({ step, contract });
    if (buffers === undefined) unknown.push(step.node.label);
    const needed = buffers?.filter((buffer) => buffer.bytes > 0) ?? [];
    if (needed.length === 0) return step;
    const scratch = needed.map((buffer) => {
      facts.push(factOf(buffer));
      return tensors.push(scratchTensor(nameOf(step.node, buffer, taken()))) - 1;
    });
    return { ...step, scratch };
  });
  return {
    graph: { ...graph, tensors, facts },
    schedule: { ...schedule, steps },
    unknown,
    diagnostics: missingKernels(kernels, missing),
  };
}

interface Found {
  readonly step: Step;
  readonly contract: Contract;
}

function factOf({ bytes }: Scratch): Fact {
  return { type: 'uint8', shape: [bytes] };
}

function scratchTensor(name: string): Tensor {
  return { name, role: 'scratch', declared: undefined, constant: undefined };
}

/** `conv1.scratch`, `deconv.scratch.filter`; a model that has such a name already gets a number behind it. */
function nameOf({ label }: Node, { part }: Scratch, taken: Set<string>): string {
  const name = part === '' ? `${label}.scratch` : `${label}.scratch.${part}`;
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}.${i}`;
  taken.add(free);
  return free;
}

function overridesByNode(schedule: Schedule, overrides: ScratchOverrides): ReadonlyMap<Node, number> {
  if (overrides.size === 0) return new Map();
  const nodes = new Map<string, Node>();
  for (const { node, path } of schedule.steps) {
    for (const { label, index } of [...(node.group?.members ?? []), node]) {
      nodes.set(label, node);
      if (path === '' && !nodes.has(`#${index}`)) nodes.set(`#${index}`, node);
    }
  }
  const [fault, ...others] = [...overrides.keys()]
    .filter((name) => !nodes.has(name))
    .map((name) =>
      diagnostic('E_USAGE', `--scratch ${name}: no step of the plan is a node of this name or place.`, {
        hint: 'Nodes are named as in the report, or by place: --scratch #3=4K.',
      }),
    );
  if (fault !== undefined) throw new MemplanError([fault, ...others]);
  return new Map([...overrides].map(([name, bytes]) => [nodes.get(name)!, bytes]));
}

/** One note for all nodes that reference kernels stand in for. */
function missingKernels({ name }: KernelLibrary, missing: readonly Found[]): readonly Diagnostic[] {
  if (missing.length === 0) return [];
  const listed = missing
    .slice(0, MOST_NAMES)
    .map(({ step, contract }) => `${step.node.op} ${step.node.label} (${contract.missing})`);
  const rest = missing.length > MOST_NAMES ? ` and ${missing.length - MOST_NAMES} more` : '';
  const text = `${name} has no kernel for ${listed.join(', ')}${rest}: reference kernels stand in.`;
  return [diagnostic('N_KERNEL_MISSING', text, { node: missing[0]!.step.node.label })];
}
