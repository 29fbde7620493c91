import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { mpuRegion, mpuRoom } from '../../src/place/mpu.ts';
import type { Rule } from '../../src/place/rule-types.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';

/** float32: x 400, a 1,000, b 1,000 (in the bytes of a), c 404, y 40 bytes. */
const NET: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [100], a: [250], b: [250], c: [101], y: [10] },
  nodes: ['Conv x -> a', 'Relu a -> b', 'Conv b -> c', 'Conv c x -> y'],
};

const planned = (rules: readonly Rule[], options: Partial<PlanRequest> = {}) => {
  const plan = planSketch(NET, { ...options, rules });
  expect(verifyPlan(plan)).toEqual([]);
  const tensor = (name: string) => plan.tensors.find((t) => t.name === name)!;
  return { plan, tensor, buffer: (name: string) => plan.buffers[tensor(name).buffer!]! };
};

const refused = (rules: readonly Rule[], options: Partial<PlanRequest> = {}): string => {
  try {
    planSketch(NET, { ...options, rules });
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    expect(error.exitCode).toBe(2);
    expect(new Set(error.diagnostics.map(({ code }) => code))).toEqual(new Set(['E_RULE']));
    return error.diagnostics.map(({ text }) => text).join('\n');
  }
  return 'nothing was refused';
};

describe('--pin and --forbid', () => {
  it('put a tensor where they say, and leave the others where they were', () => {
    const { tensor, plan } = planned([{ kind: 'pin', tensor: 'c', region: 'DTCM', offset: 4096 }]);
    expect(tensor('c')).toMatchObject({ region: 'DTCM', offset: 4096 });
    expect(plan.regions.find(({ name }) => name === 'DTCM')?.used).toBe(4096 + 404);
    expect(plan.placement?.buffers.find(({ buffer }) => buffer === tensor('c').buffer)?.why).toBe('rule');
  });

  it('pin what shares the bytes of the tensor with it', () => {
    const { tensor } = planned([{ kind: 'pin', tensor: 'b', region: 'SRAM1', offset: 64 }]);
    expect([tensor('a'), tensor('b')].map(({ region, offset }) => [region, offset])).toEqual([
      ['SRAM1', 64],
      ['SRAM1', 64],
    ]);
  });

  it('may name a memory that nothing else is put into', () => {
    const { plan, tensor } = planned([{ kind: 'pin', tensor: 'y', region: 'BKPSRAM' }]);
    expect(tensor('y').region).toBe('BKPSRAM');
    expect(plan.tensors.filter(({ region }) => region === 'BKPSRAM')).toHaveLength(1);
  });

  it('keep a tensor out of a region', () => {
    expect(planned([{ kind: 'forbid', tensor: 'x', region: 'AXISRAM' }]).tensor('x').region).toBe('DTCM');
    const fastest = { place: 'fastest' } as const;
    expect(planned([], fastest).tensor('x').region).toBe('DTCM');
    expect(planned([{ kind: 'forbid', tensor: 'x', region: 'DTCM' }], fastest).tensor('x').region).toBe(
      'AXISRAM',
    );
  });
});

describe('--align-tensor and --slack', () => {
  it('hold for the one tensor', () => {
    const { tensor, buffer, plan } = planned([
      { kind: 'align', tensor: 'c', bytes: 256 },
      { kind: 'slack', tensor: 'c', bytes: 12 },
    ]);
    expect(tensor('c').offset! % 256).toBe(0);
    expect(buffer('c').bytes).toBe(404 + 12);
    expect(plan.regions[0]?.alignment).toBe(256);
    expect(buffer('x').alignment).toBe(16);
  });
});

