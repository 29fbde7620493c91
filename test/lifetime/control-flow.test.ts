import { describe, expect, it } from 'vitest';
import type { Body, Node, TypedGraph } from '../../src/graph/types.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { graphOf } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';
import { randomControlFlow } from '../support/random-bodies.ts';

const SIZE = 4;
const TURNS = 3;

/** The graph run twice side by side: in the arena of a plan, and with memory of its own for every tensor. */
function runBoth(graph: TypedGraph, plan: Plan, seed: number): void {
  const arena = new Int32Array(plan.totals.arenaBytes / 4).fill(-1);
  const places = new Map(plan.tensors.map(({ name, offset, how }) => [name, { at: offset! / 4, how }]));
  const own = new Map<number, number[]>();
  const nameOf = (tensor: number): string => graph.tensors[tensor]!.name;
  const place = (tensor: number): number => places.get(nameOf(tensor))!.at;
  const put = (tensor: number, i: number, value: number): void => {
    arena[place(tensor) + i] = value;
  };
  const check = (tensor: number, when: string): void => {
    const found = Array.from({ length: SIZE }, (_, i) => arena[place(tensor) + i]);
    expect(found.join(), `seed ${seed}: ${nameOf(tensor)} ${when}`).toBe(own.get(tensor)!.join());
  };
  /** In the arena element by element, as a careless kernel would. */
  const copy = (from: number, to: number): void => {
    check(from, `copied to ${nameOf(to)}`);
    for (let i = 0; i < SIZE; i++) put(to, i, arena[place(from) + i]!);
    own.set(to, [...own.get(from)!]);
  };
  const compute = ({ op, inputs, outputs, label }: Node): void => {
    const [output] = outputs as [number];
    const operands = inputs as number[];
    for (const operand of operands) check(operand, `read by ${label}`);
    const value = (i: number, read: (tensor: number, j: number) => number): number => {
      if (op === 'Identity') return read(operands[0]!, i);
      const sees = op === 'Conv' ? [0, 1, 2, 3] : [i];
      return operands.reduce(
        (sum, t) => sees.reduce((all, j) => (Math.imul(all, 31) + read(t, j)) | 0, sum),
        label.length + i,
      );
    };
    own.set(
      output,
      Array.from({ length: SIZE }, (_, i) => value(i, (t, j) => own.get(t)![j]!)),
    );
    if (places.get(nameOf(output))!.how !== 'view') {
      for (let i = 0; i < SIZE; i++)
        put(
          output,
          i,
          value(i, (t, j) => arena[place(t) + j]!),
        );
    }
    check(output, `after ${label}`);
  };
  const run = (nodes: readonly Node[]): void => nodes.forEach(runNode);
  const runNode = (node: Node): void => {
    const [output] = node.outputs as [number];
    if (node.op === 'If') {
      const taken: Body = node.bodies[own.get(node.inputs[0]!)![0]! & 1]!;
      run(taken.nodes);
      copy(taken.outputs[0]!, output);
    } else if (node.op === 'Loop') {
      const [{ nodes, inputs: received, outputs: made }] = node.bodies as [Body];
      received.forEach((to, i) => {
        copy(node.inputs[i + 2]!, to);
      });
      for (let turn = 0; turn < TURNS; turn++) {
        run(nodes);
        for (const result of made) check(result, `made by turn ${turn} of ${node.label}`);
        made.forEach((from, i) => {
          copy(from, received[i]!);
        });
      }
      received.forEach((from, i) => {
        copy(from, node.outputs[i]!);
      });
    } else compute(node);
  };

  for (const input of graph.inputs) {
    own.set(
      input,
      Array.from({ length: SIZE }, (_, i) => input * 100 + seed * 7 + i),
    );
    own.get(input)!.forEach((value, i) => {
      put(input, i, value);
    });
  }
  run(graph.nodes);
  for (const output of graph.outputs) check(output, 'at the end');
}

const VARIANTS: readonly (readonly [string, Partial<PlanRequest>])[] = [
  ['everything shared', {}],
  ['inputs left alone', { inPlaceInputs: false }],
  ['in-place only', { views: false }],
  ['nothing shared', { views: false, inPlace: false }],
];

describe('branches and loops carried out in one arena', () => {
  it.each(VARIANTS)('give the values of separate memories: %s (150 random graphs)', (_, options) => {
    for (let seed = 1; seed <= 150; seed++) {
      const sketch = randomControlFlow(seed);
      const plan = planSketch(sketch, { align: 4, ...options });
      expect(
        verifyPlan(plan).map(({ text }) => text),
        `seed ${seed}`,
      ).toEqual([]);
      runBoth(graphOf(sketch), plan, seed);
    }
  });
});
