import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/place/rule-types.ts';
import type { Plan, PlanBuffer, PlanCache, PlanMpu, PlanRegion, PlanTensor } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { ruleFaults } from '../../src/verify/rules.ts';
import { together } from '../support/joint-plans.ts';
import { planOf } from '../support/plans.ts';

const faults = (plan: Plan) => ruleFaults(indexPlan(plan));
const said = (plan: Plan): readonly string[] => faults(plan).map(({ text }) => text);

/** x 0 to 32, a 64 to 96 with b written over it and v shown, y 128 to 160; lines of 32 bytes. */
const PLAN = ((): Plan => {
  const plan = planOf({
    file: 'm.onnx',
    tensors: [
      { name: 'x', shape: [8], role: 'input', live: [0, 2], offset: 0 },
      { name: 'a', shape: [8], live: [0, 2], offset: 64 },
      { name: 'b', shape: [8], live: [1, 4], offset: 64, how: 'in-place', aliasOf: 'a' },
      { name: 'v', shape: [4, 2], live: [2, 4], offset: 64, how: 'view', aliasOf: 'b' },
      { name: 'y', shape: [8], role: 'output', live: [3, 4], offset: 128 },
      { name: 'ghost', shape: [8], live: [0, 1], offset: 192 },
    ],
    steps: [
      { node: 'conv', op: 'Conv', writes: ['a'] },
      { node: 'add', op: 'Add', reads: ['a', 'x'], writes: ['b'] },
      { node: 'reshape', op: 'Reshape', reads: ['b'], writes: ['v'] },
      { node: 'last', op: 'Conv', reads: ['v'], writes: ['y'] },
    ],
  });
  const dma = { reachable: ['DMA1', 'MDMA'], notReachable: ['BDMA'] };
  return { ...plan, regions: plan.regions.map((one) => ({ ...one, alignment: 64, cacheLine: 32, dma })) };
})();
const ruled = (...rules: readonly Rule[]): Plan => ({ ...PLAN, rules });
const tensor = (plan: Plan, name: string, change: Partial<PlanTensor>): Plan => {
  return { ...plan, tensors: plan.tensors.map((one) => (one.name === name ? { ...one, ...change } : one)) };
};
const buffer = (plan: Plan, of: string, change: Partial<PlanBuffer>): Plan => {
  const buffers = plan.buffers.map((one) => (one.tensors.includes(of) ? { ...one, ...change } : one));
  return { ...plan, buffers };
};
const region = (plan: Plan, change: Partial<PlanRegion>): Plan => {
  return { ...plan, regions: plan.regions.map((one) => ({ ...one, ...change })) };
};

describe('a rule about the place of a tensor', () => {
  const PLACES: readonly (readonly [Rule, ...(readonly string[])])[] = [
    [{ kind: 'pin', tensor: 'a', region: 'AXISRAM' }],
    [{ kind: 'pin', tensor: 'a', region: 'AXISRAM', offset: 64 }],
    [{ kind: 'pin', tensor: 'a', region: 'AXISRAM', offset: 0 }, 'Tensor a is pinned at 0, but lies at 64.'],
    [{ kind: 'pin', tensor: 'a', region: 'DTCM' }, 'Tensor a is pinned to DTCM, but lies in AXISRAM.'],
    [{ kind: 'forbid', tensor: 'a', region: 'DTCM' }],
    [{ kind: 'forbid', tensor: 'a', region: 'AXISRAM' }, 'Tensor a lies in AXISRAM, which is forbidden.'],
    [{ kind: 'align', tensor: 'a', bytes: 64 }],
    // The arena begins at a multiple of 64 alone.
    [{ kind: 'align', tensor: 'y', bytes: 128 }, 'Tensor y at 128 of AXISRAM is not aligned to 128.'],
    [{ kind: 'align', tensor: 'a', bytes: 128 }, 'Tensor a at 64 of AXISRAM is not aligned to 128.'],
    [{ kind: 'slack', tensor: 'a', bytes: 0 }],
    [{ kind: 'slack', tensor: 'a', bytes: 1 }, 'Tensor a does not have 1 unused bytes behind it.'],
    [{ kind: 'slack', tensor: 'z', bytes: 0 }, 'A rule (slack) names z, which is not in the plan.'],
    [{ kind: 'slack', model: 1, tensor: 'a', bytes: 0 }, 'A rule (slack) names a, which is not in the plan.'],
  ];

  it.each(PLACES.map(([rule, ...texts]) => ({ rule, texts })))('$rule', ({ rule, texts }) => {
    expect(said(ruled(rule))).toEqual(texts);
  });

  it('is held to the base of the arena and to the tensor, each for itself', () => {
    const align: Rule = { kind: 'align', tensor: 'a', bytes: 128 };
    expect(said(region(ruled(align), { alignment: 128 }))).toHaveLength(1);
    expect(said(region(tensor(ruled(align), 'a', { offset: 128 }), { alignment: 128 }))).toEqual([]);
  });

  it('counts the bytes behind a tensor to the end of its buffer, wherever in it the tensor lies', () => {
    const slack: Rule = { kind: 'slack', tensor: 'y', bytes: 8 };
    expect(said(buffer(ruled(slack), 'y', { bytes: 40 }))).toEqual([]);
    expect(said(buffer(ruled(slack), 'y', { bytes: 39 }))).toHaveLength(1);
    expect(said(buffer(ruled(slack), 'y', { offset: 120, bytes: 48 }))).toEqual([]);
    expect(said(buffer(ruled(slack), 'y', { offset: 120, bytes: 40 }))).toHaveLength(1);
  });

  it('binds the tensor of its own model alone', () => {
    const both = { ...together([PLAN, PLAN]), buffers: PLAN.buffers };
    const pin = (model: number): Rule => ({ kind: 'pin', model, tensor: 'a', region: 'DTCM' });
    const elsewhere = {
      ...both,
      tensors: both.tensors.map((one) => (one.model === 1 ? { ...one, region: 'DTCM' } : one)),
      regions: [...both.regions, { ...both.regions[0]!, name: 'DTCM' }],
    };
    expect(said({ ...elsewhere, rules: [pin(1)] })).toEqual([]);
    expect(said({ ...elsewhere, rules: [pin(0)] })).toHaveLength(1);
  });

  it.each(['region', 'buffer', 'offset'] as const)('wants a %s', (part) => {
    const rules: readonly Rule[] = [{ kind: 'forbid', tensor: 'a', region: 'DTCM' }];
    const given = tensor({ ...PLAN, rules }, 'a', { [part]: null });
    expect(said(given)).toEqual(['Tensor a has a rule, and no place.']);
  });

  it('and its tensor are named; a plan without rules has no faults', () => {
    expect(faults(ruled({ kind: 'pin', tensor: 'a', region: 'DTCM' }))).toMatchObject([{ tensor: 'a' }]);
    expect(faults(PLAN)).toEqual([]);
  });
});