describe('--dma', () => {
  const whole = (rules: readonly Rule[], name: string, options: Partial<PlanRequest> = {}) => {
    const { tensor, buffer, plan } = planned(rules, options);
    const { bytes, alignment } = buffer(name);
    return {
      region: tensor(name).region,
      bytes,
      alignment,
      cache: plan.cache?.map((row) => [row.at, row.step, row.operation]),
    };
  };

  it('gives an input whole cache lines where there is a cache, and says when they are dropped', () => {
    expect(whole([{ kind: 'dma', tensor: 'x', engine: 'DMA1' }], 'x')).toEqual({
      ...{ region: 'AXISRAM', bytes: 416, alignment: 32 },
      cache: [
        ['before-dma', 0, 'invalidate'],
        ['before-step', 0, 'invalidate'],
      ],
    });
  });

  it('leaves sizes as they are in memory that is not cached', () => {
    const pin: Rule = { kind: 'pin', tensor: 'x', region: 'DTCM' };
    expect(whole([{ kind: 'dma', tensor: 'x', engine: 'MDMA' }, pin], 'x')).toEqual({
      ...{ region: 'DTCM', bytes: 400, alignment: 16, cache: undefined },
    });
    expect(whole([{ kind: 'dma', tensor: 'x' }], 'x', { target: 'stm32f407' })).toMatchObject({
      ...{ bytes: 400, cache: undefined },
    });
  });

  it('keeps within the reach of the engine: BDMA of the H7 reaches SRAM4 alone', () => {
    expect(whole([{ kind: 'dma', tensor: 'y', engine: 'BDMA' }], 'y')).toEqual({
      ...{ region: 'SRAM4', bytes: 64, alignment: 32 },
      cache: [['after-step', 3, 'clean']],
    });
    const fastest = { place: 'fastest' } as const;
    expect(whole([{ kind: 'dma', tensor: 'x', engine: 'DMA2' }], 'x', fastest).region).toBe('AXISRAM');
    expect(whole([{ kind: 'dma', tensor: 'x', engine: 'MDMA' }], 'x', fastest).region).toBe('DTCM');
  });

  it('serves a core and an engine alike for what is neither input nor output', () => {
    expect(whole([{ kind: 'dma', tensor: 'c' }], 'c').cache).toEqual([
      ['before-step', 2, 'invalidate'],
      ['after-step', 2, 'clean-invalidate'],
    ]);
    // b is written over a, which the step still reads: dirty lines of a must not be lost.
    expect(whole([{ kind: 'dma', tensor: 'b' }], 'b').cache).toEqual([
      ['before-step', 1, 'clean-invalidate'],
      ['after-step', 1, 'clean-invalidate'],
    ]);
  });

  it('warns where the reach is not known', () => {
    const { plan } = planned([{ kind: 'dma', tensor: 'x' }], { target: 'cortex-m7' });
    expect(plan.diagnostics.map(({ code }) => code)).toContain('W_DMA_REACH');
  });

  it('finds a tensor whose name looks like a tensor with an engine', () => {
    const sketch: GraphSketch = { ...NET, inputs: ['x=DMA1'], tensors: { ...NET.tensors, 'x=DMA1': [100] } };
    const nodes = ['Conv x=DMA1 -> a', 'Relu a -> b', 'Conv b -> c', 'Conv c x=DMA1 -> y'];
    const { rules } = planSketch(
      { ...sketch, nodes },
      { rules: [{ kind: 'dma', tensor: 'x', engine: 'DMA1' }] },
    );
    expect(rules).toEqual([{ kind: 'dma', tensor: 'x=DMA1' }]);
  });
});

