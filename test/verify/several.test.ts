import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanPart, PlanRun, PlanTensor } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { severalFaults } from '../../src/verify/several.ts';
import { planOf } from '../support/plans.ts';

const faults = (plan: Plan) => severalFaults(indexPlan(plan));
const said = (plan: Plan): readonly string[] => faults(plan).map(({ text }) => text);

/**
 * Three models of one step each, all tensors 16 bytes: a makes y of x, b makes z of i, which is y handed over; c, which may
 * run at the same time, makes q of p. a and b have [0,48), c has [64,96).
 */
const PLAN = ((): Plan => {
  const plan = planOf({
    file: 'a.onnx',
    tensors: [
      { name: 'x', shape: [4], live: [0, 1], offset: 0 },
      { name: 'y', shape: [4], live: [0, 2], offset: 16 },
      { name: 'i', shape: [4], live: [1, 2], offset: 16, how: 'view', aliasOf: 'y' },
      { name: 'z', shape: [4], live: [1, 2], offset: 32 },
      { name: 'p', shape: [4], live: [2, 3], offset: 64 },
      { name: 'q', shape: [4], live: [2, 3], offset: 80 },
    ],
  });
  const modelOf: Readonly<Record<string, number>> = { x: 0, y: 0, i: 1, z: 1, p: 2, q: 2 };
  const model = (name: string, input: string, output: string) => {
    return { ...plan.models[0]!, name, inputs: [input], outputs: [output] };
  };
  const part = (
    models: readonly number[],
    order: PlanPart['order'],
    offset: number,
    bytes: number,
  ): PlanPart => {
    return { models, order, regions: [{ region: 'AXISRAM', offset, bytes }] };
  };
  return {
    ...plan,
    models: [model('a', 'x', 'y'), model('b', 'i', 'z'), model('c', 'p', 'q')],
    steps: plan.steps.map((one) => ({ ...one, model: one.step })),
    tensors: plan.tensors.map((one) => {
      return { ...one, model: modelOf[one.name]!, ...(one.name === 'i' && { how: 'own', aliasOf: null }) };
    }),
    run: {
      ...{ mode: 'concurrent', cPrefix: 'ALL', holds: [{ model: 0, tensor: 'y' }] },
      parts: [part([0, 1], 'sequence', 0, 48), part([2], 'any', 64, 32)],
      links: [{ from: { model: 0, tensor: 'y' }, to: { model: 1, tensor: 'i' } }],
      isolation: { alone: [32, 32, 32], isolatedBytes: 96, sharedBytes: 32 },
    },
  };
})();
const run = (change: Partial<PlanRun>, plan = PLAN): Plan => ({ ...plan, run: { ...plan.run!, ...change } });
const tensor = (name: string, change: Partial<PlanTensor>): Plan => {
  return { ...PLAN, tensors: PLAN.tensors.map((one) => (one.name === name ? { ...one, ...change } : one)) };
};
const buffer = (of: string, change: Partial<PlanBuffer>): Plan => {
  const buffers = PLAN.buffers.map((one) => (one.tensors.includes(of) ? { ...one, ...change } : one));
  return { ...PLAN, buffers };
};

describe('several models in a plan', () => {
  it('share the chip as it says', () => {
    expect(said(PLAN)).toEqual([]);
    const { run: _, ...silent } = PLAN;
    expect(said(silent)).toEqual(['The plan does not say how its models share the chip.']);
    expect(said({ ...silent, models: silent.models.slice(0, 1) })).toEqual([]);
  });

  it('follow each other on the axis of steps', () => {
    const steps = (...models: readonly number[]): Plan => {
      return { ...PLAN, steps: models.map((model, step) => ({ ...PLAN.steps[0]!, model, step })) };
    };
    expect(said(steps(0, 0, 1, 1, 2))).toEqual([]);
    expect(said(steps(0, 2))).toEqual(['Model b has no step.', 'Step 1 of model 2 stands apart.']);
    expect(said(steps(0, 1, 0, 2))).toEqual([
      'Step 2 of model 0 stands apart.',
      'Step 3 of model 2 stands apart.',
    ]);
    expect(said(steps(2, 2))).toEqual([
      'Model a has no step.',
      'Model b has no step.',
      'Step 0 of model 2 stands apart.',
    ]);
  });

  it('are each in one part, in order', () => {
    const parts = (...lists: readonly (readonly number[])[]): Plan =>
      run({ parts: lists.map((models) => ({ ...PLAN.run!.parts[0]!, models })) });
    const wrong = (list: string) => [`The parts hold the models ${list}, not each of them in order.`];
    expect(said(parts([0, 1], [1, 2]))).toEqual(wrong('0, 1, 1, 2'));
    expect(said(parts([0, 1]))).toEqual(wrong('0, 1'));
    expect(said(parts([0, 2], [1]))).toEqual(wrong('0, 2, 1'));
    expect(said(parts([0, 1, 2], [3]))).toEqual(wrong('0, 1, 2, 3'));
  });
});