describe('a tensor that a DMA engine touches', () => {
  const at = (at: PlanCache['at'], step: number, operation: PlanCache['operation']) => {
    return { at, step, operation };
  };
  /** What is said of a tensor with these rows of the schedule. */
  const touched = (
    name: string,
    rows: readonly Omit<PlanCache, 'model' | 'tensor'>[],
    change: (plan: Plan) => Plan = (plan) => plan,
    engine?: string,
  ): readonly string[] => {
    const rule: Rule = { kind: 'dma', tensor: name, ...(engine !== undefined && { engine }) };
    const cache = rows.map((row) => ({ model: 0, tensor: name, ...row }));
    return said(change({ ...ruled(rule), cache }));
  };
  const INPUT = [at('before-dma', 0, 'invalidate'), at('before-step', 1, 'invalidate')];
  const AXI = 'Tensor y lies in AXISRAM, which';
  const OUTPUT = [at('after-step', 3, 'clean')];
  const WITHIN = [at('before-step', 1, 'clean-invalidate'), at('after-step', 1, 'clean-invalidate')];
  const needs = (name: string, what: string): string =>
    `Tensor ${name} needs its cache lines ${what}, and the schedule does not say so.`;
  const lost = (name: string): string =>
    `Tensor ${name} would lose what lies in its bytes: it is invalidated while they are live.`;

  it('lies where its engine reaches, as far as that is known', () => {
    expect(touched('y', OUTPUT, undefined, 'DMA1')).toEqual([]);
    expect(touched('y', OUTPUT, undefined, 'MDMA')).toEqual([]);
    expect(touched('y', OUTPUT, undefined, 'BDMA')).toEqual([`${AXI} BDMA does not reach.`]);
    const none = (plan: Plan): Plan => region(plan, { dma: { reachable: [], notReachable: ['DMA1'] } });
    expect(touched('y', OUTPUT, none)).toEqual([`${AXI} no engine reaches.`]);
    const unknown = (plan: Plan): Plan => ({
      ...plan,
      regions: plan.regions.map(({ dma, ...one }) => one),
    });
    expect(touched('y', OUTPUT, unknown)).toEqual([]);
    expect(touched('y', OUTPUT, unknown, 'BDMA')).toEqual([]);
  });

  it('has whole lines of the cache for itself, where there is one', () => {
    const shared = 'Tensor y shares lines of 32 bytes of the cache with others.';
    const parts: readonly ((plan: Plan) => Plan)[] = [
      (plan) => tensor(plan, 'y', { offset: 136 }),
      (plan) => buffer(plan, 'y', { offset: 120 }),
      (plan) => buffer(plan, 'y', { bytes: 40 }),
      (plan) => region(plan, { alignment: 16 }),
    ];
    for (const change of parts) expect(touched('y', OUTPUT, change)).toEqual([shared]);
    const uncached = (plan: Plan): Plan => ({
      ...plan,
      regions: plan.regions.map(({ cacheLine, ...one }) => one),
    });
    for (const change of parts) expect(touched('y', [], (plan) => change(uncached(plan)))).toEqual([]);
  });

  it('and that is an input is out of the cache before it is filled, and again before it is read', () => {
    expect(touched('x', INPUT)).toEqual([]);
    expect(touched('x', [])).toEqual([
      needs('x', 'invalidated before-dma 0'),
      needs('x', 'invalidated before-step 1'),
    ]);
    expect(touched('x', [INPUT[0]!, at('before-step', 0, 'invalidate')])).toEqual([
      needs('x', 'invalidated before-step 1'),
    ]);
    expect(touched('x', [INPUT[0]!, at('after-step', 1, 'invalidate')])).toEqual([
      needs('x', 'invalidated before-step 1'),
    ]);
    expect(touched('x', [INPUT[0]!, at('before-step', 1, 'clean')])).toEqual([
      needs('x', 'invalidated before-step 1'),
    ]);
    const unread = (plan: Plan): Plan => ({
      ...plan,
      steps: plan.steps.map((one) => ({ ...one, reads: one.reads.filter((name) => name !== 'x') })),
    });
    expect(touched('x', [INPUT[0]!], unread)).toEqual([]);
    expect(touched('x', [INPUT[0]!], (plan) => ({ ...plan, steps: [] }))).toEqual([]);
  });

  it('and that is an output is in memory after it was written', () => {
    expect(touched('y', OUTPUT)).toEqual([]);
    expect(touched('y', [at('after-step', 3, 'clean-invalidate')])).toEqual([]);
    expect(touched('y', [])).toEqual([needs('y', 'cleaned after-step 3')]);
    expect(touched('y', [at('after-step', 2, 'clean')])).toEqual([needs('y', 'cleaned after-step 3')]);
  });

  it('and that is neither may be written by either side', () => {
    expect(touched('b', WITHIN)).toEqual([]);
    expect(touched('b', [])).toEqual([
      needs('b', 'invalidated before-step 1'),
      needs('b', 'cleaned after-step 1'),
      needs('b', 'invalidated after-step 1'),
    ]);
    expect(touched('b', [WITHIN[0]!, at('after-step', 1, 'clean')])).toEqual([
      needs('b', 'invalidated after-step 1'),
    ]);
    // Nobody is known to write it; that is said by others.
    expect(touched('ghost', [])).toContain(needs('ghost', 'invalidated before-step 0'));
  });

  it('is served by rows of its own name and model', () => {
    const rows = OUTPUT.map((row) => ({ model: 0, tensor: 'y', ...row }));
    const plan = ruled({ kind: 'dma', tensor: 'y' });
    expect(said({ ...plan, cache: rows })).toEqual([]);
    expect(said({ ...plan, cache: rows.map((row) => ({ ...row, tensor: 'b' })) })).toHaveLength(1);
    expect(said({ ...plan, cache: rows.map((row) => ({ ...row, model: 1 })) })).toHaveLength(1);
    expect(said(plan)).toHaveLength(1);
  });

  it('of a later model is filled before the first step of that model', () => {
    const both = { ...together([PLAN, PLAN]), buffers: PLAN.buffers };
    const cache = [
      { model: 1, tensor: 'x', ...at('before-dma', 4, 'invalidate') },
      { model: 1, tensor: 'x', ...at('before-step', 5, 'invalidate') },
    ];
    expect(said({ ...both, cache, rules: [{ kind: 'dma', model: 1, tensor: 'x' }] })).toEqual([]);
  });

  it('loses nothing that was written in its bytes and is still needed', () => {
    // Before step 1 they hold a, which the step reads; after it b.
    expect(touched('b', [at('before-step', 1, 'invalidate'), WITHIN[1]!])).toEqual([lost('b')]);
    expect(touched('b', [...WITHIN, at('after-step', 1, 'invalidate')])).toEqual([lost('b')]);
    expect(touched('b', [...WITHIN, at('after-step', 2, 'invalidate')])).toEqual([lost('b')]);
    expect(touched('b', [...WITHIN, at('before-step', 0, 'invalidate')])).toEqual([]);
    expect(touched('b', [...WITHIN, at('before-dma', 1, 'invalidate')])).toEqual([]);
    expect(touched('b', [...WITHIN, at('before-step', 3, 'clean')])).toEqual([]);
    expect(touched('y', [...OUTPUT, at('after-step', 3, 'invalidate')])).toEqual([lost('y')]);
    // From the end of its life on there is nothing to lose.
    const early = (plan: Plan): Plan => tensor(tensor(plan, 'b', { end: 3 }), 'v', { end: 3 });
    expect(touched('b', [...WITHIN, at('before-step', 3, 'invalidate')], early)).toEqual([]);
    // What an engine delivered is in memory, and a view writes nothing.
    expect(touched('x', [...INPUT, at('after-step', 1, 'invalidate')])).toEqual([]);
    const shown = (plan: Plan): Plan => tensor(plan, 'b', { end: 3 });
    expect(touched('b', [...WITHIN, at('before-step', 3, 'invalidate')], shown)).toEqual([]);
  });

  it('is named', () => {
    const found = faults(ruled({ kind: 'dma', tensor: 'y' }));
    expect(found).toMatchObject([{ tensor: 'y' }]);
  });
});

