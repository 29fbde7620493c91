import { describe, expect, it } from 'vitest';
import type { MemplanError } from '../../src/errors.ts';
import { planHash } from '../../src/plan/hash.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';

const W = { shape: [2, 3], weight: true } as const;

/**
 * float32: x 40, a 160, b 160 (in place of a), y 24, the half-width h 5, bytes; w and f are weights of 24 and 12 bytes;
 * unused is read by nobody, s only by a folded node.
 */
const SKETCH: GraphSketch = {
  inputs: ['x'],
  outputs: ['y', 'f'],
  tensors: {
    x: [10],
    w: W,
    unused: W,
    s: W,
    f: [3],
    a: [40],
    b: [40],
    h: { type: 'uint8', shape: [5] },
    y: [6],
  },
  nodes: [
    { run: 'Neg s -> f', folded: true },
    'Conv x w -> a',
    'Relu a -> b',
    'Conv b w -> h',
    'Conv h f -> y',
  ],
};

describe('the assembled plan', () => {
  const plan = planSketch(SKETCH, { align: 8 });

  it('lists steps without the folded node, and what they read and write', () => {
    expect(plan.steps.map(({ op, reads, writes, liveBytes }) => [op, reads, writes, liveBytes])).toEqual([
      ['Conv', ['x'], ['a'], 200],
      ['Relu', ['a'], ['b'], 160],
      ['Conv', ['b'], ['h'], 165],
      ['Conv', ['h'], ['y'], 29],
    ]);
  });

  it('lists inputs first, then tensors in the order of their steps', () => {
    expect(plan.tensors.map(({ name, role, how, aliasOf }) => [name, role, how, aliasOf])).toEqual([
      ['x', 'input', 'own', null],
      ['a', 'activation', 'own', null],
      ['b', 'activation', 'in-place', 'a'],
      ['h', 'activation', 'own', null],
      ['y', 'output', 'own', null],
    ]);
  });

  it('lists the constants that are read or given back, and no others', () => {
    expect(plan.constants.map(({ name, bytes, place }) => [name, bytes, place])).toEqual([
      ['w', 24, 'flash'],
      ['f', 12, 'flash'],
    ]);
  });

  it('adds up', () => {
    expect(plan.totals).toEqual({
      arenaBytes: 200,
      lowerBoundBytes: 200,
      optimal: true,
      noReuseBytes: 40 + 160 + 5 + 24,
      weightBytes: 36,
      scratchBytes: 0,
      inputBytes: 40,
      outputBytes: 24 + 12,
      complete: false,
    });
    expect(plan.peak).toEqual({ step: 0, bytes: 200, tensors: ['x', 'a'] });
  });

  it('says where the arena lies and how its base is aligned: to whole cache lines', () => {
    expect(plan.regions).toEqual([
      expect.objectContaining({
        ...{ name: 'AXISRAM', c: 'AXISRAM', origin: 0x24000000, capacity: 524288, reserved: 0 },
        ...{ used: 200, alignment: 32, lowerBound: 200, optimal: true, peak: { step: 0, bytes: 200 } },
      }),
    ]);
    expect(planSketch(SKETCH, { align: 128 }).regions[0]?.alignment).toBe(128);
    expect(planSketch(SKETCH, { align: 8, regions: ['DTCM'] }).regions[0]?.alignment).toBe(8);
  });

  it('keeps a tensor from address 0', () => {
    const [region] = planSketch(SKETCH, { regions: ['ITCM'] }).regions;
    expect(region).toMatchObject({ origin: 0, reserved: 16 });
  });

  it('names inputs and outputs by position, with the target in full', () => {
    expect(plan.models[0]).toMatchObject({
      inputs: ['x'],
      outputs: ['y', 'f'],
      opset: { 'ai.onnx': 17 },
      nodes: 5,
    });
    expect(plan.target).toEqual({ id: 'stm32h743zi', core: 'cortex-m7' });
  });
});

describe('the hash of a plan', () => {
  const plan = planSketch(SKETCH);

  it('is the same for the same plan, whatever is said about it', () => {
    expect(planSketch(SKETCH).planHash).toBe(plan.planHash);
    expect(planHash({ ...plan, diagnostics: [], fits: false })).toBe(plan.planHash);
    const [region] = plan.regions;
    expect(planHash({ ...plan, regions: [{ ...region!, strategy: 'another' }] })).toBe(plan.planHash);
    expect(planHash(JSON.parse(JSON.stringify(plan)))).toBe(plan.planHash);
  });

  it.each([
    ['an offset', { tensors: plan.tensors.map((t) => ({ ...t, offset: 32 })) }],
    ['a read', { steps: plan.steps.map((s) => ({ ...s, reads: [] })) }],
    ['an assumption', { assumptions: { ...plan.assumptions, preserveInputs: true } }],
    ['the target', { target: { ...plan.target, id: 'other' } }],
    ['a reserve', { regions: plan.regions.map((r) => ({ ...r, reserved: 1 })) }],
  ])('changes with %s', (_, change) => {
    expect(planHash({ ...plan, ...change })).not.toBe(plan.planHash);
  });
});