describe('buckets', () => {
  const sized = (...sizes: readonly Readonly<Record<string, number>>[]) =>
    sizes.map((one) => ({ sizes: Object.entries(one).map(([name, size]) => ({ name, size })) }));
  const SIZES = sized({ seq: 8 }, { seq: 16 }, { seq: 32 });
  const [part] = PLAN.run!.parts;
  const TURNS = run({ parts: [{ ...part!, models: [0, 1, 2], order: 'any' }] });
  /** What is said of the buckets: whatever is wrong with them, nothing else is looked at. */
  const buckets = (given: Plan['buckets'], plan = TURNS) =>
    said({ ...plan, ...(given && { buckets: given }) });

  it('are one model for different sizes, in turn', () => {
    const alone = run({ links: [], holds: [] }, TURNS);
    expect(buckets(SIZES, alone)).toEqual(said(alone));
    expect(buckets(SIZES.slice(1))).toEqual(['Not every model has the sizes of a bucket.']);
    expect(buckets(sized({ seq: 8 }, { seq: 8 }, { seq: 32 }))).toEqual(['Two buckets have the same sizes.']);
    const names = ['Buckets do not name the same dimensions.'];
    expect(buckets(sized({ seq: 8 }, { len: 16 }, { seq: 32 }))).toEqual(names);
    expect(buckets(sized({ seq: 8, n: 1 }, { n: 1, seq: 16 }, { seq: 32, n: 1 }))).toEqual(names);
    const other = TURNS.models.map((one, at) => (at === 1 ? { ...one, sha256: '1' } : one));
    expect(buckets(SIZES, { ...TURNS, models: other })).toEqual(['Buckets are not of one model.']);
  });

  it('never run at once', () => {
    const turns = ['Buckets do not take turns.'];
    expect(buckets(SIZES, PLAN)).toEqual(turns);
    expect(buckets(SIZES, run({ parts: [{ ...part!, models: [0, 1, 2] }] }))).toEqual(turns);
    const apart = [0, 1, 2].map((model) => ({ ...part!, models: [model], order: 'any' as const }));
    expect(buckets(SIZES, run({ parts: apart }))).toEqual(turns);
  });
});

