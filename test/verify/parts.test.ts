import { describe, expect, it } from 'vitest';
import type { Quant } from '../../src/graph/types.ts';
import type { PlanStep, PlanTensor } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { cutFault, partsInPlace, rowOf } from '../../src/verify/parts.ts';
import { planOf, sketchBytes, type TensorSketch } from '../support/plans.ts';

type Layout = 'nchw' | 'nhwc';

const tensor = (shape: readonly number[], offset = 0, more: Partial<PlanTensor> = {}): PlanTensor => {
  const made = { name: 't', type: 'int8', quant: null, shape, offset, ...more } as PlanTensor;
  return { ...made, bytes: more.bytes ?? sketchBytes({ ...made, live: [0, 1] } as TensorSketch) };
};
const step = (op: string): PlanStep => ({ op }) as PlanStep;
const cut = (whole: PlanTensor, part: PlanTensor, layout: Layout = 'nchw', op = 'Slice') =>
  cutFault(layout, step(op), whole, part, rowOf([part]));
const SCATTERED = 'but its elements do not lie there in one stretch';

/** All lists of numbers, each below its limit. */
function* below(limits: readonly number[]): Generator<readonly number[]> {
  const [limit, ...others] = limits;
  if (limit === undefined) return void (yield []);
  for (let one = 0; one < limit; one++) for (const rest of below(others)) yield [one, ...rest];
}

/** Elements into `whole` at which some block of the shape begins whose elements lie side by side. */
function trueStretches(whole: readonly number[], shape: readonly number[], layout: Layout): Set<number> {
  const axes = whole.map((_, axis) => axis);
  const memory = layout === 'nhwc' && whole.length > 2 ? [0, ...axes.slice(2), 1] : axes;
  const address = (at: readonly number[]): number =>
    memory.reduce((sum, axis) => sum * whole[axis]! + at[axis]!, 0);
  const found = new Set<number>();
  for (const start of below(whole.map((all, axis) => all - shape[axis]! + 1))) {
    const places = [...below(shape)].map((at) => address(at.map((one, axis) => one + start[axis]!)));
    const least = Math.min(...places);
    // No two elements have one address.
    if (Math.max(...places) - least === places.length - 1) found.add(least);
  }
  return found;
}

describe('a part of an operand', () => {
  it.each([[[3]], [[3, 3]], [[3, 3, 3]], [[2, 2, 2, 2]], [[2, 3, 2, 2]]])(
    'is a block in one stretch, for every shape up to %j',
    (most) => {
      let stretches = 0;
      for (const given of below(most)) {
        const whole = given.map((size) => size + 1);
        for (const inside of below(whole)) {
          const shape = inside.map((size) => size + 1);
          for (const layout of ['nchw', 'nhwc'] as const) {
            const truth = trueStretches(whole, shape, layout);
            const bytes = tensor(whole).bytes;
            for (let shift = 0; shift + tensor(shape).bytes <= bytes; shift++) {
              const said = cut(tensor(whole, 7), tensor(shape, 7 + shift), layout);
              const why = truth.has(shift) ? undefined : SCATTERED;
              if (said !== why) expect(said, `${shape} at ${shift} of ${whole} ${layout}`).toBe(why);
              if (said === undefined) stretches++;
            }
          }
        }
      }
      expect(stretches).toBeGreaterThan(most.length);
    },
  );

  it('has as many axes as the whole, and begins where an element does', () => {
    expect(cut(tensor([8]), tensor([4]))).toBeUndefined();
    expect(cut(tensor([8]), tensor([4, 1]))).toBe(SCATTERED);
    expect(cut(tensor([8, 1]), tensor([4]))).toBe(SCATTERED);
    const floats = (shape: readonly number[], offset = 0) => tensor(shape, offset, { type: 'float32' });
    expect(cut(floats([8]), floats([1], 4))).toBeUndefined();
    expect(cut(floats([8]), floats([1], 2))).toBe(SCATTERED);
  });

  it('may have half bytes, or none', () => {
    const nibbles = (shape: readonly number[], offset = 0) => tensor(shape, offset, { type: 'uint4' });
    // 32 of them are 16 bytes; three of them two.
    expect(cut(nibbles([64]), nibbles([3], 16))).toBeUndefined();
    expect(cut(nibbles([8, 8]), nibbles([1, 8], 4))).toBeUndefined();
    expect(cut(nibbles([8, 8]), nibbles([2, 8], 5))).toBe(SCATTERED);
    expect(cut(tensor([8]), tensor([0], 3))).toBeUndefined();
    expect(cut(tensor([2, 3]), tensor([2, 0], 3))).toBeUndefined();
  });
});

describe('a part that a Split makes', () => {
  const whole = tensor([8]);
  const [first, second] = [tensor([2]), tensor([6], 2)];
  const split = (part: PlanTensor, all: readonly PlanTensor[]) =>
    cutFault('nchw', step('Split'), whole, part, rowOf(all));

  it('begins where the one before it ends', () => {
    expect(split(first, [first, second])).toBeUndefined();
    expect(split(second, [first, second])).toBeUndefined();
    expect(split(second, [second, first])).toBe('but another part begins there');
    expect(split(tensor([6], 1), [first, tensor([6], 1)])).toBe('but another part begins there');
  });

  it('may begin anywhere where a part of the whole is not in the plan', () => {
    expect(split(second, [second])).toBeUndefined();
  });

  it('means the same numbers, as a Slice need not', () => {
    const quant = { scale: [0.5], zeroPoint: [0], axis: null };
    const other = tensor([6], 2, { quant });
    expect(split(other, [first, other])).toBe('but the two are quantised differently');
    expect(cut(whole, other)).toBeUndefined();
  });
});

