/** Control flow in a runner: the branches of an If, and how what they hand out comes to its outputs. */
import { fail } from '../errors.ts';
import type { Body, Node } from '../graph/types.ts';
import type { BodySteps, Schedule } from '../lifetime/types.ts';
import { refuse, runnerNode } from './node.ts';
import { loweringOf } from './registry.ts';
import type { StepScene } from './scene.ts';
import type { Call } from './types.ts';

/** An If: its steps [first, end) run where the condition is as they need it. */
export interface Choice {
  /** Index in `Graph.tensors`; undefined where one branch was decided on while planning. */
  readonly condition: number | undefined;
  /** The one that is taken where the condition holds, then the other; or the one that is always taken. */
  readonly branches: readonly Branch[];
  /** One past the last step of all branches. */
  readonly end: number;
}

export interface Branch {
  readonly first: number;
  readonly end: number;
  /** Behind its steps: what it hands out is copied to the outputs of the If, where it is not there already. */
  readonly results: readonly Call[];
}

/** The branches of a control-flow node. Refuses all but If. */
export function choiceOf(scene: StepScene, step: number): Choice {
  const { node } = scene.schedule.steps[step]!;
  if (node.op !== 'If') refuse(': the runner knows no loops');
  const { bodies, end } = spanAt(scene.schedule, step);
  const branches = bodies.map((one) => branchOf(scene, node, one));
  const [condition] = node.inputs;
  if (branches.length === 1) return { condition: undefined, branches, end };
  if (condition === undefined || scene.places.of(condition)?.kind === 'constant') {
    return refuse(' with a condition that is a weight');
  }
  return { condition, branches, end };
}

function spanAt({ spans }: Schedule, step: number) {
  let [low, high] = [0, spans.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.step < step) low = middle + 1;
    else high = middle;
  }
  return spans[low]!;
}

function branchOf(scene: StepScene, node: Node, { body, first, end }: BodySteps): Branch {
  return { first, end, results: node.outputs.flatMap((_, i) => handedOut(scene, node, body, i)) };
}

/** The copy of one result. An output that nobody reads has its bytes at the step of the If alone: nothing may go there. */
function handedOut(
  { graph, places, kernels }: StepScene,
  node: Node,
  body: Body,
  i: number,
): readonly Call[] {
  const [from, to] = [body.outputs[i]!, node.outputs[i]];
  const planned = to === undefined ? undefined : places.planned(to);
  if (to === undefined || planned === undefined || planned.end - planned.first === 1) return [];
  if (places.overlap(to, from) && !places.coincide(to, from, 0)) {
    fail('E_INTERNAL', `${node.label}: an output lies on what a branch hands out for it.`, {
      node: node.label,
      hint: 'run it again with --no-in-place and report this model',
    });
  }
  const copy: Node = { ...node, op: 'Identity', domain: '', inputs: [from], outputs: [to], bodies: [] };
  return loweringOf(copy)!.lower(runnerNode(graph, copy, places, { order: kernels.layout }));
}