describe('a part', () => {
  const regions = (...list: PlanPart['regions']): Plan => {
    const [first, second] = PLAN.run!.parts;
    return run({ parts: [first!, { ...second!, regions: list }] });
  };
  const at = (offset: number, bytes: number) => ({ region: 'AXISRAM', offset, bytes });
  const wrong = (from: number, to: number, end = 96) => [
    `Part 1 is said to have [${from},${to}) of AXISRAM, but its buffers end at ${end}.`,
  ];

  it('says which bytes are its own, in each region', () => {
    expect(said(regions(at(64, 32)))).toEqual([]);
    expect(said(regions(at(48, 48)))).toEqual([]);
    expect(said(regions(at(64, 40)))).toEqual(wrong(64, 104));
    expect(said(regions(at(65, 31)))).toEqual(wrong(65, 96));
    // The second buffer alone would be inside.
    expect(said(regions(at(80, 16)))).toEqual(wrong(80, 96));
    expect(said(regions())).toEqual(wrong(0, 0));
    expect(said(regions({ region: 'DTCM', offset: 64, bytes: 32 }))).toEqual(wrong(0, 0));
  });

  it('has none in a region where nothing of it lies', () => {
    const more = { ...PLAN.regions[0]!, name: 'DTCM' };
    const plan = { ...PLAN, regions: [...PLAN.regions, more] };
    expect(said(plan)).toEqual([]);
    const [first, second] = PLAN.run!.parts;
    const claims = { ...first!, regions: [...first!.regions, { region: 'DTCM', offset: 0, bytes: 16 }] };
    expect(said(run({ parts: [claims, second!] }, plan))).toEqual([
      'Part 0 is said to have [0,16) of DTCM, but its buffers end at 0.',
    ]);
    const apart = {
      ...plan,
      buffers: PLAN.buffers.map((one) => (one.id < 3 ? one : { ...one, region: 'DTCM' })),
    };
    const there = { ...second!, regions: [{ region: 'DTCM', offset: 64, bytes: 32 }] };
    expect(said(run({ parts: [first!, there] }, apart))).toEqual([]);
  });

  it('needs no bytes for what has none', () => {
    expect(said({ ...buffer('p', { offset: 0, bytes: 0 }), run: regions(at(80, 16)).run! })).toEqual([]);
    // Nor are any shared where it lies in the middle of another.
    expect(said({ ...buffer('p', { offset: 8, bytes: 0 }), run: regions(at(80, 16)).run! })).toEqual([]);
  });

  it('shares no byte with another', () => {
    const share = (one: number, other: number) =>
      `Buffers ${one} and ${other} share bytes, but their models may run at the same time.`;
    const [first, second] = PLAN.run!.parts;
    const from = { ...second!, regions: [at(47, 49)] };
    expect(said(run({ parts: [first!, from] }, buffer('p', { offset: 47 })))).toEqual([share(2, 3)]);
    const touching = { ...second!, regions: [at(48, 48)] };
    expect(said(run({ parts: [first!, touching] }, buffer('p', { offset: 48 })))).toEqual([]);
    // At the same offsets of another region nothing is shared.
    const elsewhere = { ...second!, regions: [at(80, 16), { region: 'DTCM', offset: 47, bytes: 16 }] };
    const dtcm = { ...buffer('p', { offset: 47, region: 'DTCM' }) };
    const both = { ...dtcm, regions: [...PLAN.regions, { ...PLAN.regions[0]!, name: 'DTCM' }] };
    expect(said(run({ parts: [first!, elsewhere] }, both))).toEqual([]);
    // A buffer that holds tensors of both.
    const common = tensor('p', { buffer: 0, offset: 0 });
    const whole = { ...second!, regions: [at(0, 96)] };
    expect(said(run({ parts: [first!, whole] }, common))).toEqual([share(0, 0)]);
  });

  it('is apart from every other one', () => {
    const parts = (...offsets: readonly number[]) =>
      offsets.map((offset, model) => ({ models: [model], order: 'any' as const, regions: [at(offset, 16)] }));
    const own = PLAN.tensors.filter(({ name }) => ['x', 'z', 'p'].includes(name));
    const three = { ...run({ links: [], holds: [], parts: parts(0, 32, 64) }), tensors: own };
    expect(said(three)).toEqual([]);
    const buffers = three.buffers.map((one) => (one.tensors.includes('p') ? { ...one, offset: 0 } : one));
    expect(said(run({ parts: parts(0, 32, 0) }, { ...three, buffers }))).toEqual([
      'Buffers 0 and 3 share bytes, but their models may run at the same time.',
    ]);
  });
});

describe('what is held', () => {
  it('lies in a buffer', () => {
    const held = (name: string, plan = PLAN) => faults(run({ holds: [{ model: 0, tensor: name }] }, plan));
    const text = (name: string) => `Tensor ${name} is held, but lies in no buffer.`;
    expect(held('x')).toEqual([]);
    expect(held('z')).toMatchObject([{ text: text('z'), tensor: 'z' }]);
    expect(held('x', tensor('x', { buffer: null }))).toMatchObject([{ text: text('x'), tensor: 'x' }]);
  });
});