const saidBy = (options: Partial<PlanRequest>, sketch = SKETCH) => {
  const { fits, diagnostics } = planSketch(sketch, options);
  return { fits, said: diagnostics.map(({ code, text, hint }) => `${code}: ${text} ${hint ?? ''}`) };
};

describe('the gates', () => {
  it('let a plan pass that fills its region to the last byte', () => {
    const { fits, said } = saidBy({ align: 8, reserve: new Map([['AXISRAM', 524288 - 200]]) });
    expect(fits).toBe(true);
    expect(said.join()).not.toContain('E_');
  });

  it('stop one that is a byte too large, with what is missing, the peak, and whether anything could help', () => {
    const { fits, said } = saidBy({
      align: 8,
      regions: ['AXISRAM'],
      reserve: new Map([['AXISRAM', 524288 - 199]]),
    });
    expect(fits).toBe(false);
    expect(said[0]).toBe(
      'E_OVER_CAPACITY: The arena needs 200 bytes, but AXISRAM of stm32h743zi has 524288 less 524089 reserved: ' +
        '1 bytes are missing. The peak is step 0, Conv conv_1, with 200 bytes live: a (160), x (40). ' +
        'No plan with this order of steps can fit: the lower bound is 200. ' +
        'Nor can one in another order: step 0, Conv conv_1, alone needs 200. ' +
        'It would fit DTCM (131072 bytes): --region DTCM.',
    );
  });

  it('name a tensor that no region could hold', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [4], y: [200000] },
      nodes: ['Tile x -> y'],
    };
    expect(saidBy({}, sketch).said[0]).toMatch(
      /Tensor y of Tile tile_0 alone \(800000\) exceeds every region, the largest being AXISRAM \(524288\)\./,
    );
  });

  it.each([
    [200, true],
    [199, false],
  ])('hold a budget of %i bytes: %s', (bytes, passes) => {
    for (const name of ['', 'AXISRAM']) {
      const { fits, said } = saidBy({ align: 8, budget: new Map([[name, bytes]]) });
      expect(fits).toBe(passes);
      expect(
        said.some((line) => /E_OVER_BUDGET: The arena needs 200 bytes.*1 over the budget of 199/.test(line)),
      ).toBe(!passes);
    }
  });

  it('say that an unknown capacity is not gated, and that scratch is not counted', () => {
    const { fits, said } = saidBy({ target: 'cortex-m7' });
    expect(fits).toBe(true);
    expect(said.map((line) => line.split(':')[0])).toEqual(['W_CAPACITY_UNKNOWN', 'W_SCRATCH']);
  });

  it('ask for a reserve where the stack lies, until there is one', () => {
    const codes = (options: Partial<PlanRequest>) => saidBy({ target: 'nrf52840', ...options }).said.join();
    expect(codes({})).toContain('N_STACK_SHARES');
    expect(codes({ reserve: new Map([['RAM', 16384]]) })).not.toContain('N_STACK_SHARES');
  });

  it('warn below the width of an element, once, naming the widest', () => {
    const { said } = saidBy({ align: 2 });
    expect(said.filter((line) => line.startsWith('W_ALIGNMENT'))).toEqual([
      expect.stringMatching(
        /multiples of 2, but the float32 elements of x and 3 more are 4 bytes wide.*--align 4/,
      ),
    ]);
    expect(saidBy({ align: 4 }).said.join()).not.toContain('W_ALIGNMENT');
  });

  it('say when an option changes nothing', () => {
    const { said } = saidBy({
      regions: ['AXISRAM'],
      reserve: new Map([['DTCM', 1]]),
      budget: new Map([['SRAM1', 1]]),
    });
    expect(said.filter((line) => line.startsWith('N_OPTION_HAS_NO_EFFECT'))).toHaveLength(2);
    expect(saidBy({ keep: ['f', 'a'] }).said.filter((line) => line.includes('--keep'))).toEqual([
      'N_OPTION_HAS_NO_EFFECT: --keep f: a constant keeps its bytes anyway. ',
    ]);
  });
});

describe('what cannot be planned', () => {
  const codesOf = (run: () => unknown): readonly string[] => {
    try {
      run();
      return [];
    } catch (error) {
      expect((error as MemplanError).exitCode).toBe(2);
      return (error as MemplanError).diagnostics.map(({ code, text }) => `${code} ${text}`);
    }
  };

  it('a region or a tensor that is not there', () => {
    expect(codesOf(() => planSketch(SKETCH, { regions: ['SRAM9'] }))).toEqual([
      'E_TARGET stm32h743zi has no region SRAM9.',
    ]);
    expect(codesOf(() => planSketch(SKETCH, { reserve: new Map([['RAM', 1]]) }))).toHaveLength(1);
    expect(codesOf(() => planSketch(SKETCH, { keep: ['p', 'x', 'q'] }))).toEqual([
      'E_USAGE --keep p: the model has no tensor of this name.',
      'E_USAGE --keep q: the model has no tensor of this name.',
    ]);
  });
});
