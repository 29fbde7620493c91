import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanCache, PlanConstant, PlanStep } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { broughtLineFaults, copyFaults, weightFaults } from '../../src/verify/weights.ts';
import { together } from '../support/joint-plans.ts';
import { planOf } from '../support/plans.ts';

const texts = (faults: readonly { readonly text: string }[]) => faults.map(({ text }) => text);

/**
 * Steps: 0 head, 1 conv (reads w), 2 if, 3 yes (reads u), 4 no, 5 tail (reads v), 6 last. Copies of 64 bytes each: r for
 * all steps; w brought at step 0, u at step 1 for the whole If, v at step 2, because the branches may not run.
 */
const PLAN = ((): Plan => {
  const nodes = ['head', 'conv', 'if', 'yes', 'no', 'tail', 'last'];
  const plan = planOf({
    file: 'm.onnx',
    tensors: [{ name: 'x', shape: [16], role: 'input', live: [0, 7], offset: 0 }],
    steps: nodes.map((node) => ({ node, op: node === 'if' ? 'If' : 'Conv' })),
    constants: ['r', 'w', 'u', 'v', 'f'].map((name) => ({ name, type: 'float32', shape: [4, 4] })),
  });
  const copy = (id: number, name: string, first: number, end: number): PlanBuffer => {
    return { ...plan.buffers[0]!, id, kind: 'copy', tensors: [name], offset: 64 * id, bytes: 64, first, end };
  };
  const weights: Readonly<Record<string, readonly string[]>> = { conv: ['w'], yes: ['u'], tail: ['v'] };
  const paths: Readonly<Record<string, string>> = { yes: 'if/yes', no: 'if/no' };
  const buffers: Readonly<Record<string, number>> = { r: 1, w: 2, u: 3, v: 4 };
  return {
    ...plan,
    steps: plan.steps.map((one) => ({
      ...one,
      path: paths[one.node] ?? '',
      ...(weights[one.node] && { weights: weights[one.node]! }),
    })),
    buffers: [
      ...plan.buffers,
      copy(1, 'r', 0, 7),
      copy(2, 'w', 0, 2),
      copy(3, 'u', 1, 5),
      copy(4, 'v', 2, 6),
    ],
    constants: plan.constants.map((one) => {
      const buffer = buffers[one.name];
      return buffer === undefined ? one : { ...one, place: 'ram', buffer };
    }),
  };
})();
const weight = (name: string, change: Partial<PlanConstant>, plan = PLAN): Plan => ({
  ...plan,
  constants: plan.constants.map((one) => (one.name === name ? { ...one, ...change } : one)),
});
const copy = (name: string, change: Partial<PlanBuffer>, plan = PLAN): Plan => ({
  ...plan,
  buffers: plan.buffers.map((one) => (one.tensors[0] === name ? { ...one, ...change } : one)),
});
const step = (node: string, change: Partial<PlanStep>): Plan => {
  return { ...PLAN, steps: PLAN.steps.map((one) => (one.node === node ? { ...one, ...change } : one)) };
};

