/** The checker on copies that were elided: what is sound, and faults planted by hand. */
import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanStep, PlanTensor } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';

/** Steps: 0 Conv a, 1 Conv b, 2 Concat y, 3 Split p q, 4 Conv r, 5 Conv z. The parts of y differ in size. */
const JOIN: GraphSketch = {
  inputs: ['x'],
  outputs: ['z'],
  tensors: { x: [4], a: [8], b: [16], y: [24], p: [12], q: [12], r: [24], z: [4] },
  nodes: [
    'Conv x -> a',
    'Conv x -> b',
    'Concat a b -> y',
    'Conv y -> r',
    { run: 'Split r -> p q', name: 'split' },
    'Conv p q a -> z',
  ],
};
const tensor = (plan: Plan, name: string, change: (t: PlanTensor) => Partial<PlanTensor>): Plan => ({
  ...plan,
  tensors: plan.tensors.map((t) => (t.name === name ? { ...t, ...change(t) } : t)),
});
const step = (plan: Plan, op: string, change: Partial<PlanStep>): Plan => ({
  ...plan,
  steps: plan.steps.map((s) => (s.op === op ? { ...s, ...change } : s)),
});
const buffer = (plan: Plan, of: string, change: (b: PlanBuffer) => Partial<PlanBuffer>): Plan => ({
  ...plan,
  buffers: plan.buffers.map((b) => (b.tensors.includes(of) ? { ...b, ...change(b) } : b)),
});
const quant = { scale: [0.5], zeroPoint: [0], axis: null };

const FAULTS: readonly (readonly [string, (plan: Plan) => Plan, RegExp])[] = [
  [
    'a part that lies elsewhere in the whole',
    (p) =>
      buffer(
        tensor(p, 'a', (t) => ({ offset: t.offset! + 32 })),
        'a',
        () => ({ gaps: [] }),
      ),
    /reads a .* but bytes of b lie there/,
  ],
  ['a Concat that computes', (p) => step(p, 'Concat', { op: 'Sum' }), /find a in y, but it computes/],
  ['a Split that computes', (p) => step(p, 'Split', { op: 'TopK' }), /show r as p, but it computes/],
  ['a part with another scale', (p) => tensor(p, 'b', () => ({ quant })), /find b in y, but .* quantised/],
  [
    'a split part with another scale',
    (p) => tensor(p, 'p', () => ({ quant })),
    /show r as p, but .* quantised/,
  ],
  [
    'parts the other way round',
    (p) =>
      tensor(
        tensor(p, 'p', (t) => ({ offset: t.offset! + 48 })),
        'q',
        (t) => ({ offset: t.offset! - 48 }),
      ),
    /show r as p, but another part begins there/,
  ],
  [
    'a part of which elements lie in between',
    (p) =>
      ['y', 'a', 'b'].reduce((plan, name) => {
        const shapes: Record<string, readonly number[]> = { y: [2, 12], a: [2, 4], b: [2, 8] };
        return tensor(plan, name, () => ({ shape: shapes[name]! }));
      }, p),
    /find a in y, but its elements do not lie there in one stretch/,
  ],
  [
    'a part that the layout moves',
    (p) => {
      const shapes: Record<string, readonly number[]> = { y: [1, 6, 2, 2], a: [1, 2, 2, 2], b: [1, 4, 2, 2] };
      const shaped = Object.keys(shapes).reduce((q, t) => tensor(q, t, () => ({ shape: shapes[t]! })), p);
      return { ...shaped, assumptions: { ...p.assumptions, layout: 'nhwc' } };
    },
    /find a in y, but its elements do not lie there in one stretch/,
  ],
  [
    'a buffer that is said to be free where a tensor lies',
    (p) => buffer(p, 'y', ({ first }) => ({ gaps: [{ first, end: first + 2, from: 0, to: 8 }] })),
    /said to be free where a lies/,
  ],
  [
    'a part of something that no step makes of it',
    (p) => tensor(p, 'b', () => ({ aliasOf: 'r' })),
    /b shares bytes with r of another buffer|b is elided of r/,
  ],
  [
    'live bytes that count what is free',
    (p) => ({
      ...p,
      steps: p.steps.map((s) => ({ ...s, liveBytes: s.step === 0 ? s.liveBytes + 64 : s.liveBytes })),
    }),
    /liveBytes of step 0/,
  ],
];

describe('elided copies', () => {
  const plan = planSketch(JOIN, { align: 16 });

  it('are there, with parts that are free for a time, and sound', () => {
    const how = Object.fromEntries(plan.tensors.map((t) => [t.name, t.how]));
    expect(how).toMatchObject({ a: 'elided', b: 'elided', y: 'own', p: 'elided', q: 'elided', r: 'own' });
    expect(verifyPlan(plan)).toEqual([]);
  });

  it.each(FAULTS)('%s is found', (_, plant, says) => {
    const found = verifyPlan(sealed(plant(plan)));
    expect(found.map(({ text }) => text).join('\n')).toMatch(says);
  });

  it('a part that is overwritten while the whole is needed is found', () => {
    // z takes the bytes of a at step 3 although y is read there.
    const early = { ...JOIN, nodes: [...JOIN.nodes.slice(0, 3), 'Relu a -> r2', ...JOIN.nodes.slice(3)] };
    const sketch = { ...early, outputs: ['z', 'r2'], tensors: { ...JOIN.tensors, r2: [8] } };
    const sound = planSketch(sketch, { inPlace: false });
    expect(verifyPlan(sound)).toEqual([]);
    const a = sound.tensors.find(({ name }) => name === 'a')!;
    const planted = tensor(sound, 'r2', () => ({
      ...{ how: 'in-place', aliasOf: 'a', buffer: a.buffer, offset: a.offset, region: a.region },
    }));
    const moved = {
      ...planted,
      buffers: planted.buffers.flatMap((b) => {
        if (b.tensors.join() === 'r2') return [];
        if (b.id !== a.buffer) return [b];
        return [{ ...b, tensors: [...b.tensors, 'r2'], end: Math.max(b.end, 7) }];
      }),
    };
    const text = verifyPlan(sealed(moved))
      .map((found) => found.text)
      .join('\n');
    expect(text).toMatch(/reads y .* but bytes of r2 lie there/);
  });
});
