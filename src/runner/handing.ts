/** Copies between a graph and the bodies of its control flow. */
import { fail } from '../errors.ts';
import type { Node } from '../graph/types.ts';
import type { Span } from '../lifetime/types.ts';
import { address, call, size, widthOf } from './arguments.ts';
import type { Grid } from './grid.ts';
import { moved } from './lower/move.ts';
import { refuse, runnerNode } from './node.ts';
import type { StepScene } from './scene.ts';
import type { Argument, Call, Operand, RunnerNode } from './types.ts';

/** A tensor that C can look at while it runs. */
export function inMemory({ places }: StepScene, tensor: number | undefined): number {
  if (tensor === undefined || places.of(tensor)?.kind === 'constant') {
    return refuse(' with a condition or a number of turns that is a weight');
  }
  return tensor;
}

/**
 * What a body leaves, to an output of its node. One that nobody reads has its bytes at the step of the node alone, before
 * those of the body: nothing may go there.
 */
export function handedOut(
  scene: StepScene,
  span: Span,
  from: number,
  to: number | undefined,
): readonly Call[] {
  return to !== undefined && outlasts(scene, span, to) ? handedOver(scene, span, from, to) : [];
}

/** A whole value; nothing where it is there already. */
export function handedOver(scene: StepScene, span: Span, from: number, to: number): readonly Call[] {
  const { places } = scene;
  if (places.planned(to) === undefined || places.coincide(to, from, 0)) return [];
  if (places.overlap(to, from)) {
    const { label } = nodeOf(scene, span);
    fail('E_INTERNAL', `${label}: a value lies on what is handed over to it.`, {
      node: label,
      hint: 'run it again with --no-in-place and report this model',
    });
  }
  const n = handing(scene, span, from, to);
  const [x, y] = [n.input(0), n.output(0)];
  return walked(n, x, y, { shape: y.shape, strides: [n.strides(x), n.strides(y)] });
}

/** A copy of a whole tensor to or from where its elements may lie in another order, or further apart. */
export function walked(n: RunnerNode, x: Operand, y: Operand, grid: Grid): readonly Call[] {
  const [from, to] = grid.strides;
  if (String(from) !== String(to)) return moved(n, x, y, grid);
  const bytes = grid.shape.reduce((a, b) => a * b, 1) * widthOf(n, y);
  return bytes === 0 ? [] : [call('copy', 'copy', address(x), address(y), size(bytes))];
}

/** Whether an output of a control-flow node is alive through all of its bodies. */
export function outlasts({ places }: StepScene, { step, end }: Span, output: number): boolean {
  const planned = places.planned(output);
  return planned !== undefined && planned.end - planned.first >= end - step;
}

/** The operands of a copy between two graphs. */
export function handing(scene: StepScene, span: Span, from: number, to: number): RunnerNode {
  const { graph, places, kernels } = scene;
  const copy: Node = { ...nodeOf(scene, span), op: 'Identity', inputs: [from], outputs: [to], bodies: [] };
  return runnerNode(graph, copy, places, { order: kernels.layout });
}

function nodeOf({ schedule }: StepScene, { step }: Span): Node {
  return schedule.steps[step]!.node;
}

/** The call with the address of one tensor moved on by so many bytes, a C expression. */
export function along(call: Call, tensor: number, bytes: string): Call {
  const shifted = (argument: Argument): Argument =>
    argument.kind === 'tensor' && argument.tensor === tensor ? { ...argument, along: bytes } : argument;
  return { ...call, arguments: call.arguments.map(shifted) };
}
