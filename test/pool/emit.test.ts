/** The pools as `--emit pool` writes them: for every compiler, beside the plan's arenas, and with settings that agree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { poolFiles } from '../../src/emit/pool.ts';
import type { RenderOptions } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import type { Plan } from '../../src/plan/types.ts';
import { ALL_COMPILERS, compile, NEWLIB, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { BOARD_REGIONS, buildForBoard } from '../support/firmware.ts';
import { emptyFolder, generated, headerOf } from '../support/generated.ts';
import { misraRules } from '../support/misra.ts';
import { planOf } from '../support/plans.ts';
import { EVERY_TYPE, HUGE, NOTHING } from '../support/sample-plans.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

const INCLUDE = { name: 'use.cpp', text: '#include "tensor_fast_pool.h"\n#include "tensor_pool.h"\n' };

/** The pools alone. */
function pools(): string {
  const dir = emptyFolder();
  writeFiles(dir, [...poolFiles(), INCLUDE]);
  return dir;
}

/** A plan's C with pools in what it leaves. */
function withPools(plan: Plan, options: RenderOptions = {}): string {
  const text =
    '#include "tensor_memory_pool.h"\nsize_t use(void);\nsize_t use(void) { return sizeof(TensorMemPool); }\n';
  const use = [
    { name: 'use.c', text },
    { name: 'use.cpp', text },
  ];
  return generated(plan, { ...options, pools: true }, [...poolFiles(), ...use]);
}

