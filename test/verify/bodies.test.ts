import { expect, it } from 'vitest';
import type { Plan, PlanBody, PlanStep, PlanTensor } from '../../src/plan/types.ts';
import { type BodyExtent, findBodies } from '../../src/verify/bodies.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';

const body = (path: string, inputs: readonly string[], outputs: readonly string[]): PlanBody => ({
  ...{ path, inputs, outputs },
});
const NODES: readonly (Pick<PlanStep, 'op' | 'path' | 'writes'> & Partial<PlanStep>)[] = [
  {
    op: 'Loop',
    path: '',
    writes: ['turn', 'z'],
    bodies: [body('loop/body', ['turn', 'gone'], ['next', 'x', 'w', 'turn'])],
  },
  {
    ...{ op: 'If', path: 'loop/body', writes: ['picked'] },
    bodies: [body('loop/body/if/then', ['x'], ['a']), body('loop/body/if/else', [], ['b'])],
  },
  { op: 'Relu', path: 'loop/body/if/then', writes: ['a'] },
  { op: 'Relu', path: 'loop/body/if/else', writes: ['b'] },
  { op: 'Relu', path: 'loop/body', writes: ['next'] },
  { op: 'Relu', path: '', writes: ['outer'] },
  {
    ...{ op: 'If', path: '', writes: ['y'] },
    bodies: [body('if/then', [], ['outer']), body('if/else', [], ['e'])],
  },
  { op: 'Relu', path: 'if/else', writes: ['e'] },
];

const tensors = ['x', ...NODES.flatMap(({ writes }) => writes)].map((name) => ({
  ...{ model: 0, name, role: 'activation', buffer: null, aliasOf: null },
}));
const plan = {
  models: [{ inputs: ['x'], outputs: ['y'] }],
  assumptions: { preserveInputs: false, asyncIo: false, keep: [] },
  steps: NODES.map((node, step) => ({ step, model: 0, node: `n${step}`, reads: [], ...node })),
  tensors,
  constants: [],
  buffers: [],
} as unknown as Plan;

it('finds the steps of nested bodies, of bodies without steps, and at the end of the plan', () => {
  const { extents, around } = findBodies(indexPlan(plan));
  const extent = (path: string, step: number, first: number, end: number, allEnd: number): BodyExtent => ({
    ...{ path, step, first, end, allEnd, repeats: step === 0 },
  });
  expect(extents).toEqual([
    extent('loop/body', 0, 1, 5, 5),
    extent('loop/body/if/then', 1, 2, 3, 4),
    extent('loop/body/if/else', 1, 3, 4, 4),
    extent('if/then', 6, 8, 8, 8),
    extent('if/else', 6, 7, 8, 8),
  ]);
  expect(around.map((bodies) => bodies.map(({ path }) => path))).toEqual([
    ...[[], ['loop/body'], ['loop/body', 'loop/body/if/then'], ['loop/body', 'loop/body/if/else']],
    ...[['loop/body'], [], [], ['if/else']],
  ]);
});

it('knows what bodies receive, and what they make and hand out', () => {
  const { received, results } = findBodies(indexPlan(plan));
  const names = (map: ReadonlyMap<PlanTensor, BodyExtent>): readonly string[] =>
    [...map].map(([{ name }, { path }]) => `${name} ${path}`);
  // What is no tensor is left out, and what goes into a branch: no turn of it hands that on.
  expect(names(received)).toEqual(['turn loop/body']);
  // A constant has no tensor; what a body hands on from outside, or as it came, is not made in it.
  expect(names(results)).toEqual([
    ...['next loop/body', 'a loop/body/if/then', 'b loop/body/if/else', 'e if/else'],
  ]);
});

it('ends the bodies of a model with the model', () => {
  const steps = [
    { step: 0, model: 0, path: '', reads: [], writes: [] },
    { step: 1, model: 0, path: 'loop/body', reads: [], writes: [] },
    { step: 2, model: 1, path: 'loop/body', reads: [], writes: [] },
  ];
  const index = indexPlan({ ...plan, models: [...plan.models, ...plan.models], steps } as unknown as Plan);
  expect([index.bodiesEnd(0), index.bodiesEnd(1), index.bodiesEnd(2)]).toEqual([2, 2, 3]);
});
