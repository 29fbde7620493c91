import { describe, expect, it } from 'vitest';
import type { Plan, PlanState } from '../../src/plan/types.ts';
import { type Index, indexPlan, isDeeper } from '../../src/verify/index-plan.ts';
import { type Together, together } from '../support/joint-plans.ts';
import { planOf } from '../support/plans.ts';

/** Reads in, writes t and out. */
const SINGLE = planOf({
  file: 'a.onnx',
  tensors: [
    { name: 'in', shape: [4], role: 'input', live: [0, 1], offset: 0 },
    { name: 't', shape: [4], live: [0, 2], offset: 16 },
    { name: 'v', shape: [4], live: [1, 2], offset: 16, how: 'view', aliasOf: 't' },
    { name: 'out', shape: [4], role: 'output', live: [1, 2], offset: 32 },
  ],
  steps: [
    { node: 'first', op: 'Conv', reads: ['in'], writes: ['t'] },
    { node: 'second', op: 'Conv', reads: ['t', 'gone'], writes: ['v', 'out'] },
  ],
});
const joint = (options: Together = {}): Index => indexPlan(together([SINGLE, SINGLE, SINGLE], options));
const names = (index: Index, model: number, test: 'survives' | 'stays' | 'isInput' | 'isOutput'): string =>
  index.plan.tensors
    .filter((one) => one.model === model && index[test](one))
    .map(({ name }) => name)
    .join(' ');
const withStates = (plan: Plan, ...states: readonly PlanState[]): Index => indexPlan({ ...plan, states });
const assuming = (change: Partial<Plan['assumptions']>): Index =>
  indexPlan({ ...SINGLE, assumptions: { ...SINGLE.assumptions, ...change } });

