/**
 * Scan: 8 (a batch axis, sequence lengths), 9 (no batch axis, axes and directions), 11 (negative axes), 16, 19, 21,
 * 23, 24, 25.
 */
import { type Dim, isKnown } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { type Facts, inferTurns } from './carried.ts';
import { bodyOf } from './control-flow.ts';
import { fact, normaliseAxis, type Shape, unify } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

const scanShape: ShapeRule = (c) => (c.opset < 9 ? batchedScan(c) : plainScan(c));

/** States, then scanned inputs, each walked along its own axis. */
function plainScan(c: OpContext): Facts {
  const [states, scanned] = operands(c, c.inputs);
  const axes = axesOf(c, 'scan_input_axes', scanned.length);
  const along = scanned.map((x, i) => x?.shape && normaliseAxis(c, axes[i]!, x.shape.length));
  const turns = turnsOf(
    c,
    scanned.map((x, i) => (along[i] === undefined ? undefined : x?.shape?.[along[i]])),
  );
  const slices = scanned.map((x, i) => without(x, along[i]));
  const { carried, outputs } = turn(c, states, slices);
  const results = outputs.slice(states.length);
  const outputAxes = axesOf(c, 'scan_output_axes', results.length);
  const stacked = results.map((element, i) => {
    if (element?.shape === undefined) return element;
    const axis = normaliseAxis(c, outputAxes[i]!, element.shape.length + 1);
    return fact(element.type, element.shape.toSpliced(axis, 0, turns));
  });
  return [...carried, ...stacked];
}

/** Every operand starts with the batch; scanned ones have the sequence behind it. */
function batchedScan(c: OpContext): Facts {
  const [states, scanned] = operands(c, c.inputs.slice(1));
  const batch = [...states, ...scanned].map((x) => x?.shape?.[0]).reduce(equal(c, 'batch sizes'));
  const turns = turnsOf(
    c,
    scanned.map((x) => x?.shape?.[1]),
  );
  const { carried, outputs } = turn(
    c,
    states.map((x) => without(x, 0)),
    scanned.map((x) => without(without(x, 0), 0)),
  );
  const size = batch ?? c.unknownDim('the batch size is not known');
  return [
    ...carried.map((x) => within(x, [size])),
    ...outputs.slice(states.length).map((x) => within(x, [size, turns])),
  ];
}

function operands(c: OpContext, inputs: Facts): readonly [states: Facts, scanned: Facts] {
  const count = c.int('num_scan_inputs');
  const states = inputs.length - count;
  if (count < 1 || states < 0) c.fail(`num_scan_inputs is ${count} of ${inputs.length} inputs.`);
  return [inputs.slice(0, states), inputs.slice(states)];
}

function axesOf(c: OpContext, name: string, count: number): readonly number[] {
  const axes = c.ints(name) ?? new Array<number>(count).fill(0);
  if (axes.length !== count) c.fail(`${name} names ${axes.length} axes of ${count}.`);
  return axes;
}

function turn(c: OpContext, states: Facts, slices: Facts) {
  const body = bodyOf(c, 'body');
  if (body.inputs.length !== states.length + slices.length || body.outputs.length < states.length) {
    c.fail(
      `its body has ${body.inputs.length} inputs and ${body.outputs.length} outputs for ${states.length} states and ` +
        `${slices.length} scanned inputs.`,
    );
  }
  return inferTurns(c, body, states, {
    inputs: (carried) => [...carried, ...slices],
    first: { input: 0, output: 0 },
  });
}

/** The length that all scanned inputs share. */
function turnsOf(c: OpContext, lengths: readonly (Dim | undefined)[]): Dim {
  return (
    lengths.reduce(equal(c, 'lengths of the scanned inputs')) ??
    c.unknownDim('the scanned inputs are not known')
  );
}

function equal(c: OpContext, what: string) {
  return (a: Dim | undefined, b: Dim | undefined): Dim | undefined => {
    if (a === undefined || b === undefined) return a ?? b;
    return isKnown(a) && !isKnown(b) ? a : unify(c, a, b, what);
  };
}

function without(x: Fact | undefined, axis: number | undefined): Fact | undefined {
  if (x === undefined) return undefined;
  return fact(x.type, axis === undefined ? undefined : x.shape?.toSpliced(axis, 1));
}

function within(x: Fact | undefined, outer: Shape): Fact | undefined {
  return x?.shape === undefined ? x : fact(x.type, [...outer, ...x.shape]);
}

export const rows: readonly OpRow[] = [
  {
    op: 'Scan',
    since: [8, 9, 11, 16, 19, 21, 23, 24, 25],
    inputs: [1, Infinity],
    outputs: [1, Infinity],
    shape: scanShape,
  },
];