describe('what is handed over', () => {
  const link = (from: string, to: string, plan = PLAN): Plan => {
    const named = (text: string) => {
      const { model } = PLAN.tensors.find(({ name }) => name === text) ?? { model: 0 };
      return { model, tensor: text };
    };
    return run({ links: [{ from: named(from), to: named(to) }] }, plan);
  };
  const FAULTS: readonly (readonly [why: string, plan: Plan])[] = [
    ['one of them is not in the plan', link('nothing', 'i')],
    ['one of them is not in the plan', link('y', 'nothing')],
    ['that is no input', link('y', 'z')],
    ['their models do not run in this order', link('y', 'x')],
    ['their models do not run in this order', link('y', 'p')],
    [
      'their models do not run in this order',
      run({ parts: PLAN.run!.parts.map((one) => ({ ...one, order: 'any' })) }, link('y', 'i')),
    ],
    ['their bytes differ', link('y', 'i', tensor('i', { type: 'int32' }))],
    ['their bytes differ', link('y', 'i', tensor('i', { bytes: 12 }))],
    ['they lie apart', link('y', 'i', tensor('i', { offset: 20 }))],
    ['they lie apart', link('y', 'i', tensor('i', { buffer: 0 }))],
  ];

  it.each(FAULTS.map(([why, plan]) => ({ why, plan, ...plan.run!.links[0]! })))(
    '$from.tensor as $to.tensor: $why',
    ({ why, plan, from, to }) => {
      expect(faults(plan)).toMatchObject([
        { text: `${from.tensor} is handed over as ${to.tensor}, but ${why}.`, tensor: to.tensor },
      ]);
    },
  );

  it('lies in a buffer', () => {
    const none = { buffer: null, region: null, offset: null };
    const out = PLAN.tensors.map((one) => ('yi'.includes(one.name) ? { ...one, ...none } : one));
    expect(said({ ...run({ holds: [] }), tensors: out })).toContain(
      'y is handed over as i, but they lie apart.',
    );
  });
});

describe('what sharing saves', () => {
  const saved = (isolation: Partial<PlanRun['isolation']>, copyBytes?: number, plan = PLAN) => {
    const given = run({ isolation: { ...PLAN.run!.isolation, ...isolation } }, plan);
    return said({ ...given, totals: { ...plan.totals, ...(copyBytes !== undefined && { copyBytes }) } });
  };

  it('is measured against every model alone', () => {
    expect(saved({ alone: [32, 32] })).toEqual(['Not every model has an arena of its own stated.']);
    expect(saved({ isolatedBytes: 97 })).toEqual([]);
    expect(saved({ isolatedBytes: 95 })).toEqual(['95 bytes are less than all models need alone.']);
  });

  it('is the plan itself where all models share all bytes', () => {
    const parts = [
      { ...PLAN.run!.parts[0]!, models: [0, 1, 2], regions: [{ region: 'AXISRAM', offset: 0, bytes: 96 }] },
    ];
    const all = run({ parts });
    const wrong = (shared: number) => [`All models share ${shared} bytes, but the arenas have 96.`];
    expect(saved({ sharedBytes: 96 }, undefined, all)).toEqual([]);
    expect(saved({ sharedBytes: 96 }, 0, all)).toEqual([]);
    expect(saved({ sharedBytes: 95 }, undefined, all)).toEqual(wrong(95));
    // Copies of weights are above what is shared.
    expect(saved({ sharedBytes: 80 }, 16, all)).toEqual([]);
    expect(saved({ sharedBytes: 72 }, 16, all)).toEqual([]);
    expect(saved({ sharedBytes: 81 }, 16, all)).toEqual(wrong(81));
    // What rules ask of single tensors is not in what is compared.
    const ruled = { ...all, rules: [{ kind: 'align', tensor: 'x', bytes: 64 } as const] };
    expect(saved({ sharedBytes: 95 }, undefined, ruled)).toEqual([]);
    expect(saved({ sharedBytes: 95 }, undefined, { ...all, rules: [] })).toEqual(wrong(95));
    // Where there are more regions the sum says nothing.
    const two = { ...all, regions: [...all.regions, { ...all.regions[0]!, name: 'DTCM' }] };
    expect(saved({ sharedBytes: 95 }, undefined, two)).toEqual([]);
  });
});