describe('the index of a plan', () => {
  it('looks up tensors and buffers by name', () => {
    const index = indexPlan(SINGLE);
    expect([index.tensor(0, 't')?.offset, index.tensor(1, 't'), index.tensor(0, 'gone')]).toEqual([
      16,
      undefined,
      undefined,
    ]);
    expect([index.buffer(1)?.tensors, index.buffer(7)]).toEqual([['t', 'v'], undefined]);
    expect(index.members(1).map(({ name }) => name)).toEqual(['t', 'v']);
    expect([index.members(0).length, index.members(7)]).toEqual([1, []]);
  });

  it('finds what a step uses, and leaves out what is not there', () => {
    const scratched = {
      ...SINGLE,
      steps: SINGLE.steps.map((one, at) => (at === 0 ? { ...one, scratch: ['v', 'no'] } : one)),
    };
    const index = indexPlan(scratched);
    const used = (step: number): readonly string[] =>
      Object.values(index.uses(step)).map((list: readonly { name: string }[]) =>
        list.map(({ name }) => name).join(' '),
      );
    expect(used(0)).toEqual(['in', 't', 'v']);
    expect(used(1)).toEqual(['t', 'v out', '']);
    const [first, second] = scratched.steps;
    expect(index.strangers).toEqual([
      { step: first, name: 'no' },
      { step: second, name: 'gone' },
    ]);
    // The first step that has it in hand, in whichever way.
    expect(index.writer(index.tensor(0, 'v')!)).toBe(0);
  });

  it('knows the weights of a copy, and the steps that read one from it, in each model', () => {
    const weight = (model: number, name: string, buffer?: number) => ({
      ...({ model, name, type: 'float32', shape: [4], bytes: 16, place: 'ram' } as const),
      ...(buffer === undefined ? {} : { buffer }),
    });
    const constants = [weight(0, 'w', 4), weight(1, 'w', 5), weight(0, 'u', 4), weight(0, 'flash')];
    const steps = SINGLE.steps.map((one, at) => ({
      ...one,
      model: at,
      weights: at === 0 ? ['w', 'u'] : ['w'],
    }));
    const index = indexPlan({
      ...SINGLE,
      constants,
      steps: [...steps, { ...steps[0]!, step: 2, weights: ['w'] }],
    });
    const copied = (buffer: number) => index.copied(buffer).map(({ model, name }) => `${model} ${name}`);
    expect([copied(4), copied(5), copied(6)]).toEqual([['0 w', '0 u'], ['1 w'], []]);
    const readers = (model: number, name: string) =>
      index.readers(weight(model, name)).map(({ step }) => step);
    expect([readers(0, 'w'), readers(0, 'u'), readers(1, 'w')]).toEqual([[0, 2], [0], [1]]);
    expect([readers(1, 'u'), readers(0, 'flash'), readers(7, 'w')]).toEqual([[], [], []]);
  });

  it('knows who writes what', () => {
    const index = indexPlan(SINGLE);
    const writer = (name: string): number | undefined => index.writer(index.tensor(0, name)!);
    expect(['in', 't', 'v', 'out'].map(writer)).toEqual([-1, 0, 1, 1]);
    const unwritten = indexPlan({ ...SINGLE, steps: SINGLE.steps.slice(0, 1) });
    expect(unwritten.writer(unwritten.tensor(0, 'out')!)).toBeUndefined();
    expect(joint().writer(joint().tensor(1, 'in')!)).toBe(1);
    expect(joint().writer(joint().tensor(2, 't')!)).toBe(4);
  });

  it('counts a plan without steps as one step', () => {
    expect([indexPlan(SINGLE).end, indexPlan({ ...SINGLE, steps: [] }).end]).toEqual([2, 1]);
    expect(indexPlan({ ...SINGLE, steps: [] }).stretch(0)).toEqual({ first: 0, end: 1 });
  });

  it('finds rings of tensors that share bytes, and where they are entered from outside', () => {
    const aliased = (of: Readonly<Record<string, string>>): string => {
      const tensors = SINGLE.tensors.map((one) => ({ ...one, aliasOf: of[one.name] ?? null }));
      const index = indexPlan({ ...SINGLE, tensors });
      return tensors
        .filter(index.inRing)
        .map(({ name }) => name)
        .join(' ');
    };
    expect(aliased({ v: 't', t: 'in' })).toBe('');
    expect(aliased({ v: 't', t: 'v' })).toBe('t v');
    expect(aliased({ out: 'v', v: 't', t: 'v' })).toBe('t v out');
    expect(aliased({ t: 't' })).toBe('t');
    expect(aliased({ out: 'v', v: 't', t: 'gone' })).toBe('');
  });

  it('follows bodies to their end', () => {
    expect([isDeeper('', ''), isDeeper('a', ''), isDeeper('a/b', 'a'), isDeeper('ab', 'a')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(isDeeper('a', 'a')).toBe(false);
    const paths = ['', 'if', 'if/in', 'if', 'other', ''];
    const steps = paths.map((path, step) => ({ ...SINGLE.steps[0]!, step, path }));
    const index = indexPlan({ ...SINGLE, steps });
    expect(paths.map((_, step) => index.bodiesEnd(step))).toEqual([5, 3, 3, 4, 5, 6]);
    const models = steps.map((one) => ({ ...one, model: one.step < 3 ? 0 : 1 }));
    expect(indexPlan({ ...SINGLE, steps: models }).bodiesEnd(0)).toBe(3);
  });

  it('knows inputs, outputs and what must survive its model', () => {
    const index = indexPlan(SINGLE);
    expect([names(index, 0, 'isInput'), names(index, 0, 'isOutput')]).toEqual(['in', 'out']);
    expect([names(index, 0, 'survives'), names(index, 0, 'stays')]).toEqual(['out', '']);
    expect(names(assuming({ keep: ['t'] }), 0, 'survives')).toBe('t out');
    expect(names(assuming({ preserveInputs: true }), 0, 'survives')).toBe('in out');
    expect(names(assuming({ asyncIo: true }), 0, 'survives')).toBe('in out');
    expect(names(assuming({ asyncIo: true }), 0, 'stays')).toBe('in out');
    expect(names(assuming({ preserveInputs: true }), 0, 'stays')).toBe('');
  });

  it('knows nothing of a tensor whose model is not there, and finds nothing under no name', () => {
    const index = indexPlan({ ...SINGLE, tensors: SINGLE.tensors.map((one) => ({ ...one, model: 3 })) });
    const [input] = index.plan.tensors;
    expect([
      index.isInput(input!),
      index.isOutput(input!),
      index.survives(input!),
      index.stays(input!),
    ]).toEqual([...[false, false, false, false]]);
    const single = indexPlan(SINGLE);
    expect(single.source(single.tensor(0, 'v')!)).toBe(single.tensor(0, 't'));
    expect(single.source(single.tensor(0, 't')!)).toBeUndefined();
    expect(single.chains.owner(single.tensor(0, 'v')!)).toBe(single.tensor(0, 't'));
    expect([single.buffer(null), single.buffer(undefined)]).toEqual([undefined, undefined]);
  });

  it('knows how states are kept', () => {
    const state = (how: PlanState['how'], from: string | null): Index =>
      withStates(SINGLE, { model: 0, tensor: 'in', from, how });
    const states = (index: Index): readonly unknown[] =>
      ['in', 't'].map((name) => index.state(index.tensor(0, name)!));
    expect(states(state('shared', 't'))).toEqual(['shared', 'new']);
    expect(states(state('copied', 't'))).toEqual(['copied', undefined]);
    expect(states(state('kept', null))).toEqual(['kept', undefined]);
    expect(states(state('shared', 'in'))).toEqual(['shared', undefined]);
    expect(names(state('shared', 't'), 0, 'survives')).toBe('t out');
    expect(names(state('copied', 't'), 0, 'survives')).toBe('in out');
    expect(names(state('shared', 't'), 0, 'stays')).toBe('t');
    expect(names(state('kept', null), 0, 'stays')).toBe('in');
  });

  it('gives each model its steps, and each part those of its models', () => {
    const index = joint();
    expect([0, 1, 2, 7].map(index.stretch)).toEqual([
      { first: 0, end: 2 },
      { first: 2, end: 4 },
      { first: 4, end: 6 },
      { first: 0, end: 6 },
    ]);
    expect(index.part(1)).toEqual({ models: [0, 1, 2], order: 'any', first: 0, end: 6 });
    expect(joint({ order: 'sequence' }).part(2).order).toBe('sequence');
    const { run, ...alone } = index.plan;
    expect(indexPlan(alone).stretch(1)).toEqual({ first: 0, end: 6 });
    expect(indexPlan(alone).part(1)).toEqual({ models: [0, 1, 2], order: 'any', first: 0, end: 6 });
    const parts = [
      { models: [0, 2], order: 'any' as const, regions: [] },
      { models: [], order: 'sequence' as const, regions: [] },
    ];
    const apart = indexPlan({ ...index.plan, run: { ...run!, parts } });
    expect(apart.part(0)).toEqual({ models: [0, 2], order: 'any', first: 0, end: 6 });
    expect(apart.part(1)).toEqual({ models: [1], order: 'any', first: 2, end: 4 });
    const still = indexPlan({ ...index.plan, steps: index.plan.steps.filter(({ model }) => model !== 1) });
    expect(still.stretch(1)).toEqual({ first: 0, end: 1 });
  });

  it('knows what is held, and where it may be forgotten', () => {
    const index = joint({ holds: ['b:out', 'b:in'] });
    expect([0, 1].map((model) => names(index, model, 'stays'))).toEqual(['', 'in out']);
    const out = index.tensor(1, 'out')!;
    const forgets = (first: number, end: number): boolean => index.mayForget(out, first, end);
    // Written in step 3 of steps 2 and 3: what was held of the last run may go in step 2 alone.
    expect([forgets(2, 3), forgets(1, 3), forgets(2, 4), forgets(3, 3)]).toEqual([true, false, false, true]);
    expect(index.mayForget(index.tensor(1, 'in')!, 2, 3)).toBe(false);
    expect(index.mayForget(index.tensor(1, 'in')!, 2, 2)).toBe(true);
    expect(index.mayForget(index.tensor(0, 'out')!, 0, 1)).toBe(false);
    const inOrder = joint({ holds: ['b:out'], order: 'sequence' });
    expect(inOrder.mayForget(inOrder.tensor(1, 'out')!, 2, 3)).toBe(false);
  });

  it('knows what is handed over, and to the last of whom', () => {
    const index = joint({
      order: 'sequence',
      links: [
        ['a:out', 'c:in'],
        ['a:out', 'b:in'],
      ],
    });
    const handed = (model: number): unknown => index.handed(index.tensor(model, 'in')!);
    expect([handed(0), handed(1), handed(2)]).toEqual([
      undefined,
      index.tensor(0, 'out'),
      index.tensor(0, 'out'),
    ]);
    expect(index.handedAt(index.tensor(0, 'out')!)).toBe(4);
    expect(index.handedAt(index.tensor(1, 'out')!)).toBeUndefined();
  });

  it('assumes of a model what it says itself, and what the plan says else', () => {
    const plan = joint().plan;
    const models = plan.models.map((one, model) =>
      model === 1 ? { ...one, assumptions: { layout: 'nhwc' as const, keep: ['t'] } } : one,
    );
    const index = indexPlan({ ...plan, models });
    expect([0, 1, 9].map((model) => index.assumptions(model).layout)).toEqual(['nchw', 'nhwc', 'nchw']);
    expect([0, 1].map((model) => names(index, model, 'survives'))).toEqual(['out', 't out']);
  });
});
