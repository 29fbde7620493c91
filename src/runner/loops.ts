/** Loop and Scan in a runner: turns over one set of steps, with what they carry round, take apart and put together. */
import { isKnown } from '../graph/dims.ts';
import { elementWidth } from '../graph/element-type.ts';
import type { Node } from '../graph/types.ts';
import type { Span } from '../lifetime/types.ts';
import { settledContext } from '../ops/settled.ts';
import { address, call, numbers, size } from './arguments.ts';
import type { Flow, Turns } from './flow-types.ts';
import { along, handedOut, handedOver, handing, inMemory, outlasts, walked } from './handing.ts';
import { refuse } from './node.ts';
import { inSafeOrder } from './safe-order.ts';
import type { StepScene } from './scene.ts';
import type { Call } from './types.ts';

/** A value that each turn leaves to the next, and the last one to the outputs. */
interface Carried {
  readonly initial: number | undefined;
  readonly input: number;
  readonly output: number;
  readonly final: number | undefined;
}

/** A tensor of which each turn has a slice. */
interface Sliced {
  readonly whole: number | undefined;
  readonly slice: number;
  readonly axis: number;
  readonly backward: boolean;
}

/** Inputs: most turns, condition, values; of the body: turn, condition, values; outputs of it: condition, values, slices. */
export function loop(scene: StepScene, node: Node, span: Span): Flow {
  const { body } = onlyBody(span);
  const [most, condition, ...initial] = node.inputs;
  const [number, holds, ...inputs] = body.inputs as [number, number, ...number[]];
  const [again, ...outputs] = body.outputs as [number, ...number[]];
  const isCounted = isTrue(scene, again) && (condition === undefined || isTrue(scene, condition));
  const turns = turnsOf(span, mostTurns(scene, most), isCounted ? undefined : holds, number);
  if (turns.most === undefined && isCounted) refuse(' without an end');
  const carried = carriedOf(node, initial, inputs, outputs);
  const put = outputs.slice(carried.length).map((slice, i): Sliced => {
    return { whole: node.outputs[carried.length + i], slice, axis: 0, backward: false };
  });
  if (!isCounted && put.some(({ whole }) => whole !== undefined && outlasts(scene, span, whole))) {
    refuse(' with stacked results of a number of turns that is not known');
  }
  // The condition goes round like a value. Where none is given it holds at first.
  const going: Carried = { initial: condition, input: holds, output: again, final: undefined };
  const flow = turning(scene, span, { turns, carried: [going, ...carried], taken: [], put });
  return condition === undefined
    ? { ...flow, before: [holdsAtFirst(scene, span, holds), ...flow.before] }
    : flow;
}

/** Inputs: values, then what is walked along an axis; outputs likewise. */
export function scan(scene: StepScene, node: Node, span: Span): Flow {
  const c = settledContext(scene.graph, node);
  if (c.opset < 9) refuse(' of opset 8');
  const { body } = onlyBody(span);
  const taken = c.int('num_scan_inputs');
  const values = node.inputs.length - taken;
  const carried = carriedOf(node, node.inputs, body.inputs.slice(0, values), body.outputs);
  const sliced = (
    kind: 'input' | 'output',
    wholes: readonly (number | undefined)[],
    slices: readonly number[],
  ) => {
    const axes = c.ints(`scan_${kind}_axes`);
    const directions = c.ints(`scan_${kind}_directions`);
    return slices.map((slice, i): Sliced => {
      const axis = axes?.[i] ?? 0;
      const rank = (scene.graph.facts[slice]?.shape?.length ?? 0) + 1;
      const backward = directions?.[i] === 1;
      return { whole: wholes[i], slice, axis: axis < 0 ? axis + rank : axis, backward };
    });
  };
  const inputs = sliced('input', node.inputs.slice(values), body.inputs.slice(values));
  const outputs = sliced('output', node.outputs.slice(values), body.outputs.slice(values));
  const [{ whole, axis }] = inputs as [Sliced];
  const most = scene.graph.facts[whole!]?.shape?.[axis];
  if (most === undefined || !isKnown(most)) return refuse(' over an axis of no known size');
  return turning(scene, span, { turns: turnsOf(span, most), carried, taken: inputs, put: outputs });
}

function onlyBody({ bodies }: Span): Span['bodies'][number] {
  return bodies[0]!;
}