describe('--mpu', () => {
  it('makes the arena eighths of a power of two on PMSAv7', () => {
    // x, a or b, and c in turn: 1000 + 400 and what alignment takes, more than 7 eighths of 2048.
    const [region] = planned([], { mpu: true }).plan.regions;
    const mpu = { kind: 'PMSAv7', bytes: 2048, alignment: 2048, regionBytes: 2048, partsLeftOut: 0 };
    expect(region).toMatchObject({ alignment: 2048, mpu });
  });

  it.each([
    [1, 32, 32, 0],
    [33, 64, 64, 0],
    [200, 224, 256, 1],
    [1500, 1536, 2048, 2],
    [2048, 2048, 2048, 0],
    [2049, 2560, 4096, 3],
  ])(
    '%i bytes become %i of a region of %i (PMSAv7), %i eighths left out',
    (used, bytes, regionBytes, partsLeftOut) => {
      expect(mpuRegion('PMSAv7', used)).toEqual({
        mpu: 'PMSAv7',
        bytes,
        alignment: regionBytes,
        regionBytes,
        partsLeftOut,
      });
    },
  );

  it('leaves less room where the memory does not begin at a multiple', () => {
    // 368K at 0x20020000: 256K regions begin at 0x20040000, and 240K are left from there, 7 parts of 32K.
    expect(mpuRoom('PMSAv7', 0x20020000, 368 * 1024)).toBe(7 * 32 * 1024);
    expect(mpuRoom('PMSAv7', 0x20000000, 128 * 1024)).toBe(128 * 1024);
    expect(mpuRoom('PMSAv8', 0x20000010, 128)).toBe(96);
    // 31 bytes cannot hold a region.
    expect(mpuRoom('PMSAv7', 0x20000000, 31)).toBe(0);
  });

  it('makes it a multiple of 32 on PMSAv8', () => {
    const [region] = planned([], { mpu: true, target: 'stm32u575', align: 4 }).plan.regions;
    expect(region?.mpu).toMatchObject({
      kind: 'PMSAv8',
      bytes: Math.ceil(region!.used / 32) * 32,
      alignment: 32,
    });
  });

  it('is refused where there is none', () => {
    expect(refused([], { mpu: true, target: 'rp2040' })).toContain('--mpu: rp2040 has no MPU');
  });
});

describe('a rule that cannot hold names itself', () => {
  it.each<[string, readonly Rule[], RegExp]>([
    [
      'a tensor there is not',
      [{ kind: 'pin', tensor: 'q', region: 'DTCM' }],
      /^--pin q=DTCM: the model has no tensor/,
    ],
    [
      'a region there is not',
      [{ kind: 'forbid', tensor: 'x', region: 'LMB' }],
      /^--forbid x=LMB: the target has no region LMB/,
    ],
    [
      'an engine there is not',
      [{ kind: 'dma', tensor: 'x', engine: 'DMA9' }],
      /^--dma x=DMA9: the target has no DMA engine DMA9/,
    ],
    [
      'an offset off the alignment',
      [{ kind: 'pin', tensor: 'x', region: 'DTCM', offset: 8 }],
      /^--pin x=DTCM@8: 8 is not a multiple of the alignment 16/,
    ],
    [
      'an offset that another rule moves off',
      [
        { kind: 'pin', tensor: 'x', region: 'DTCM', offset: 16 },
        { kind: 'align', tensor: 'x', bytes: 64 },
      ],
      /^--pin x=DTCM@16: 16 is not a multiple of the alignment 64/,
    ],
    [
      'beyond the end',
      [{ kind: 'pin', tensor: 'x', region: 'DTCM', offset: 131072 - 384 }],
      /^--pin x=DTCM@130688: the tensor ends at 131088 bytes, beyond DTCM \(131072\)/,
    ],
    [
      'pinned and forbidden',
      [
        { kind: 'pin', tensor: 'x', region: 'DTCM' },
        { kind: 'forbid', tensor: 'x', region: 'DTCM' },
      ],
      /^--forbid x=DTCM: no region .* together with --pin x=DTCM/,
    ],
    [
      'pinned out of the reach of its engine',
      [
        { kind: 'pin', tensor: 'x', region: 'DTCM' },
        { kind: 'dma', tensor: 'x', engine: 'DMA1' },
      ],
      /^--dma x=DMA1: no region .* together with --pin x=DTCM/,
    ],
    [
      'two places for one buffer',
      [
        { kind: 'pin', tensor: 'a', region: 'DTCM', offset: 0 },
        { kind: 'pin', tensor: 'b', region: 'DTCM', offset: 64 },
      ],
      /^--pin b=DTCM@64: its buffer is pinned at 0 already/,
    ],
    [
      'one place for two that live together',
      [
        { kind: 'pin', tensor: 'x', region: 'DTCM', offset: 0 },
        { kind: 'pin', tensor: 'a', region: 'DTCM', offset: 384 },
      ],
      /^--pin x=DTCM@0: the tensor would share bytes with --pin a=DTCM@384 while both are live/,
    ],
  ])('%s', (_, rules, text) => {
    expect(refused(rules)).toMatch(text);
  });

  it('all of them together', () => {
    const text = refused([
      { kind: 'pin', tensor: 'q', region: 'DTCM' },
      { kind: 'forbid', tensor: 'x', region: 'LMB' },
    ]);
    expect(text.split('\n')).toHaveLength(2);
  });
});