describe.skipIf(missing(...PROGRAMS, 'cppcheck', 'nm') !== undefined)('emitted pools', () => {
  it('compile without a warning everywhere', { timeout: 300_000 }, async () => {
    const dir = pools();
    const said = await twoAtATime(ALL_COMPILERS, (compiler) => {
      const bare = compiler.program === 'clang' && compiler.name.includes('none');
      const more = ['-fsyntax-only', ...(bare ? NEWLIB : [])];
      return compile(compiler, dir, [compiler.language === 'c' ? 'tensor_pool.c' : 'use.cpp'], more);
    });
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  it('compile without a warning with checks', async () => {
    const dir = pools();
    const c = SOME_COMPILERS.filter(({ language }) => language === 'c');
    const said = await twoAtATime(c, (compiler) =>
      compile(
        compiler,
        dir,
        ['tensor_pool.c'],
        ['-fsyntax-only', '-DTENSOR_POOL_DEBUG=1', '-DTENSOR_POOL_COMPACT_AT=0'],
      ),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  it('break no rule of MISRA but advisory ones', async () => {
    const { advisory, others } = await misraRules(pools(), 'tensor_pool.c');
    expect(advisory).toContain('misra-c2012-15.5');
    expect(others).toEqual([]);
  });

  it('need nothing of the C library but memset, and show no names but their own', async () => {
    const dir = pools();
    const flags = ['-std=c99', '-O2', '-mthumb', '-mcpu=cortex-m7', '-ffreestanding'];
    await run('arm-none-eabi-gcc', [...flags, '-c', 'tensor_pool.c'], dir);
    const { output } = await run('arm-none-eabi-nm', ['tensor_pool.o'], dir);
    const symbols = [...output.matchAll(/ ([A-Za-z]) (\w+)$/gm)];
    expect(symbols.filter(([, kind]) => kind === 'U').map(([, , name]) => name)).toEqual(['memset']);
    const visible = symbols
      .filter(([, kind]) => /[A-Z]/.test(kind!) && kind !== 'U')
      .map(([, , name]) => name!);
    expect(visible.length).toBeGreaterThan(25);
    expect(visible.filter((name) => !name.startsWith('tensor_'))).toEqual([]);
    // No variable: all state is in the pool that the caller has.
    expect(symbols.filter(([, kind]) => /[bBdDC]/.test(kind!))).toEqual([]);
  });

  it('with different settings do not link', async () => {
    const dir = pools();
    const text =
      '#include "tensor_pool.h"\nstatic TensorMemPool p;\nint main(void) { return tensor_pool_init(&p, 0, 0u); }\n';
    writeFiles(dir, [{ name: 'main.c', text }]);
    expect((await run('gcc', ['main.c', 'tensor_pool.c', '-o', 'same'], dir)).output).toBe('');
    await run('gcc', ['-c', '-DTENSOR_POOL_MAX_TENSORS=128', 'main.c'], dir);
    const mixed = await run('gcc', ['main.o', 'tensor_pool.c', '-o', 'mixed'], dir);
    expect(mixed.output).toMatch(/undefined reference to .tensor_pool_of_128_16_0/);
  });

  const WAYS: readonly RenderOptions[] = [{}, { arena: 'extern' }, { arena: 'pointer' }];
  it.each(WAYS)('are reached by the one header: %o', { timeout: 120_000 }, async (options) => {
    for (const plan of [EVERY_TYPE, NOTHING]) {
      const dir = withPools(plan, options);
      const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
        compile(compiler, dir, compiler.language === 'c' ? ['tensor_memory_pool.c', 'use.c'] : ['use.cpp']),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    }
  });

  /** 1000 of 512 KiB used and 100 reserved: 1024 to 524,160, the last multiple of 64 below 524,188. */
  const SHARED = planOf({
    file: 'one.onnx',
    prefix: 'NET',
    regions: [{ ...BOARD_REGIONS[0], reserved: 100 }],
    tensors: [{ name: 'x', type: 'int8', shape: [1000], live: [0, 1], offset: 0 }],
  });

  it('get what the plan leaves of a region, and do not touch the arena', async () => {
    const dir = withPools(SHARED);
    expect(readFileSync(join(dir, 'tensor_memory_pool.h'), 'utf8')).toContain(
      '#define NET_R_AXISRAM_POOL_LARGEST 523136u\n',
    );
    // Nothing refers to the pool here, so the linker would drop it.
    expect((await buildForBoard(dir, undefined, ['-Wl,--no-gc-sections'])).output).toBe('');
    const { output } = await run('arm-none-eabi-nm', ['-S', 'walk.elf'], dir);
    const placed = [...output.matchAll(/^(\w+) (\w+) \w net_(arena|pool)_axisram_\w+$/gm)].map((m) => ({
      what: m[3],
      from: Number.parseInt(m[1]!, 16),
      to: Number.parseInt(m[1]!, 16) + Number.parseInt(m[2]!, 16),
    }));
    expect(placed.map(({ what }) => what).sort()).toEqual(['arena', 'pool']);
    const [lower, upper] = placed.sort((a, b) => a.from - b.from) as [(typeof placed)[0], (typeof placed)[0]];
    expect(lower.from).toBeGreaterThanOrEqual(0x20100000);
    expect(lower.to).toBeLessThanOrEqual(upper.from);
    expect(upper.to).toBeLessThanOrEqual(0x20100000 + 524288 - 100);
  });

  it('refuse more than the plan leaves, and what is no multiple of their alignment', async () => {
    const dir = withPools(SHARED);
    const syntax = (size: string) =>
      run('gcc', ['-fsyntax-only', `-DNET_R_AXISRAM_POOL_SIZE=${size}`, 'tensor_memory_pool.c'], dir);
    expect((await syntax('523200u')).output).toContain('is more than the plan leaves');
    expect((await syntax('1000u')).output).toContain('must be a multiple of 64');
    expect((await syntax('1024u')).output).toBe('');
  });

  it('are told that a region is full, or that its size is not known', () => {
    const full = planOf({
      file: 'one.onnx',
      regions: [{ ...BOARD_REGIONS[0], capacity: 1024 }],
      tensors: [{ name: 'x', type: 'int8', shape: [1000], live: [0, 1], offset: 0 }],
    });
    expect(headerOf(full, { pools: true })).toContain('/* AXISRAM: the plan leaves nothing */');
    const unknown = { ...HUGE, regions: HUGE.regions.map((region) => ({ ...region, capacity: null })) };
    expect(headerOf(unknown, { pools: true })).toMatch(/how much there is, is not known: give the compiler/);
  });
});