describe('a weight', () => {
  const said = (plan: Plan) => texts(weightFaults(plan));

  it('that steps read from a copy has one, in its model', () => {
    expect(said(PLAN)).toEqual([]);
    const missing = (name: string) => [`last reads ${name} from a copy, but there is none.`];
    expect(said(step('last', { weights: ['f'] }))).toEqual(missing('f'));
    expect(said(step('last', { weights: ['r', 'gone'] }))).toEqual(missing('gone'));
    expect(said(step('last', { model: 1, weights: ['r'] }))).toEqual(missing('r'));
    expect(weightFaults(step('last', { weights: ['f'] }))).toMatchObject([{ node: 'last', tensor: 'f' }]);
  });

  it('that is said to lie in RAM has a copy there, and no other', () => {
    const wrong = (name: string, place: string) => [
      `Weight ${name} is said to lie in ${place}, but its copy says otherwise.`,
    ];
    expect(said(weight('r', { place: 'flash' }))).toEqual(wrong('r', 'flash'));
    expect(said(weight('f', { place: 'ram' }))).toEqual(wrong('f', 'ram'));
    expect(said(weight('r', { buffer: 0 }))).toEqual(wrong('r', 'ram'));
    expect(said(weight('f', { buffer: 0 }))).toEqual([]);
    expect(said(weight('r', { buffer: 77 }))).toEqual(wrong('r', 'ram'));
  });

  it('has the bytes of its type and shape', () => {
    expect(said(weight('f', { bytes: 63 }))).toEqual(['Weight f has 63 bytes; float32 of its shape has 64.']);
    expect(said(weight('f', { type: 'int4', shape: [3, 5], bytes: 8 }))).toEqual([]);
    expect(said(weight('f', { type: 'int4', shape: [3, 5], bytes: 7 }))).toEqual([
      'Weight f has 7 bytes; int4 of its shape has 8.',
    ]);
    expect(weightFaults(weight('f', { shape: [4, 5] }))).toMatchObject([{ tensor: 'f' }]);
  });

  it('that is packed has so many bits for each of its integers', () => {
    /** 35 weights of so many bits in so many bytes of flash. */
    const packed = (flashBytes: number, weightBits?: number, change: Partial<PlanConstant> = {}) => {
      const given = weight('f', { type: 'int8', shape: [5, 7], bytes: 35, flashBytes, ...change });
      const assumptions = { ...PLAN.assumptions, ...(weightBits !== undefined && { weightBits }) };
      return said({ ...given, assumptions });
    };
    const cannot = (bytes: number) => [`Weight f is said to take ${bytes} bytes of flash, which it cannot.`];
    expect(packed(18, 4)).toEqual([]);
    expect(packed(14, 3)).toEqual([]);
    expect(packed(17, 4)).toEqual(cannot(17));
    expect(packed(18)).toEqual(cannot(18));
    // As large as it is, or larger, it is not packed.
    expect(packed(35, 8)).toEqual(cannot(35));
    expect(packed(35)).toEqual(cannot(35));
    expect(packed(40, 9)).toEqual(cannot(40));
    const narrow = { uint4: 18, int4: 18, uint8: 35, int16: 70, uint16: 70 } as const;
    for (const [type, bytes] of Object.entries(narrow) as [keyof typeof narrow, number][]) {
      expect(packed(9, 2, { type, bytes })).toEqual([]);
    }
    const others = { float32: 140, int32: 140, int64: 280, bool: 35 } as const;
    for (const [type, bytes] of Object.entries(others) as [keyof typeof others, number][]) {
      expect(packed(9, 2, { type, bytes })).toEqual(cannot(9));
    }
    expect(packed(9, 2, { shape: [35] })).toEqual(cannot(9));
    expect(packed(9, 2, { place: 'ram', buffer: 1 })).toEqual(cannot(9));
    const named = weight('f', { type: 'int8', shape: [5, 7], bytes: 35, flashBytes: 1 });
    expect(weightFaults(named)).toMatchObject([{ tensor: 'f' }]);
  });
});

