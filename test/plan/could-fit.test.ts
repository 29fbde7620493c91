/** What messages of failing gates say: each plan is small enough to see by hand what could fit. */
import { describe, expect, test } from 'vitest';
import { couldFit, nextTry } from '../../src/plan/could-fit.ts';
import type { Assumptions, Plan } from '../../src/plan/types.ts';
import { planOf } from '../support/plans.ts';

/** Two branches: a waits while the steps of the other one run, so the peak has more than any step needs. */
const BRANCHES = planOf({
  file: 'branches.onnx',
  tensors: [
    { name: 'x', shape: [10], role: 'input', live: [0, 2], offset: 0 },
    { name: 'a', shape: [20], live: [0, 3], offset: 48 },
    { name: 'b', shape: [30], live: [1, 3], offset: 128 },
    { name: 'y', shape: [5], role: 'output', live: [2, 3], offset: 0 },
  ],
  steps: [
    { node: 'n0', op: 'Conv', reads: ['x'], writes: ['a'] },
    { node: 'n1', op: 'Conv', reads: ['x'], writes: ['b'] },
    { node: 'n2', op: 'Add', reads: ['a', 'b'], writes: ['y'] },
  ],
});
// Step 0 touches 40 + 80 bytes, step 1 40 + 120, step 2 80 + 120 + 20 = 220; at step 1 a waits with 80: 240.
const USED = 248;
const BOUND = 240;
const ALONE = 220;

const shortage = (room: number, lowerBound = BOUND) => ({ used: USED, lowerBound, room });
const assuming = (assumptions: Partial<Assumptions>, plan: Plan = BRANCHES): Plan => ({
  ...plan,
  assumptions: { ...plan.assumptions, ...assumptions },
});