describe('what a Concat finds in place', () => {
  const QUANT: Quant = { scale: [0.5], zeroPoint: [1], axis: null };
  /** Parts of 4 and 8 bytes in w, 16 bytes at 32, in that order; `more` changes the parts. */
  const joined = (
    more: Readonly<Record<string, Partial<TensorSketch>>>,
    reads = ['p', 'q'],
    op = 'Concat',
  ) => {
    const sketches: readonly TensorSketch[] = [
      { name: 'w', shape: [16], live: [0, 1], offset: 32 },
      { name: 'p', shape: [4], live: [0, 1], offset: 32, how: 'elided', aliasOf: 'w' },
      { name: 'q', shape: [8], live: [0, 1], offset: 36, how: 'elided', aliasOf: 'w' },
    ];
    const plan = planOf({
      file: 'm.onnx',
      tensors: [
        ...sketches.map((one): TensorSketch => ({ type: 'int8', ...one, ...more[one.name] })),
        { name: 'v', shape: [2, 2], type: 'int8', live: [0, 1], offset: 32, how: 'view', aliasOf: 'p' },
        { name: 'm', shape: [4], type: 'int8', live: [0, 1], offset: 32, how: 'view', aliasOf: 'w' },
        { name: 'k', shape: [4], type: 'int8', live: [0, 1], offset: 32, how: 'elided', aliasOf: 'q' },
        { name: 'ext', shape: [4], type: 'int8', live: [0, 1], offset: null },
      ],
      steps: [{ node: 'join', op, reads, writes: ['w'] }],
    });
    const index = indexPlan(plan);
    const { parts, faults } = partsInPlace(index, plan.steps[0]!, index.tensor(0, 'w')!, index.uses(0).reads);
    return [...parts.map(({ name }) => name), ...faults];
  };
  const found = (name: string, why: string, op = 'Concat') =>
    `Step 0 (${op}) is said to find ${name} in w, but ${why}.`;

  it('is every part that is said to lie in its output', () => {
    expect(joined({})).toEqual(['p', 'q']);
    expect(joined({ q: { how: 'own', offset: 64 } })).toEqual(['p']);
    expect(joined({}, ['m', 'q'])).toEqual(['q']);
    expect(joined({}, ['ext', 'q'])).toEqual(['q']);
    expect(joined({ p: { how: 'own' }, q: { how: 'own' } })).toEqual([]);
    // Cut out of something else.
    expect(joined({ q: { how: 'own' } }, ['k'])).toEqual([]);
  });

  it('may be shown in another shape, but not where its elements would lie elsewhere', () => {
    const rows = { w: { shape: [4, 4] }, p: { shape: [4] }, q: { shape: [2, 4] } };
    expect(joined({ ...rows, p: { shape: [4], offset: 32 } }, ['v', 'q'])).toEqual([
      ...['v', 'q'],
      found('v', 'its elements do not lie there in one stretch'),
    ]);
    expect(joined({ w: { shape: [8, 2] }, q: { shape: [4, 2] } }, ['v', 'q'])).toEqual(['v', 'q']);
  });

  it('lies behind the parts before it, and leaves room for those that follow', () => {
    // 4 bytes of the output come from what is not in the plan, which may stand anywhere.
    for (const shift of [4, 5, 8]) expect(joined({ q: { offset: 32 + shift } })).toEqual(['p', 'q']);
    expect(joined({ q: { offset: 32 + 3 } })).toEqual(['p']);
    expect(joined({ p: { offset: 32 + 5 } })).toEqual(['q']);
    expect(joined({ p: { offset: 32 + 4 } })).toEqual(['p', 'q']);
    // Without such operands every part has one place.
    expect(joined({ q: { shape: [12] } })).toEqual(['p', 'q']);
    expect(joined({ q: { shape: [12] } }, ['q', 'p'])).toEqual([]);
  });

  it('is nothing of a step that computes', () => {
    expect(joined({}, ['p'], 'Sum')).toEqual(['p', found('p', 'it computes', 'Sum')]);
  });

  it('means the same numbers', () => {
    const differ = [...['p', 'q'], found('p', 'the two are quantised differently')];
    const both = (quant: Quant) => joined({ w: { quant: QUANT }, p: { quant }, q: { quant: QUANT } });
    expect(both(QUANT)).toEqual(['p', 'q']);
    expect(both({ ...QUANT })).toEqual(['p', 'q']);
    expect(both({ ...QUANT, scale: [0.25] })).toEqual(differ);
    expect(both({ ...QUANT, zeroPoint: [0] })).toEqual(differ);
    expect(both({ ...QUANT, axis: 0 })).toEqual(differ);
    expect(joined({ p: { quant: QUANT } })).toEqual(differ);
    expect(joined({ w: { quant: QUANT }, q: { quant: QUANT } })).toEqual(differ);
    expect(joined({ p: { type: 'uint8' } })).toEqual(differ);
  });
});
