import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan, PlanTensor } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';
import { randomGraph, randomJoins } from '../support/random-graphs.ts';
import { rounds } from '../support/rounds.ts';

/** Elements of a tensor are numbers; a place in the arena is 4 bytes. */
type Read = (tensor: number, element: number) => number;

/**
 * What an operator puts into element i of its output: element-wise ones look at element i of each operand, Concat and
 * Split at one element, others at everything. `before`: elements in the outputs before this one.
 */
function element(
  op: string,
  step: number,
  operands: readonly { size: number }[],
  i: number,
  read: Read,
  before: number,
): number {
  const mix = (a: number, b: number): number => (Math.imul(a, 31) + b) | 0;
  if (op === 'Identity') return read(0, i);
  if (op === 'Split') return read(0, before + i);
  if (op === 'Concat') {
    const [part, at] = partAt(operands, i);
    return read(part, at);
  }
  if (op === 'Relu' || op === 'Add') return operands.reduce((sum, _, t) => mix(sum, read(t, i)), step + 1);
  return operands.reduce(
    (all, { size }, t) => {
      let sum = all;
      for (let j = 0; j < size; j++) sum = mix(sum, read(t, j));
      return sum;
    },
    mix(step + 1, i),
  );
}

/** The operand that element i of a Concat comes from, and which of its elements. */
function partAt(operands: readonly { size: number }[], i: number): readonly [part: number, at: number] {
  let at = i;
  let part = 0;
  while (at >= operands[part]!.size) at -= operands[part++]!.size;
  return [part, at];
}

/** What each step reads, repetitions included. */
function operandsOf({ nodes }: GraphSketch): readonly (readonly string[])[] {
  return nodes.map((node) => {
    const [left] = (typeof node === 'string' ? node : node.run).split(' -> ');
    return left!.split(' ').slice(1);
  });
}

/** Every tensor in memory of its own: what the values should be. */
function outOfPlace(plan: Plan, sketch: GraphSketch): ReadonlyMap<string, readonly number[]> {
  const values = new Map<string, readonly number[]>();
  const sizeOf = (name: string): number => plan.tensors.find((t) => t.name === name)!.bytes / 4;
  for (const name of plan.models[0]!.inputs) values.set(name, inputValues(name, sizeOf(name)));
  for (const { step, op, writes } of plan.steps) {
    const reads = operandsOf(sketch)[step]!;
    const operands = reads.map((name) => ({ size: sizeOf(name) }));
    const read: Read = (t, j) => values.get(reads[t]!)![j]!;
    let before = 0;
    for (const name of writes) {
      const made = Array.from({ length: sizeOf(name) }, (_, i) =>
        element(op, step, operands, i, read, before),
      );
      values.set(name, made);
      before += made.length;
    }
  }
  return values;
}

function inputValues(name: string, size: number): readonly number[] {
  return Array.from({ length: size }, (_, i) => name.charCodeAt(1) * 1000 + i);
}

/**
 * The same in one arena at the plan's offsets, the hardest way: an element is written as soon as it is computed, while
 * the operands are still being read, and neither views nor elided parts are copied. Returns the values of outputs and kept tensors, and
 * what each step read.
 */
function inArena(
  plan: Plan,
  sketch: GraphSketch,
  check: (name: string, values: readonly number[]) => void,
): void {
  const arena = new Int32Array(plan.totals.arenaBytes / 4).fill(-1);
  const tensors = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]));
  const at = (tensor: PlanTensor, i: number): number => tensor.offset! / 4 + i;
  const valuesOf = (tensor: PlanTensor): readonly number[] =>
    Array.from({ length: tensor.bytes / 4 }, (_, i) => arena[at(tensor, i)]!);
  for (const name of plan.models[0]!.inputs) {
    const tensor = tensors.get(name)!;
    inputValues(name, tensor.bytes / 4).forEach((value, i) => {
      arena[at(tensor, i)] = value;
    });
  }
  for (const { step, op, writes } of plan.steps) {
    const reads = operandsOf(sketch)[step]!;
    for (const name of reads) check(name, valuesOf(tensors.get(name)!));
    const operands = reads.map((name) => ({ size: tensors.get(name)!.bytes / 4 }));
    const read: Read = (t, j) => arena[at(tensors.get(reads[t]!)!, j)]!;
    let before = 0;
    for (const tensor of writes.map((name) => tensors.get(name)!)) {
      const liesInPlace = (i: number): boolean => {
        const [part, j] = partAt(operands, i);
        return at(tensors.get(reads[part]!)!, j) === at(tensor, i);
      };
      const isShown = tensor.how === 'view' || (tensor.how === 'elided' && tensor.aliasOf === reads[0]);
      for (let i = 0; i < tensor.bytes / 4 && !isShown; i++) {
        if (op === 'Concat' && liesInPlace(i)) continue;
        arena[at(tensor, i)] = element(op, step, operands, i, read, before);
      }
      before += tensor.bytes / 4;
    }
    for (const name of writes) check(name, valuesOf(tensors.get(name)!));
  }
  const { models, assumptions } = plan;
  const preserved = assumptions.preserveInputs ? models[0]!.inputs : [];
  for (const name of [...models[0]!.outputs, ...assumptions.keep, ...preserved]) {
    check(name, valuesOf(tensors.get(name)!));
  }
}

const VARIANTS: readonly (readonly [string, Partial<PlanRequest>])[] = [
  ['everything shared', {}],
  ['inputs left alone', { inPlaceInputs: false }],
  ['inputs preserved', { preserveInputs: true }],
  ['a tensor kept', { keep: ['t3'] }],
  ['views only', { inPlace: false }],
  ['in-place only', { views: false }],
  ['nothing shared', { views: false, inPlace: false }],
  ['asynchronous', { asyncIo: true }],
];

const GRAPHS = rounds(80, 25);
const JOINS = rounds(150, 40);

describe('a plan carried out in one arena', () => {
  it.each(VARIANTS)('gives the values of separate memories: %s', (_, options) => {
    for (let seed = 1; seed <= GRAPHS; seed++) {
      const sketch = randomGraph(seed, 24);
      const plan = planSketch(sketch, { align: 4, ...options });
      expect(verifyPlan(plan), `seed ${seed}`).toEqual([]);
      const values = outOfPlace(plan, sketch);
      inArena(plan, sketch, (name, found) =>
        expect(found.join(), `seed ${seed}, ${name}`).toBe(values.get(name)?.join()),
      );
    }
  });

  it.each([...VARIANTS, ['no copy elided', { elide: false }] as const])(
    'gives the values of separate memories where tensors are split and joined: %s',
    (_, options) => {
      let elided = 0;
      for (let seed = 1; seed <= JOINS; seed++) {
        const sketch = randomJoins(seed, 16);
        const plan = planSketch(sketch, { align: 4, ...options });
        elided += plan.tensors.filter(({ how }) => how === 'elided').length;
        expect(verifyPlan(plan), `seed ${seed}`).toEqual([]);
        const values = outOfPlace(plan, sketch);
        inArena(plan, sketch, (name, found) =>
          expect(found.join(), `seed ${seed}, ${name}`).toBe(values.get(name)?.join()),
        );
      }
      if (options.elide === false) expect(elided).toBe(0);
      else expect(elided).toBeGreaterThan((JOINS * 2) / 3);
    },
  );
});