describe('a copy', () => {
  const said = (plan: Plan) => {
    const index = indexPlan(plan);
    return texts(plan.buffers.filter(({ kind }) => kind === 'copy').flatMap((one) => copyFaults(index, one)));
  };
  const NONE = 'is the copy of no weight.';
  const LATE = 'is not alive at every step that needs it.';

  it('is there at every step, or from the one before its readers to the last of them', () => {
    expect(said(PLAN)).toEqual([]);
    expect(said(copy('r', { first: 1 }))).toEqual([`Copy 1 ${LATE}`]);
    expect(said(copy('r', { end: 6 }))).toEqual([`Copy 1 ${LATE}`]);
    expect(said(copy('w', { first: 1 }))).toEqual([`Copy 2 ${LATE}`]);
    expect(said(copy('w', { end: 1 }))).toEqual([`Copy 2 ${LATE}`]);
    expect(said(copy('w', { end: 3 }))).toEqual([]);
    expect(said(copy('r', { gaps: [{ first: 3, end: 4, from: 0, to: 4 }] }))).toEqual([`Copy 1 ${LATE}`]);
  });

  it('that is brought comes at a step that runs, and stays through all bodies of its reader', () => {
    expect(said(copy('u', { end: 4 }))).toEqual([`Copy 3 ${LATE}`]);
    expect(said(copy('u', { first: 2 }))).toEqual([`Copy 3 ${LATE}`]);
    expect(said(copy('u', { first: 0 }))).toEqual([]);
    expect(said(copy('u', { first: 99, end: 100 }))).toEqual([`Copy 3 ${LATE}`]);
    expect(said(copy('v', { first: 3 }))).toEqual([`Copy 4 ${LATE}`]);
    expect(said(copy('v', { first: 1 }))).toEqual([]);
    // From a step in a branch on it would come too early for its readers, and perhaps not at all.
    expect(said(copy('v', { first: 4, end: 7 }, step('last', { weights: ['v'] })))).toEqual([
      `Copy 4 ${LATE}`,
    ]);
    const late = { ...step('last', { weights: ['v'] }) };
    const tailed = {
      ...late,
      steps: late.steps.map((one) => (one.node === 'tail' ? { ...one, weights: [] } : one)),
    };
    expect(said(copy('v', { first: 4, end: 7 }, tailed))).toEqual([`Copy 4 ${LATE}`]);
    expect(said(copy('v', { first: 5, end: 7 }, tailed))).toEqual([]);
    // Of several readers the first and the last count.
    const again = step('last', { weights: ['w'] });
    expect(said(again)).toEqual([`Copy 2 ${LATE}`]);
    expect(said(copy('w', { end: 7 }, again))).toEqual([]);
    expect(said(copy('w', { first: 1, end: 7 }, again))).toEqual([`Copy 2 ${LATE}`]);
    const first = step('head', { weights: ['w'] });
    expect(said(first)).toEqual([]);
    expect(said(copy('w', { first: 1 }, first))).toEqual([`Copy 2 ${LATE}`]);
  });

  it('is looked at where bodies are those of no node', () => {
    const steps = PLAN.steps.map((one) => ({ ...one, path: 'lost/body' }));
    expect(said({ ...PLAN, steps })).toEqual([`Copy 3 ${LATE}`, `Copy 4 ${LATE}`]);
  });

  it('is the copy of one weight, which says so', () => {
    expect(said(weight('r', { place: 'flash' }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(weight('r', { buffer: 77 }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(weight('f', { buffer: 1 }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(weight('r', { model: 1 }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(copy('r', { tensors: ['r', 'f'] }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(copy('r', { tensors: ['f'] }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(copy('r', { models: [0] }))).toEqual([]);
    expect(said(copy('r', { models: [1] }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(weight('r', { model: 1 }, copy('r', { models: [1] })))).toEqual([]);
  });

  it('has the bytes of its weight, and behind one that is brought the rest of a line', () => {
    expect(said(copy('r', { bytes: 96 }))).toEqual([`Buffer 1 ${NONE}`]);
    expect(said(copy('w', { bytes: 96 }))).toEqual([]);
    expect(said(copy('w', { bytes: 63 }))).toEqual([`Buffer 2 ${NONE}`]);
  });

  it('is brought for the steps of its own model, in a plan of one model', () => {
    expect(said(step('tail', { model: 1, weights: ['v'] }))).toEqual([`Copy 4 ${LATE}`]);
    const { run } = together([PLAN, PLAN]);
    expect(said({ ...PLAN, run: run! })).toEqual([`Copy 2 ${LATE}`, `Copy 3 ${LATE}`, `Copy 4 ${LATE}`]);
  });
});

describe('the lines of the cache behind weights that are brought', () => {
  const row = (
    tensor: string,
    at: PlanCache['at'],
    step: number,
    change: Partial<PlanCache> = {},
  ): PlanCache => {
    return { model: 0, tensor, at, step, operation: 'invalidate', ...change };
  };
  const ROWS = [
    row('w', 'before-bring', 0),
    row('w', 'after-wait', 1),
    row('u', 'before-bring', 1),
    row('u', 'after-wait', 2),
    row('v', 'before-bring', 2),
    row('v', 'after-wait', 5),
  ];
  const cached = (plan: Plan, cache: readonly PlanCache[] = ROWS): Plan => ({
    ...plan,
    cache,
    regions: plan.regions.map((one) => ({ ...one, cacheLine: 32, alignment: 64 })),
  });
  const said = (plan: Plan) => texts(broughtLineFaults(indexPlan(plan)));
  const rows = (...cache: readonly PlanCache[]) => said(cached(PLAN, cache));
  const needs = (name: string, what: string) =>
    `Weight ${name} needs its cache lines invalidated ${what}, and the schedule does not say so.`;
  const stray = (name: string, what: string) =>
    `The cache lines of ${name} are looked after ${what}, where it is not brought.`;

  it('are dropped before it comes and once it is there', () => {
    expect(rows(...ROWS)).toEqual([]);
    expect(rows(...ROWS.map((one) => ({ ...one, operation: 'clean-invalidate' as const })))).toEqual([]);
    expect(rows(...ROWS.slice(2))).toEqual([needs('w', 'before-bring 0'), needs('w', 'after-wait 1')]);
    expect(rows(...ROWS.slice(1))).toEqual([needs('w', 'before-bring 0')]);
    expect(rows({ ...ROWS[0]!, operation: 'clean' }, ...ROWS.slice(1))).toEqual([
      needs('w', 'before-bring 0'),
    ]);
    expect(rows(...ROWS.slice(0, 4), row('v', 'after-wait', 5), row('v', 'before-bring', 2))).toEqual([]);
    const early = row('w', 'before-bring', 1);
    expect(rows(early, ...ROWS.slice(1))).toEqual([
      needs('w', 'before-bring 0'),
      stray('w', 'before-bring 1'),
    ]);
    // Read by the first step of all, a weight comes and is there at one step.
    const head = cached(step('head', { weights: ['w'] }), [ROWS[0]!, ...ROWS.slice(2)]);
    expect(said(head)).toEqual([needs('w', 'after-wait 0')]);
    const { cache, ...silent } = cached(PLAN);
    expect(said(silent)).toHaveLength(6);
  });

  it('are dropped when it comes, wherever that is', () => {
    const late = cached(copy('v', { first: 0 }), [
      ...ROWS.slice(0, 4),
      row('v', 'before-bring', 0),
      ROWS[5]!,
    ]);
    expect(said(late)).toEqual([]);
  });

  it('are left alone at any other time', () => {
    for (const [at, when] of [
      ['before-bring', 1],
      ['after-wait', 0],
    ] as const) {
      expect(rows(...ROWS, row('w', at, when))).toEqual([stray('w', `${at} ${when}`)]);
    }
    expect(rows(...ROWS, row('r', 'before-bring', 0))).toEqual([stray('r', 'before-bring 0')]);
    expect(rows(...ROWS, row('f', 'after-wait', 1))).toEqual([stray('f', 'after-wait 1')]);
    expect(rows(...ROWS, row('gone', 'after-wait', 1))).toEqual([stray('gone', 'after-wait 1')]);
    expect(rows(...ROWS, row('w', 'after-wait', 1, { model: 1 }))).toEqual([stray('w', 'after-wait 1')]);
    // Rows of tensors are not looked at here.
    expect(
      rows(...ROWS, row('x', 'before-dma', 0), row('x', 'before-step', 0), row('x', 'after-step', 0)),
    ).toEqual([]);
  });

  it('are its own', () => {
    const shares = ['The copy of w shares lines of 32 bytes of the cache with others.'];
    expect(said(cached(copy('w', { offset: 144 })))).toEqual(shares);
    expect(said(cached(copy('w', { bytes: 80 })))).toEqual(shares);
    const plan = cached(PLAN);
    const low = { ...plan, regions: plan.regions.map((one) => ({ ...one, alignment: 16 })) };
    expect(said(low)).toEqual(
      ['w', 'u', 'v'].map((name) => `The copy of ${name} shares lines of 32 bytes of the cache with others.`),
    );
    // A copy that is made once needs none.
    expect(said(cached(copy('r', { offset: 72 })))).toEqual([]);
  });

  it('are none in memory that is not cached', () => {
    const uncached = { ...PLAN, cache: ROWS };
    expect(said({ ...PLAN, cache: [] })).toEqual([]);
    expect(said(copy('w', { offset: 144 }))).toEqual([]);
    expect(said(uncached)).toHaveLength(ROWS.length);
    expect(said(copy('w', { region: 'DTCM' }, cached(PLAN)))).toEqual([
      stray('w', 'before-bring 0'),
      stray('w', 'after-wait 1'),
    ]);
    const dtcm = { ...PLAN.regions[0]!, name: 'DTCM' };
    expect(said({ ...cached(PLAN), regions: [dtcm, ...cached(PLAN).regions] })).toEqual([]);
  });
});
