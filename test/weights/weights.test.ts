import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { liveAt, liveName } from '../../src/report/live.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';
import { planSeveral } from '../support/several.ts';
import { missing, twoAtATime } from '../support/tools.ts';

const weight = (...shape: number[]) => ({ shape, weight: true }) as const;

/**
 * Bytes: x 4 x 3 x 8 x 8 = 768, a 4 x 4 x 8 x 8 = 1024, f 1024, y 40; weights k 432 (64 positions), b 16 (64), m 10240
 * (one row), s 1024 (once).
 */
const NET: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: {
    x: [1, 3, 8, 8],
    k: weight(4, 3, 3, 3),
    b: weight(4),
    a: [1, 4, 8, 8],
    s: weight(1, 4, 8, 8),
    f: [1, 256],
    m: weight(256, 10),
    y: [1, 10],
  },
  nodes: ['Conv x k b -> a', 'Other a s -> f', 'MatMul f m -> y'],
};

const made = (options: Partial<PlanRequest>, sketch = NET): Plan => {
  const plan = planSketch(sketch, { align: 16, ...options });
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
};
const places = (plan: Plan) => Object.fromEntries(plan.constants.map(({ name, place }) => [name, place]));

describe('weights', () => {
  it('in flash cost no RAM', () => {
    const plan = made({});
    // f and a, the fullest step: 2048.
    expect(plan.totals).toMatchObject({ arenaBytes: 2048, weightBytes: 11712 });
    expect(plan.constants.every(({ accesses }) => accesses === undefined)).toBe(true);
  });

  it('in RAM lie above what is planned, at all steps', () => {
    const plan = made({ weights: 'ram' });
    expect(new Set(Object.values(places(plan)))).toEqual(new Set(['ram']));
    expect(plan.totals).toMatchObject({ weightBytes: 11712, copyBytes: 11712, arenaBytes: 2048 + 11712 });
    expect(
      plan.buffers.filter(({ kind }) => kind === 'copy').every(({ first, end }) => first === 0 && end === 3),
    ).toBe(true);
    expect(plan.steps.map(({ liveBytes }) => liveBytes)).toEqual([1792 + 11712, 2048 + 11712, 1064 + 11712]);
  });

  it('are read as often as positions and rows ask for', () => {
    const accesses = Object.fromEntries(
      made({ weights: 'ram' }).constants.map((one) => [one.name, one.accesses]),
    );
    expect(accesses).toEqual({ k: 432 * 64, b: 16 * 64, m: 10240, s: 1024 });
  });

  it('that are read most for each byte come first where room is short', () => {
    // 512 KiB less the reserve leave 600 bytes above the arena of 2048.
    const reserve = new Map([['AXISRAM', 512 * 1024 - 2048 - 600]]);
    const plan = made({ weights: 'hybrid', reserve, regions: ['AXISRAM'] });
    expect(places(plan)).toEqual({ k: 'ram', b: 'ram', s: 'flash', m: 'flash' });
    expect(plan.fits).toBe(true);
    expect(made({ weights: 'ram', reserve, regions: ['AXISRAM'] }).fits).toBe(false);
  });

  it('go into the fastest memory with room', () => {
    const plan = made({ weights: 'hybrid' });
    const fastest = Math.min(...plan.regions.map(({ speedRank }) => speedRank!));
    const copies = plan.buffers.filter(({ kind }) => kind === 'copy');
    for (const { region } of copies)
      expect(plan.regions.find(({ name }) => name === region)!.speedRank).toBe(fastest);
  });

  it('leave bytes free behind all but the topmost, which no packing can use', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [4], p: weight(5), q: weight(9), y: [4] },
      nodes: ['Other x p q -> y'],
    };
    // q 36, then p 20, each at a multiple of 16: 48 + 20. In the other order it would be 32 + 36.
    const plan = made({ weights: 'ram' }, sketch);
    const copies = plan.buffers.find(({ kind }) => kind === 'copy')!;
    expect(liveAt(plan, 0).map(liveName)).toEqual(['copy of q', 'copy of p', 'x', 'y']);
    expect(plan.regions.find(({ name }) => name === copies.region)).toMatchObject({
      ...{ used: 68, lowerBound: 68, optimal: true },
      peak: { bytes: 56 },
    });
  });

  it('of several models are copied for each', () => {
    const plan = planSeveral([NET, NET], { weights: 'ram', run: 'concurrent' });
    expect(verifyPlan(plan)).toEqual([]);
    expect(plan.totals.copyBytes).toBe(2 * 11712);
  });

  it('larger than the flash fail the gate', () => {
    expect(made({ flash: 11712 }).fits).toBe(true);
    const plan = made({ flash: 11711 });
    expect(plan.fits).toBe(false);
    expect(plan.diagnostics.find(({ code }) => code === 'E_OVER_FLASH')!.text).toMatch(
      /1 more than the flash/,
    );
  });
});

describe('the checker of copies', () => {
  const plan = made({ weights: 'ram', regions: ['AXISRAM'] });
  const said = (damaged: Plan) =>
    verifyPlan(sealed(damaged))
      .map(({ text }) => text)
      .join('\n');
  const copy = plan.buffers.find(({ kind }) => kind === 'copy')!;
  const change = (more: object) => ({
    ...plan,
    buffers: plan.buffers.map((one) => (one === copy ? { ...one, ...more } : one)),
  });
  it.each([
    ['a copy that ends', change({ end: 2 }), /not alive at every step/],
    ['a copy on an activation', change({ offset: 0 }), /hold the same byte/],
    ['a copy that is too short', change({ bytes: copy.bytes - 4 }), /the copy of no weight/],
    ['a copy of another name', change({ tensors: ['x'] }), /the copy of no weight/],
    [
      'a weight without its copy',
      { ...plan, constants: plan.constants.map(({ buffer: _, ...one }) => one) },
      /said to lie in ram/,
    ],
    ['other totals', { ...plan, totals: { ...plan.totals, copyBytes: 0 } }, /totals.copyBytes/],
  ])('finds %s', (_, damaged, text) => {
    expect(said(damaged as Plan)).toMatch(text);
  });
});

describe.skipIf(missing(...PROGRAMS) !== undefined)('the C of copies', () => {
  it.each([{}, { arena: 'pointer' as const }])('compiles without a warning: %j', async (options) => {
    const body =
      '#include "tensor_memory_pool.h"\n#if SKETCH_COPY_COUNT != 4u\n#error "count"\n#endif\n' +
      'void use(const void *from);\nvoid use(const void *from)\n{\n' +
      '    const void *sources[SKETCH_COPY_COUNT] = { from, from, from, from };\n    sketch_load_weights(sources);\n}\n';
    const dir = generated(made({ weights: 'ram' }), options, [
      { name: 'use.c', text: body },
      { name: 'use.cpp', text: body },
    ]);
    const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
      compile(compiler, dir, compiler.language === 'c' ? ['tensor_memory_pool.c', 'use.c'] : ['use.cpp']),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });
});