describe('an arena that is a region of the MPU', () => {
  /** 160 bytes are used, at a base that is a multiple of 256. */
  const mpu = (change: Partial<PlanMpu>, more: Partial<PlanRegion> = {}, fits = true): readonly string[] => {
    const { kind = 'PMSAv7', ...others } = change;
    const v7 = { kind, bytes: 160, alignment: 256, regionBytes: 256, partsLeftOut: 3 };
    const v8 = { kind, bytes: 160, alignment: 32, regionBytes: 160, partsLeftOut: 0 };
    const own = { ...(kind === 'PMSAv7' ? v7 : v8), ...others };
    const given = { capacity: 4096, origin: 0x24000000, used: 160, alignment: own.alignment, ...more };
    return said({ ...region(PLAN, { mpu: own, ...given }), fits }).map((text) =>
      text.replace('The MPU region of AXISRAM ', ''),
    );
  };

  it('is as large as the parts that are left of a power of two (PMSAv7)', () => {
    expect(mpu({})).toEqual([]);
    expect(mpu({ partsLeftOut: 2 })).toEqual(['comes to 192 bytes, not 160.']);
    expect(mpu({ bytes: 192, partsLeftOut: 2 })).toEqual([]);
    expect(mpu({ bytes: 256, partsLeftOut: 0 })).toEqual([]);
    expect(mpu({ bytes: 32, regionBytes: 32, partsLeftOut: 0 }, { used: 32 })).toEqual([]);
    expect(mpu({ bytes: 16, regionBytes: 16, partsLeftOut: 0 }, { used: 16 })).toEqual([
      'has 16 bytes, no power of two.',
    ]);
    expect(mpu({ regionBytes: 160, partsLeftOut: 0 }, { alignment: 320 })).toEqual([
      'has 160 bytes, no power of two.',
    ]);
    expect(mpu({ bytes: 112, regionBytes: 128, partsLeftOut: 1 }, { used: 100 })).toEqual([
      'has no parts to leave out.',
    ]);
    expect(mpu({}, { alignment: 128 })).toEqual(['is not aligned to its size of 256.']);
    expect(mpu({}, { alignment: 512 })).toEqual([]);
  });

  it('is any multiple of 32 bytes, whole (PMSAv8)', () => {
    expect(mpu({ kind: 'PMSAv8' })).toEqual([]);
    expect(mpu({ kind: 'PMSAv8', bytes: 176, regionBytes: 176 })).toEqual(['is no multiple of 32.']);
    expect(mpu({ kind: 'PMSAv8' }, { alignment: 16 })).toEqual(['is no multiple of 32.']);
    expect(mpu({ kind: 'PMSAv8', regionBytes: 192 })).toEqual(['comes to 192 bytes, not 160.']);
    expect(mpu({ kind: 'PMSAv8', bytes: 224, regionBytes: 256, partsLeftOut: 1 })).toEqual([
      'has no parts to leave out.',
    ]);
  });

  it('holds the arena, and fits into its memory beside what is reserved there', () => {
    expect(mpu({}, { used: 161 })).toEqual(['has 160 bytes for an arena of 161.']);
    const over = ['does not fit: 160 bytes from a multiple of 256.'];
    expect(mpu({}, { capacity: 160 })).toEqual([]);
    expect(mpu({}, { capacity: 159 })).toEqual(over);
    expect(mpu({}, { capacity: 200, reserved: 40 })).toEqual([]);
    expect(mpu({}, { capacity: 200, reserved: 41 })).toEqual(over);
    // From 0x24000020 on the next multiple of 256 is 224 bytes away.
    expect(mpu({}, { capacity: 384, origin: 0x24000020 })).toEqual([]);
    expect(mpu({}, { capacity: 383, origin: 0x24000020 })).toEqual(over);
    expect(mpu({}, { capacity: 160, origin: null })).toEqual([]);
    expect(mpu({}, { capacity: null })).toEqual([]);
    // That it does not fit is said already.
    expect(mpu({}, { capacity: 159 }, false)).toEqual([]);
  });
});
