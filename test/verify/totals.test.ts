import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanGap, PlanRegion, PlanTotals } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { totalFaults } from '../../src/verify/totals.ts';
import { together } from '../support/joint-plans.ts';
import { AXISRAM, DTCM, planOf } from '../support/plans.ts';

const said = (plan: Plan): readonly string[] => totalFaults(indexPlan(plan)).map(({ text }) => text);

/**
 * Steps by hand, in bytes:
 *
 *     AXISRAM   x 16 at 0 in [0,1), z 32 at 16 in [0,3), s 24 at 48 in [1,2)   48  56  32   used 72
 *     DTCM      t 64 at 0 in [1,3), w 8 at 64 always                            8  72  72   used 72
 */
const PLAN = ((): Plan => {
  const plan = planOf({
    file: 'm.onnx',
    regions: [AXISRAM, DTCM],
    tensors: [
      { name: 'x', shape: [4], role: 'input', live: [0, 1], offset: 0 },
      { name: 'z', shape: [8], live: [0, 3], offset: 16 },
      { name: 's', shape: [6], role: 'scratch', live: [1, 2], offset: 48 },
      { name: 't', shape: [16], live: [1, 3], offset: 0, region: 'DTCM' },
      { name: 'out', shape: [5], role: 'output', live: [2, 3], offset: null },
    ],
    inputs: ['x'],
    outputs: ['out', 'u'],
    constants: [
      { name: 'u', type: 'int8', shape: [10] },
      { name: 'w', type: 'int8', shape: [8] },
    ],
  });
  const copy: PlanBuffer = {
    ...plan.buffers[3]!,
    ...{ id: 9, kind: 'copy', tensors: ['w'], offset: 64, bytes: 8, first: 0, end: 3 },
  };
  const [live, scratch] = [
    [48 + 8, 56 + 72, 32 + 72],
    [0, 24, 0],
  ];
  const [axisram, dtcm] = plan.regions;
  return {
    ...plan,
    fits: true,
    steps: plan.steps.map((one, at) => ({ ...one, liveBytes: live[at]!, scratchBytes: scratch[at]! })),
    buffers: [...plan.buffers, copy],
    regions: [
      { ...axisram!, used: 72, lowerBound: 56, optimal: false, peak: { step: 1, bytes: 56 } },
      { ...dtcm!, used: 72, lowerBound: 72, optimal: true, peak: { step: 2, bytes: 72 } },
    ],
    peak: { step: 1, bytes: 128, tensors: ['z', 's', 't'] },
    totals: {
      ...{ arenaBytes: 144, lowerBoundBytes: 128, optimal: false, noReuseBytes: 16 + 32 + 24 + 64 + 8 },
      ...{ weightBytes: 18, copyBytes: 8, scratchBytes: 24, inputBytes: 16, outputBytes: 20 + 10 },
      complete: true,
    },
  };
})();
const totals = (change: Partial<PlanTotals>, plan = PLAN): Plan => ({
  ...plan,
  totals: { ...plan.totals, ...change },
});
const region = (at: number, change: Partial<PlanRegion>): Plan => ({
  ...PLAN,
  regions: PLAN.regions.map((one, i) => (i === at ? { ...one, ...change } : one)),
});