function turnsOf(span: Span, most: Turns['most'], condition?: number, number?: number): Turns {
  return { kind: 'turns', counter: `turn_${span.step}`, most, condition, number };
}

/** The first values of each list belong together: before the first turn, in the body, behind it, and in the end. */
function carriedOf(
  node: Node,
  initial: Node['inputs'],
  inputs: readonly number[],
  outputs: readonly number[],
): readonly Carried[] {
  return inputs.map((input, i) => {
    return { initial: initial[i], input, output: outputs[i]!, final: node.outputs[i] };
  });
}

interface Turning {
  readonly turns: Turns;
  readonly carried: readonly Carried[];
  /** Slices that a turn is given, and those that it gives. */
  readonly taken: readonly Sliced[];
  readonly put: readonly Sliced[];
}

function turning(scene: StepScene, span: Span, { turns, carried, taken, put }: Turning): Flow {
  const { first, end } = onlyBody(span);
  const sliced = (slices: readonly Sliced[], isTaken: boolean) =>
    slices.flatMap((one) => sliceOf(scene, span, one, turns, isTaken));
  const before = carried.flatMap(({ initial, input }) =>
    initial === undefined ? [] : handedOver(scene, span, initial, input),
  );
  const behind = carried.flatMap(({ input, final }) => handedOut(scene, span, input, final));
  // C counts in unsigned numbers, of which none is below 0.
  if (turns.most === 0) return { before, blocks: [], behind, end: span.end };
  const results = [...sliced(put, false), ...carriedOn(scene, span, carried)];
  return {
    before,
    blocks: [{ head: turns, first, end, begin: sliced(taken, true), results }],
    behind,
    end: span.end,
  };
}

/** One slice of a turn, out of the whole or into it. */
function sliceOf(
  scene: StepScene,
  span: Span,
  { whole, slice, axis, backward }: Sliced,
  { counter, most }: Turns,
  isTaken: boolean,
): readonly Call[] {
  if (whole === undefined || (!isTaken && !outlasts(scene, span, whole))) return [];
  const n = isTaken ? handing(scene, span, whole, slice) : handing(scene, span, slice, whole);
  const [x, y] = [n.input(0), n.output(0)];
  const [all, one] = isTaken ? [x, y] : [y, x];
  const steps = n.strides(all);
  const bytes = steps[axis]! * elementWidth(all.type);
  const rest = steps.filter((_, i) => i !== axis);
  const strides = isTaken ? [rest, n.strides(one)] : [n.strides(one), rest];
  const turn = backward ? `(${Number(most) - 1}u - ${counter})` : counter;
  return walked(n, x, y, { shape: one.shape, strides }).map((call) =>
    along(call, all.tensor, `(${turn} * ${bytes}u)`),
  );
}

/** Each value to where the next turn finds it. */
function carriedOn(scene: StepScene, span: Span, carried: readonly Carried[]): readonly Call[] {
  const { places } = scene;
  const copies = carried.flatMap(({ input, output }) => {
    const target = places.span(input);
    const isThere = target === undefined || places.coincide(input, output, 0);
    return isThere ? [] : [{ from: output, to: input, source: places.span(output), target }];
  });
  const ordered = inSafeOrder(copies) ?? refuse(' whose values change places from turn to turn');
  return ordered.flatMap(({ from, to }) => handedOver(scene, span, from, to));
}

/** Some models say the largest number there is, and mean none. */
function mostTurns(scene: StepScene, tensor: number | undefined): Turns['most'] {
  if (tensor === undefined) return undefined;
  const value = scene.graph.facts[tensor]?.value?.[0];
  if (typeof value !== 'number' && typeof value !== 'bigint') return { tensor: inMemory(scene, tensor) };
  return value > MOST_COUNTED ? undefined : Math.max(0, Number(value));
}

/** The counter has 32 bits. */
const MOST_COUNTED = 2 ** 32 - 1;

function isTrue({ graph }: StepScene, tensor: number): boolean {
  return Boolean(graph.facts[tensor]?.value?.[0]);
}

function holdsAtFirst(scene: StepScene, span: Span, holds: number): Call {
  const to = handing(scene, span, holds, holds).output(0);
  return call('copy', 'fill', address(to), numbers('uint8_t', [1]), size(1), size(1));
}