describe('the checker finds broken rules', () => {
  const RULES: readonly Rule[] = [
    { kind: 'pin', tensor: 'c', region: 'AXISRAM', offset: 4096 },
    { kind: 'forbid', tensor: 'y', region: 'DTCM' },
    { kind: 'dma', tensor: 'x', engine: 'DMA1' },
    { kind: 'dma', tensor: 'b' },
    { kind: 'align', tensor: 'y', bytes: 64 },
    { kind: 'slack', tensor: 'y', bytes: 8 },
  ];
  const plan = planSketch(NET, { rules: RULES, mpu: true });
  const [region] = plan.regions;
  const withRules = (rules: readonly Rule[]) => sealed({ ...plan, rules });
  const withRegion = (changes: Partial<(typeof plan.regions)[number]>) =>
    sealed({ ...plan, regions: [{ ...region!, ...changes }] });

  it('none in the plan as it is', () => expect(verifyPlan(plan)).toEqual([]));

  it.each<[string, typeof plan, RegExp]>([
    [
      'another pin',
      withRules([{ kind: 'pin', tensor: 'c', region: 'AXISRAM', offset: 4112 }]),
      /c is pinned at 4112, but lies at 4096/,
    ],
    [
      'a pin elsewhere',
      withRules([{ kind: 'pin', tensor: 'c', region: 'DTCM' }]),
      /c is pinned to DTCM, but lies in AXISRAM/,
    ],
    [
      'a forbidden region',
      withRules([{ kind: 'forbid', tensor: 'c', region: 'AXISRAM' }]),
      /c lies in AXISRAM, which is forbidden/,
    ],
    [
      'an engine out of reach',
      withRules([{ kind: 'dma', tensor: 'x', engine: 'BDMA' }]),
      /x lies in AXISRAM, which BDMA does not reach/,
    ],
    ['lines shared with others', withRules([{ kind: 'dma', tensor: 'c' }]), /c shares lines of 32 bytes/],
    [
      'no schedule for a tensor',
      withRules([{ kind: 'dma', tensor: 'c' }]),
      /c needs its cache lines invalidated before-step 2/,
    ],
    [
      'an alignment',
      withRules([{ kind: 'align', tensor: 'c', bytes: 8192 }]),
      /c at 4096 of AXISRAM is not aligned to 8192/,
    ],
    ['no slack', withRules([{ kind: 'slack', tensor: 'y', bytes: 999 }]), /y does not have 999 unused bytes/],
    [
      'a tensor that is gone',
      withRules([{ kind: 'slack', tensor: 'q', bytes: 1 }]),
      /names q, which is not in the plan/,
    ],
    [
      'a row of the schedule less',
      sealed({
        ...plan,
        cache: plan.cache!.filter(({ at, tensor }) => at !== 'before-dma' || tensor !== 'x'),
      }),
      /x needs its cache lines invalidated before-dma 0/,
    ],
    [
      'lines dropped while they hold what is read',
      sealed({
        ...plan,
        cache: plan.cache!.map((row) =>
          row.at === 'before-step' && row.tensor === 'b' ? { ...row, operation: 'invalidate' as const } : row,
        ),
      }),
      /b would lose what lies in its bytes/,
    ],
    [
      'an MPU region that is no power of two',
      withRegion({ mpu: { ...region!.mpu!, regionBytes: 3000 } }),
      /no power of two/,
    ],
    [
      'an MPU region too small',
      withRegion({ mpu: { ...region!.mpu!, bytes: 1024 } }),
      /has 1024 bytes for an arena/,
    ],
    ['an MPU region off its size', withRegion({ alignment: 1024 }), /is not aligned to its size/],
    ['MPU parts that do not add up', withRegion({ mpu: { ...region!.mpu!, partsLeftOut: 1 } }), /comes to/],
  ])('%s', (_, broken, text) => {
    expect(
      verifyPlan(broken)
        .map((fault) => fault.text)
        .join('\n'),
    ).toMatch(text);
  });
});