describe('the figures of a plan', () => {
  it('add up', () => {
    expect(said(PLAN)).toEqual([]);
  });

  it.each(
    Object.entries(PLAN.totals).flatMap(([name, is]) => (typeof is === 'number' ? [{ name, is }] : [])),
  )('totals.$name', ({ name, is }) => {
    expect(said(totals({ [name]: is + 1 }))).toEqual([
      `totals.${name} is stated as ${is + 1}, but comes to ${is}.`,
    ]);
  });

  it('need copies only where there are some', () => {
    const { copyBytes, ...others } = PLAN.totals;
    expect(said({ ...PLAN, totals: others })).toEqual(['totals.copyBytes is stated as 0, but comes to 8.']);
  });

  it('are optimal when every region is', () => {
    expect(said(totals({ optimal: true }))).toEqual([
      'totals.optimal is stated as true, but comes to false.',
    ]);
  });

  it('of each step are its own', () => {
    const steps = (change: object) => PLAN.steps.map((one, at) => (at === 1 ? { ...one, ...change } : one));
    expect(said({ ...PLAN, steps: steps({ liveBytes: 1 }) })).toEqual([
      'liveBytes of step 1 is stated as 1, but comes to 128.',
    ]);
    expect(said({ ...PLAN, steps: steps({ scratchBytes: 25 }) })).toEqual([
      'scratchBytes of step 1 is stated as 25, but comes to 24.',
      'totals.scratchBytes is stated as 24, but comes to 25.',
    ]);
  });

  it('of the peak are the largest, at its step, with all that lives there', () => {
    const peak = (change: Partial<Plan['peak']>) => said({ ...PLAN, peak: { ...PLAN.peak, ...change } });
    const tensors = 'The list of tensors at the peak is stated as';
    expect(peak({ bytes: 129 })).toEqual([
      'The peak is stated as 129, but comes to 128.',
      'The live bytes at the peak step 1 is stated as 128, but comes to 129.',
    ]);
    expect(peak({ step: 2, tensors: ['z', 't'] })).toEqual([
      'The live bytes at the peak step 2 is stated as 104, but comes to 128.',
    ]);
    expect(peak({ step: 0, tensors: ['x', 'z'] })).toEqual([
      'The live bytes at the peak step 0 is stated as 56, but comes to 128.',
    ]);
    expect(peak({ tensors: ['t', 'z', 's'] })).toEqual([]);
    expect(peak({ tensors: ['z', 't'] })).toEqual([`${tensors} 0:t,0:z, but comes to 0:s,0:t,0:z.`]);
    expect(peak({ models: [0, 0, 1] })).toEqual([`${tensors} 0:s,0:z,1:t, but comes to 0:s,0:t,0:z.`]);
  });

  it('of nothing are nothing, at a step that is there', () => {
    const nothing = planOf({ file: 'm.onnx', tensors: [], steps: [{ node: 'n', op: 'Constant' }] });
    expect(said(nothing)).toEqual([]);
    expect(said({ ...nothing, peak: { ...nothing.peak, step: 1 } })).toEqual([
      'The live bytes at the peak step 1 is stated as undefined, but comes to 0.',
    ]);
  });

  it('of inputs and outputs are those of all models, of buckets those of the largest', () => {
    const both = together([PLAN, PLAN]);
    const list = [{ sizes: [] }, { sizes: [] }];
    const said2 = (change: Partial<PlanTotals>, buckets?: Plan['buckets']) =>
      said({ ...totals(change, both), ...(buckets && { buckets }) }).filter((text) => /put/.test(text));
    // A constant output is one of the first model.
    expect(said2({ inputBytes: 32, outputBytes: 20 + 10 + 20 })).toEqual([]);
    expect(said2({ inputBytes: 16, outputBytes: 20 + 10 }, list)).toEqual([]);
  });
});

describe('what gaps leave free', () => {
  const gap = (first: number, end: number, from: number, to: number): PlanGap => ({ first, end, from, to });
  /** Live bytes by step of one buffer of 100 bytes in [1,5) of six steps. */
  const live = (...gaps: readonly PlanGap[]): string => {
    const plan = planOf({
      file: 'm.onnx',
      tensors: [
        { name: 't', shape: [25], live: [1, 5], offset: 0 },
        { name: 'out', shape: [1], live: [0, 6], offset: null },
      ],
    });
    const buffers = plan.buffers.map((one) => ({ ...one, gaps }));
    const steps = plan.steps.map((one) => ({ ...one, liveBytes: -1 }));
    return said({ ...plan, buffers, steps })
      .flatMap((text) => /^liveBytes .* comes to (.*)\.$/.exec(text)?.[1] ?? [])
      .join(' ');
  };

  it('does not count while it is free', () => {
    expect(live()).toBe('0 100 100 100 100 0');
    expect(live(gap(2, 4, 0, 30))).toBe('0 100 70 70 100 0');
    expect(live(gap(1, 5, 10, 30))).toBe('0 80 80 80 80 0');
    expect(live(gap(2, 3, 0, 100))).toBe('0 100 0 100 100 0');
  });

  it('counts once where gaps overlap, whatever their order', () => {
    expect(live(gap(3, 4, 9, 100), gap(2, 4, 0, 10))).toBe('0 100 90 0 100 0');
    expect(live(gap(2, 4, 0, 10), gap(2, 3, 20, 30))).toBe('0 100 80 90 100 0');
    expect(live(gap(2, 4, 0, 50), gap(2, 4, 10, 20))).toBe('0 100 50 50 100 0');
  });

  it('is no more than the buffer, nor longer than its life', () => {
    expect(live(gap(2, 3, 90, 200))).toBe('0 100 90 100 100 0');
    expect(live(gap(0, 2, 0, 10), gap(4, 6, 0, 20))).toBe('0 90 100 100 80 0');
  });
});

