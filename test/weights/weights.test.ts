import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fitDiagnostics } from '../../src/plan/fit.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { liveAt, liveName } from '../../src/report/live.ts';
import { loadTarget } from '../../src/target/load.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, requestOf, sealed } from '../support/planned.ts';
import { planSeveral } from '../support/several.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

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

  it('with wide elements align the arena to them, whatever --align says', () => {
    const sketch = { ...NET, tensors: { ...NET.tensors, b: { ...weight(4), type: 'int64' as const } } };
    const plan = made({ weights: 'ram', align: 4, target: 'cortex-m7' }, sketch);
    expect(plan.regions).toMatchObject([{ alignment: 8 }]);
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

it.each([
  [100, '1M'],
  [2 ** 20, '1M'],
  [2 ** 20 + 1, '2M'],
  [10_800_000, '16M'],
])('%i bytes of weights, too many for the chip, would fit a flash of %s', (weightBytes, size) => {
  const target = { ...loadTarget('stm32h743'), flashBytes: 99 };
  const plan = made({});
  const measured = { ...plan, totals: { ...plan.totals, weightBytes } };
  const found = fitDiagnostics(measured, target, requestOf(), { unknownScratch: [], failed: [] });
  expect(found.find(({ code }) => code === 'W_FLASH')!.hint).toBe(
    `Quantise the model, or say what external flash holds: --flash ${size}.`,
  );
});

it('an arena that does not fit names the copies that are live at its peak', () => {
  const plan = made({ weights: 'ram', regions: ['AXISRAM'], budget: new Map([['', 100]]) });
  expect(plan.diagnostics.find(({ code }) => code === 'E_OVER_BUDGET')!.text).toContain('copy of m (10240)');
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
    [
      'two copies of one name',
      { ...plan, constants: plan.constants.map((one) => ({ ...one, c: 'k' })) },
      /two C names of copies k/,
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

  /** Each weight is filled with a byte of its own, and must lie in the copy of its name. */
  const loaded = async (change: (header: string) => string = (header) => header): Promise<string> => {
    const names = ['k', 'b', 's', 'm'];
    const main = `#include "tensor_memory_pool.h"
#include <stdio.h>
#include <string.h>
#define WRONG(c) (memcmp(&SKETCH_ARENA[SKETCH_W_##c##_OFFSET], c, SKETCH_W_##c##_SIZE) != 0)
int main(void)
{
${names.map((c) => `    static unsigned char ${c}[SKETCH_W_${c}_SIZE];`).join('\n')}
    const void *sources[SKETCH_COPY_COUNT];
${names.map((c, i) => `    memset(${c}, ${i + 1}, sizeof ${c}); sources[SKETCH_SOURCE_${c}] = ${c};`).join('\n')}
    sketch_load_weights(sources);
    printf("%d wrong\\n", ${names.map((c) => `WRONG(${c})`).join(' + ')});
    return 0;
}
`;
    const dir = generated(made({ weights: 'ram', regions: ['AXISRAM'] }), {}, [
      { name: 'main.c', text: main },
    ]);
    const header = join(dir, 'tensor_memory_pool.h');
    writeFileSync(header, change(readFileSync(header, 'utf8')));
    const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
    const built = await run('gcc', [...flags, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
    return built.output === '' ? (await run(join(dir, 'main'), [], dir)).output : built.output;
  };

  it('finds every copy under the name of its weight', async () => {
    expect(await loaded()).toBe('0 wrong\n');
  });

  it('a number of a copy that was changed by hand does not compile', async () => {
    const said = await loaded((header) => header.replace(/(_W_k_OFFSET) \d+u/, '$1 0u'));
    expect(said).toContain('SKETCH_W_k was changed by hand');
    expect(await loaded((header) => header.replace(/(_W_k_OFFSET) \d+u/, '$1 1000000u'))).toContain(
      'the copy SKETCH_W_k is not aligned or not inside its arena',
    );
  });

  it('calls a copy the same whichever weights have one', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [4], 'l/w': weight(4), l_x2fw: weight(4), y: [4] },
      nodes: ['Other x l/w l_x2fw -> y'],
    };
    const names = (plan: Plan) => Object.fromEntries(plan.constants.map(({ name, c }) => [name, c]));
    const all = names(made({ weights: 'ram' }, sketch));
    // "/" is 2F: the two would have one name, so each gets a hash.
    expect(Object.values(all).every((c) => /^l_x2fw_[0-9a-f]{8}$/.test(c!))).toBe(true);
    const reserve = new Map([['AXISRAM', 512 * 1024 - 32 - 16]]);
    const one = names(made({ weights: 'hybrid', reserve, regions: ['AXISRAM'] }, sketch));
    expect(Object.values(one).filter((c) => c !== undefined)).toHaveLength(1);
    expect(all).toMatchObject(JSON.parse(JSON.stringify(one)));
  });
});
