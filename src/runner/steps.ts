/** Lowers every step of a plan to kernel calls and control flow, or says of all nodes at once why that cannot be. */
import { type Diagnostic, diagnostic, fail, MemplanError } from '../errors.ts';
import type { Node, TypedGraph } from '../graph/types.ts';
import { type CmsisNnVersion, cmsisNnOf } from '../kernels/cmsis-nn/build.ts';
import { QDQ_DOMAIN } from '../kernels/integer-form.ts';
import type { Contract } from '../kernels/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Step } from '../lifetime/types.ts';
import { flowOf } from './flow.ts';
import type { Flow } from './flow-types.ts';
import { limited, membersInTurn, type Part } from './groups.ts';
import { refusalOf, refuse, runnerNode, type Setting } from './node.ts';
import type { Places } from './places.ts';
import { cmsisLoweringOf, loweringOf } from './registry.ts';
import type { StepScene } from './scene.ts';
import { planTurned } from './turn.ts';
import type { Call, Lowering, Planned } from './types.ts';

/** How many nodes a message names. */
const MOST_NAMED = 5;

export interface LoweredStep {
  /** None where it has nothing to do. */
  readonly calls: readonly Call[];
  /** Of control flow. */
  readonly flow?: Flow;
}

/**
 * What each step becomes. Throws E_UNSUPPORTED_KERNEL, one for each operator and
 * reason, and E_INTERNAL where the plan shares bytes in a way that the kernels do not allow.
 */
export function lowerSteps(scene: StepScene): readonly LoweredStep[] {
  const refused = new Map<string, Node[]>();
  const constants = constantTensors(scene.graph);
  const lowered = scene.schedule.steps.map((step) => {
    try {
      if (step.node.bodies.length > 0) return { calls: [], flow: flowOf(scene, step.step) };
      return { calls: lowerStep(scene, step, constants) };
    } catch (error) {
      const why = refusalOf(error);
      if (why === undefined) throw error;
      const key = `${operatorOf(step.node)}\0${why}`;
      refused.set(key, [...(refused.get(key) ?? []), step.node]);
      return { calls: [] };
    }
  });
  const [first, ...others] = [...refused].map(([key, nodes]) => unsupported(key, nodes));
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return lowered;
}

function lowerStep(scene: StepScene, step: Step, constants: ReadonlySet<number>): readonly Call[] {
  const { graph, places, kernels } = scene;
  const { node } = step;
  const outputs = node.outputs.filter((tensor) => tensor !== undefined);
  const made = outputs.filter((tensor) => !isView(tensor, places) && !isEmpty(graph, tensor));
  if (made.length === 0) return [];
  const contract = kernels.contract({ graph, constants }, node);
  const parts = membersInTurn(graph, node);
  return parts.flatMap((part, i) => {
    const needed = new Set(parts.slice(i).flatMap(({ node: { inputs } }) => inputs));
    const reads = step.reads.filter((tensor) => needed.has(tensor));
    return lowerPart(scene, step, { ...part, made, reads, contract: i === 0 ? contract : undefined });
  });
}

interface PartOfStep extends Part {
  readonly made: readonly number[];
  /** What this part and those behind it still read, but the result itself. */
  readonly reads: readonly number[];
  /** Of the step, for the part that does its main work. */
  readonly contract: Contract | undefined;
}

/** By the library's kernel where there is one, else by a reference kernel. */
function lowerPart(scene: StepScene, step: Step, part: PartOfStep): readonly Call[] {
  const { graph, places, kernels } = scene;
  const { node, limits, added, made, contract } = part;
  const scratch = step.scratch.map(
    (tensor): Planned => ({
      tensor,
      bytes: places.planned(tensor)?.bytes ?? 0,
    }),
  );
  const setting: Setting = { order: kernels.layout, limits, added, scratch };
  const isOwn = kernels.name === 'cmsis-nn' && contract !== undefined && contract.missing === undefined;
  const own = isOwn ? cmsisLoweringOf(node) : undefined;
  if (own !== undefined) {
    checkSharing(step, part, own, places);
    const library = cmsisNnOf(kernels.version as CmsisNnVersion, kernels.build!);
    return own.lower(runnerNode(graph, node, places, { ...setting, library }));
  }
  const lowering = loweringOf(node) ?? refuse('');
  checkSharing(step, part, lowering, places);
  const turned = planTurned(scene, step, node, contract);
  const calls = lowering.lower(runnerNode(graph, node, places, turned.setting(setting)));
  const whole = runnerNode(graph, node, places, setting);
  return [...turned.before(whole), ...calls, ...turned.behind(whole), ...limited(whole, made[0]!)];
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
function checkSharing({ node }: Step, part: PartOfStep, { inPlace = [] }: Lowering, places: Places) {
  const allowed = new Set(inPlace.map((position) => part.node.inputs[position]));
  for (const output of part.made) {
    for (const input of part.reads) {
      if (!places.overlap(output, input)) continue;
      const inStep = output === node.outputs[0] && allowed.has(input) && places.coincide(output, input, 0);
      if (inStep || places.isPart(output) || places.isPart(input)) continue;
      fail('E_INTERNAL', `${node.label}: its output would overwrite an input that its kernel still reads.`, {
        node: node.label,
        hint: 'run it again with --no-in-place and report this model',
      });
    }
  }
}

function operatorOf({ domain, op }: Node): string {
  return domain === '' || domain === QDQ_DOMAIN ? op : `${domain}.${op}`;
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
