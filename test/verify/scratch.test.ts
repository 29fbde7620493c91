/** Faults planted in scratch, in what is kept free behind tensors, and in views of the wrong layout: each is found. */
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan, PlanBuffer, PlanStep, PlanTensor } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';

const narrow = (...shape: readonly number[]) => ({ type: 'int8', shape }) as const;
const filter = (...shape: readonly number[]) => ({ type: 'int8', shape, weight: true }) as const;

/** Two convolutions with scratch, and one that needs two buffers. */
const NET: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: {
    x: narrow(1, 3, 8, 8),
    w1: filter(17, 3, 3, 3),
    a: narrow(1, 17, 6, 6),
    w2: filter(17, 17, 3, 3),
    b: narrow(1, 17, 4, 4),
    w3: filter(17, 2, 3, 3),
    y: narrow(1, 2, 6, 6),
  },
  nodes: [
    { run: 'Conv x w1 -> a', name: 'one' },
    { run: 'Conv a w2 -> b', name: 'two' },
    { run: 'ConvTranspose b w3 -> y', name: 'up' },
  ],
};
const CMSIS: Partial<PlanRequest> = { kernels: 'cmsis-nn', kernelsBuild: 'dsp', kernelsVersion: '7' };

const find = (plan: Plan, name: string): PlanTensor => plan.tensors.find((t) => t.name === name)!;
const tensor = (plan: Plan, name: string, change: Partial<PlanTensor>): Plan => {
  expect(plan.tensors.some((t) => t.name === name)).toBe(true);
  return { ...plan, tensors: plan.tensors.map((t) => (t.name === name ? { ...t, ...change } : t)) };
};
const buffer = (plan: Plan, of: string, change: Partial<PlanBuffer>): Plan => ({
  ...plan,
  buffers: plan.buffers.map((b) => (b.tensors.includes(of) ? { ...b, ...change } : b)),
});
const step = (plan: Plan, at: number, change: (s: PlanStep) => Partial<PlanStep>): Plan => ({
  ...plan,
  steps: plan.steps.map((s) => (s.step === at ? { ...s, ...change(s) } : s)),
});
/** Puts a tensor that has a buffer of its own on the offset of another, or beside it. */
const onto = (plan: Plan, name: string, other: string, by = 0): Plan => {
  const offset = find(plan, other).offset! + by;
  return buffer(tensor(plan, name, { offset }), name, { offset });
};

const FAULTS: readonly (readonly [string, (plan: Plan) => Plan, RegExp])[] = [
  ['scratch on the input of its step', (p) => onto(p, 'one.scratch', 'x'), /hold the same byte at step 0/],
  ['scratch on the output of its step', (p) => onto(p, 'one.scratch', 'a'), /hold the same byte at step 0/],
  ['an output on scratch', (p) => onto(p, 'y', 'up.scratch'), /hold the same byte at step 2/],
  [
    'two scratch buffers of one step on each other',
    (p) => onto(p, 'up.scratch.filter', 'up.scratch', 16),
    /hold the same byte at step 2/,
  ],
  [
    'scratch and output allowed to overlap, though both are in use',
    (p) => {
      const above = onto(p, 'one.scratch', 'a');
      return buffer(above, 'one.scratch', { mayOverlap: [{ buffer: find(p, 'a').buffer!, distance: 0 }] });
    },
    /Step 0 \(Conv one\) works in one\.scratch .* but bytes of a lie there/,
  ],
  [
    'scratch that dies before its step',
    (p) => buffer(tensor(p, 'two.scratch', { first: 0, end: 1 }), 'two.scratch', { first: 0, end: 1 }),
    /two\.scratch is written at step 1, but its live range begins at 0/,
  ],
  [
    'scratch that outlives its step',
    (p) => buffer(tensor(p, 'two.scratch', { end: 3 }), 'two.scratch', { end: 3 }),
    /two\.scratch lives until before step 3, but nothing is known to use it after step 1/,
  ],
  [
    'a step without its scratch',
    (p) => step(p, 1, ({ scratch, ...rest }) => ({ ...rest, scratch: [] })),
    /Nothing writes tensor two\.scratch/,
  ],
  [
    'a step that works in the scratch of another',
    (p) => step(p, 1, () => ({ scratch: ['two.scratch', 'one.scratch'] })),
    /Step 1 writes one\.scratch, which has its value already/,
  ],
  [
    'scratch of an unknown name',
    (p) => step(p, 1, () => ({ scratch: ['ghost'] })),
    /uses ghost, which is not among/,
  ],
  [
    'scratch that is read',
    (p) => step(p, 2, (s) => ({ reads: [...s.reads, 'two.scratch'] })),
    /up passes on two\.scratch/,
  ],
  [
    'a result called scratch',
    (p) => step(p, 0, () => ({ writes: [], scratch: ['one.scratch', 'a'] })),
    /a is said to be scratch of one/,
  ],
  [
    'scratch called an activation',
    (p) => tensor(p, 'one.scratch', { role: 'activation' }),
    /one\.scratch is said to be scratch/,
  ],
  [
    'a buffer of scratch called an activation',
    (p) => buffer(p, 'one.scratch', { kind: 'activation' }),
    /mixes scratch with other things/,
  ],
  [
    'an activation called scratch',
    (p) => buffer(p, 'a', { kind: 'scratch' }),
    /mixes scratch with other things/,
  ],
  [
    'a buffer too small for its scratch',
    (p) => buffer(p, 'up.scratch', { bytes: find(p, 'up.scratch').bytes - 4 }),
    /up\.scratch .* reaches out of its buffer/,
  ],
  [
    'scratch bytes of a step that do not add up',
    (p) => step(p, 2, () => ({ scratchBytes: 4 })),
    /scratchBytes of step 2/,
  ],
  [
    'a total of scratch that does not add up',
    (p) => ({ ...p, totals: { ...p.totals, scratchBytes: 1 } }),
    /totals\.scratchBytes/,
  ],
  [
    'a convolution in place',
    (p) => tensor(p, 'b', { how: 'in-place', aliasOf: 'a' }),
    /b shares bytes with a of another buffer/,
  ],
];