describe('the figures of a region', () => {
  it('are those of its buffers', () => {
    expect(said(region(0, { used: 80 }))).toContain(
      'AXISRAM is said to use 80 bytes, but its buffers end at 72.',
    );
    const peak = (step: number, bytes: number) => said(region(0, { peak: { step, bytes } }));
    expect(peak(1, 57)).toEqual(['The peak of AXISRAM is not 57 bytes at step 1.']);
    expect(peak(0, 48)).toEqual(['The peak of AXISRAM is not 48 bytes at step 0.']);
    expect(peak(2, 56)).toEqual(['The peak of AXISRAM is not 56 bytes at step 2.']);
  });

  it('begin at a multiple of what every buffer wants', () => {
    expect(said(region(0, { alignment: 16 }))).toEqual([]);
    expect(said(region(0, { alignment: 24 }))).toEqual([
      'Buffer 0 wants alignment 16, but AXISRAM starts at 24.',
      'Buffer 1 wants alignment 16, but AXISRAM starts at 24.',
      'Buffer 2 wants alignment 16, but AXISRAM starts at 24.',
    ]);
  });

  it('are called optimal where they reach the bound, and nowhere else', () => {
    const bound = (at: number, lowerBound: number, optimal: boolean) =>
      said(region(at, { lowerBound, optimal })).filter((text) => !text.startsWith('totals'));
    const called = (name: string, least: number, optimal: boolean) =>
      `${name} uses 72 bytes with a lower bound of ${least}, called optimal: ${optimal}.`;
    expect(bound(0, 56, true)).toEqual([called('AXISRAM', 56, true)]);
    expect(bound(0, 72, true)).toEqual([]);
    expect(bound(1, 72, false)).toEqual([called('DTCM', 72, false)]);
    expect(bound(1, 73, false)).toEqual([called('DTCM', 73, false)]);
    expect(bound(1, 73, true)).toEqual([called('DTCM', 73, true)]);
  });

  it('keep tensors from address 0', () => {
    expect(said(region(0, { origin: 0 }))).toEqual([
      'AXISRAM begins at address 0, and nothing keeps tensors from it.',
    ]);
    expect(said(region(0, { origin: 0, reserved: 4 }))).toEqual([]);
    const empty = { ...PLAN.regions[0]!, name: 'EMPTY', origin: 0, capacity: 4 };
    const unused = { used: 0, lowerBound: 0, optimal: true, peak: { step: 0, bytes: 0 } };
    expect(said({ ...PLAN, regions: [...PLAN.regions, { ...empty, ...unused }] })).toEqual([]);
  });
});

describe('whether a plan fits', () => {
  const over = ['The plan is said to fit, but exceeds AXISRAM.'];
  const errors = (fits: boolean) => [`The plan says fits: ${fits}, its errors say otherwise.`];
  const gate = (code: string) =>
    ({ code, kind: 'error', text: '' }) as unknown as Plan['diagnostics'][number];
  const whether = (plan: Plan, fits: boolean, ...codes: readonly string[]) =>
    said({ ...plan, fits, diagnostics: codes.map(gate) });

  it('is a matter of each region with what is reserved in it', () => {
    expect(whether(region(0, { capacity: 72 }), true)).toEqual([]);
    expect(whether(region(0, { capacity: 71 }), true)).toEqual(over);
    expect(whether(region(0, { capacity: 100, reserved: 28 }), true)).toEqual([]);
    expect(whether(region(0, { capacity: 100, reserved: 29 }), true)).toEqual(over);
    expect(whether(region(0, { capacity: null }), true)).toEqual([]);
  });

  it('is what its errors say', () => {
    for (const code of ['E_OVER_CAPACITY', 'E_OVER_BUDGET', 'E_OVER_FLASH']) {
      expect(whether(PLAN, false, code)).toEqual([]);
      expect(whether(PLAN, true, code)).toEqual(errors(true));
    }
    expect(whether(PLAN, false)).toEqual(errors(false));
    expect(whether(PLAN, false, 'W_ESTIMATE')).toEqual(errors(false));
    expect(whether(PLAN, false, 'W_ESTIMATE', 'E_OVER_FLASH')).toEqual([]);
    expect(whether(region(0, { capacity: 71 }), false)).toEqual(errors(false));
    expect(whether(region(0, { capacity: 71 }), false, 'E_OVER_CAPACITY')).toEqual([]);
  });
});

describe('the addresses of two regions', () => {
  const shared = ['Regions AXISRAM and DTCM share addresses.'];
  /** AXISRAM of 256 bytes at 0x1000. */
  const second = (change: Partial<PlanRegion>, first: Partial<PlanRegion> = {}) => {
    const one = { ...PLAN.regions[0]!, origin: 0x1000, capacity: 256, ...first };
    return said({ ...PLAN, regions: [one, { ...PLAN.regions[1]!, ...change }] });
  };

  it('are apart', () => {
    expect(second({ origin: 0x1100, capacity: 128 })).toEqual([]);
    expect(second({ origin: 0x10ff, capacity: 128 })).toEqual(shared);
    expect(second({ origin: 0x1000 - 128, capacity: 128 })).toEqual([]);
    expect(second({ origin: 0x1001 - 128, capacity: 128 })).toEqual(shared);
  });

  it('end with what is used where the capacity is not known', () => {
    expect(second({ origin: 0x1048, capacity: null }, { capacity: null })).toEqual([]);
    expect(second({ origin: 0x1047, capacity: null }, { capacity: null })).toEqual(shared);
    expect(second({ origin: 0x1000 - 72, capacity: null }, { capacity: null })).toEqual([]);
    expect(second({ origin: 0x1001 - 72, capacity: null }, { capacity: null })).toEqual(shared);
  });

  it('may not be known', () => {
    expect(second({ origin: null })).toEqual([]);
    expect(second({ origin: 0x1000 }, { origin: null })).toEqual([]);
    expect(second({ origin: 0x10, capacity: 256 }, { origin: null })).toEqual([]);
    expect(second({ origin: null }, { origin: 0x10 })).toEqual([]);
  });
});