describe('whether any order or plan could fit', () => {
  test('the packing may be at fault', () => {
    expect(couldFit(BRANCHES, shortage(BOUND))).toBe(
      'A plan that fits is not ruled out: the lower bound is 240.',
    );
    expect(couldFit(BRANCHES, { used: BOUND, lowerBound: BOUND, room: BOUND })).toBe('');
  });

  test('the order may be at fault', () => {
    for (const room of [BOUND - 1, ALONE]) {
      expect(couldFit(BRANCHES, shortage(room))).toBe(
        'No plan with this order of steps can fit: the lower bound is 240. ' +
          'In another order one might: no step alone needs more than 220.',
      );
    }
  });

  test('each step may need the one before it', () => {
    const chain = planOf({
      file: 'chain.onnx',
      tensors: [
        { name: 'x', shape: [10], role: 'input', live: [0, 2], offset: 0 },
        { name: 'a', shape: [20], live: [0, 2], offset: 48 },
        { name: 'y', shape: [5], role: 'output', live: [1, 2], offset: 128 },
      ],
      steps: [
        { node: 'n0', op: 'Conv', reads: ['x'], writes: ['a'] },
        { node: 'n1', op: 'Conv', reads: ['a'], writes: ['y'] },
      ],
    });
    // x waits for nobody at step 1, so that no step alone needs its 140 bytes: 40 + 80, then 80 + 20.
    const short = { used: 148, lowerBound: 140, room: 130 };
    expect(couldFit(chain, short)).toMatch(/ There is no other order: each step needs the one before it\.$/);
    expect(nextTry(chain, short)).not.toContain('min-peak');
  });

  test('the order with the smallest peak was looked for', () => {
    const searched = assuming({ schedule: 'min-peak' });
    expect(couldFit(searched, shortage(ALONE))).toMatch(
      / It has the smallest peak of all orders that were looked at\.$/,
    );
  });

  test('models that run at once need the sum of their parts', () => {
    const turns = (sharedBytes: number): Plan => {
      const { models, steps, tensors } = BRANCHES;
      const second = { ...models[0]!, name: 'second' };
      return {
        ...BRANCHES,
        models: [models[0]!, second],
        steps: [...steps, ...steps.map((step) => ({ ...step, step: step.step + 3, model: 1 }))],
        tensors: [...tensors, ...tensors.map((t) => ({ ...t, model: 1, offset: t.offset! + 256 }))],
        run: {
          ...{ mode: 'concurrent', cPrefix: 'BOTH', holds: [], links: [] },
          parts: [0, 1].map((model) => ({ models: [model], order: 'any', regions: [] })),
          isolation: { alone: [USED, USED], isolatedBytes: 2 * USED, sharedBytes },
        },
      };
    };
    const short = (room: number) => ({ used: 2 * USED, lowerBound: 2 * BOUND, room });
    const needs = 'the largest steps of its 2 parts, which share no byte, need';
    expect(couldFit(turns(USED), short(2 * ALONE - 1))).toContain(
      `Nor can one in another order: ${needs} 440.`,
    );
    expect(couldFit(turns(USED), short(2 * ALONE))).toContain(
      `In another order one might: ${needs} no more than 440.`,
    );
    expect(nextTry(turns(USED), short(USED))).toContain('in an arena of 248 bytes: --run exclusive.');
    expect(nextTry(turns(USED + 1), short(USED))).not.toContain('--run exclusive');
  });

  test('a single step is too large', () => {
    expect(couldFit(BRANCHES, shortage(ALONE - 1))).toBe(
      'No plan with this order of steps can fit: the lower bound is 240. ' +
        'Nor can one in another order: step 2, Add n2, alone needs 220.',
    );
  });

  test('tensors that share bytes count once, those of the caller not at all', () => {
    const shared = planOf({
      file: 'shared.onnx',
      tensors: [
        { name: 'x', shape: [10], role: 'input', live: [0, 2], offset: 0 },
        { name: 'v', shape: [10], live: [0, 2], offset: 0, how: 'view', aliasOf: 'x' },
        { name: 'y', shape: [7], role: 'output', live: [1, 2], offset: null },
      ],
      steps: [
        { node: 'n0', op: 'Reshape', reads: ['x'], writes: ['v'] },
        { node: 'n1', op: 'Conv', reads: ['v'], writes: ['y'] },
      ],
    });
    expect(couldFit(shared, { used: 40, lowerBound: 40, room: 39 })).toContain(
      'step 0, Reshape n0, alone needs 40.',
    );
  });
});

describe('what to type next', () => {
  test.each<[string, Plan, number, RegExp]>([
    ['a longer search', BRANCHES, BOUND, /--strategy auto --effort N/],
    [
      'what costs memory',
      assuming({ preserveInputs: true, views: false }),
      1,
      /--no-views, --preserve-inputs/,
    ],
    ['another order', BRANCHES, ALONE, /--schedule min-peak/],
    [
      'no other order where that is what was planned',
      assuming({ schedule: 'min-peak' }),
      ALONE,
      /--io external/,
    ],
    ['ports of the caller: 40 bytes of x at the peak', BRANCHES, 200, /40 bytes at the peak: --io external/],
    ['a quantised model: 60 bytes', BRANCHES, 60, /--assume int8/],
    ['nothing that an option could do', BRANCHES, 59, /Make the tensors at the peak smaller/],
  ])('%s', (_, plan, room, wanted) => {
    expect(nextTry(plan, shortage(room))).toMatch(wanted);
  });

  test('smaller images, where there are any', () => {
    const image = planOf({
      file: 'image.onnx',
      tensors: [
        { name: 'x', shape: [1, 3, 8, 8], role: 'input', live: [0, 1], offset: 0 },
        { name: 'y', shape: [1, 3, 8, 8], role: 'output', live: [0, 1], offset: 768 },
      ],
    });
    expect(
      nextTry(assuming({ io: 'external', assume: 'int8' }, image), {
        used: 1536,
        lowerBound: 1536,
        room: 100,
      }),
    ).toMatch(/--scale-input/);
  });
});