describe('a fault in scratch', () => {
  const plan = planSketch(NET, CMSIS);

  it('is none in a sound plan', () => {
    expect(plan.steps.map(({ scratchBytes }) => scratchBytes > 0)).toEqual([true, true, true]);
    expect(verifyPlan(plan)).toEqual([]);
  });

  it.each(FAULTS)('%s', (_, plant, says) => {
    const found = verifyPlan(sealed(plant(plan)));
    expect(found.map(({ text }) => text).join('\n')).toMatch(says);
    expect(found.every(({ code }) => code === 'E_PLAN_FAULT')).toBe(true);
  });
});

describe('bytes behind a tensor', () => {
  it('that are missing are found', () => {
    const plan = planSketch(NET, { guard: 16 });
    expect(verifyPlan(plan)).toEqual([]);
    const { bytes } = find(plan, 'b');
    const found = verifyPlan(sealed(buffer(plan, 'b', { bytes: bytes + 8 })));
    expect(found.map(({ text }) => text).join('\n')).toMatch(/does not have 16 unused bytes behind b/);
  });
});

describe('kernels of a library', () => {
  const sketch: GraphSketch = {
    inputs: ['x'],
    outputs: ['y'],
    tensors: {
      x: narrow(1, 4, 3, 3),
      w: filter(4, 4, 1, 1),
      a: narrow(1, 4, 3, 3),
      f: narrow(1, 36),
      y: narrow(1, 36),
    },
    nodes: ['Conv x w -> a', 'Reshape a -> f', { run: 'Softmax f -> y', name: 'soft' }],
  };

  it('may not work in place where the checker knows better', () => {
    const plan = planSketch(sketch, CMSIS);
    expect(find(plan, 'y')).toMatchObject({ how: 'in-place', aliasOf: 'f' });
    expect(verifyPlan(plan)).toEqual([]);
    const others = { ...plan, assumptions: { ...plan.assumptions, kernels: 'tflm' } };
    const claims = step(plan, 2, () => ({ op: 'Conv' }));
    for (const wrong of [others, claims]) {
      const found = verifyPlan(sealed(wrong));
      expect(found.map(({ text }) => text).join('\n')).toMatch(
        /writes y over its operand, which this operator does not allow/,
      );
    }
  });

  it('do not show with channels last what would have to move', () => {
    const plan = planSketch(sketch);
    expect(find(plan, 'f').how).toBe('view');
    const found = verifyPlan(sealed({ ...plan, assumptions: { ...plan.assumptions, layout: 'nhwc' } }));
    expect(found.map(({ text }) => text).join('\n')).toMatch(
      /said to show a as f, but the layout moves its elements/,
    );
  });
});
