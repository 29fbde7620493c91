/** The C of plans over several memories: MPU regions, memories that need code first, cache lines around a DMA. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RenderOptions, renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import type { Plan } from '../../src/plan/types.ts';
import { loadTarget } from '../../src/target/load.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { emptyFolder } from '../support/generated.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { misraRules } from '../support/misra.ts';
import { planSketch } from '../support/planned.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

/** float32: x 400, a and b 1,000 in one place, c 404, y 40 bytes; over three memories, one of which needs code first. */
const NET: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [100], a: [250], b: [250], c: [101], y: [10] },
  nodes: ['Conv x -> a', 'Relu a -> b', 'Conv b -> c', 'Conv c x -> y'],
};
const PLAN = planSketch(NET, {
  mpu: true,
  rules: [
    { kind: 'dma', tensor: 'x', engine: 'DMA1' },
    { kind: 'dma', tensor: 'c' },
    { kind: 'dma', tensor: 'y' },
    { kind: 'pin', tensor: 'c', region: 'SRAM1' },
    { kind: 'pin', tensor: 'a', region: 'DTCM' },
  ],
});

function folder(
  plan: Plan,
  options: RenderOptions,
  others: readonly { name: string; text: string }[] = [],
): string {
  const dir = emptyFolder();
  writeFiles(dir, [...renderFiles(plan, loadTarget('stm32h743'), options), ...others]);
  return dir;
}

const USE = `#define SKETCH_R_SRAM1_INIT() ((void)0)
#include "tensor_memory_pool.h"
uint32_t use(const sketch_cache_hooks *hooks);
uint32_t use(const sketch_cache_hooks *hooks)
{
    SKETCH_INIT_MEMORIES();
    sketch_cache_maintain(hooks, SKETCH_CACHE_BEFORE_STEP, 2u);
    return SKETCH_R_AXISRAM_MPU_RASR | SKETCH_CACHE_COUNT | sketch_cache[0].step;
}
`;

const WAYS: readonly RenderOptions[] = [{}, { arena: 'pointer' }, { arena: 'extern', table: 'none' }];

describe.skipIf(missing(...PROGRAMS) !== undefined)('several memories', () => {
  it.each(WAYS)('%o: without a warning', async (options) => {
    const dir = folder(PLAN, options, [
      { name: 'use.c', text: USE },
      { name: 'use.cpp', text: USE },
    ]);
    const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
      compile(compiler, dir, compiler.language === 'c' ? ['tensor_memory_pool.c', 'use.c'] : ['use.cpp']),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  it('names the size field and the parts left out of each MPU region', () => {
    const header = renderFiles(PLAN, loadTarget('stm32h743'))[0]!.text;
    const rasr = [...header.matchAll(/R_(\w+)_MPU_RASR (\w+)u/g)].map(([, name, value]) => [name, value]);
    // By hand. AXISRAM: x 416 bytes and y 64 at 0 or behind: 480 of 512 (2^9, field 8), 8 parts of 64, none left out.
    // DTCM: a, 1000 of 1024 (2^10, field 9), 8 parts of 128. SRAM1: c, 416 of 512, 7 parts of 64, the last left out.
    expect(rasr).toEqual([
      ['AXISRAM', '0x00000010'],
      ['DTCM', '0x00000012'],
      ['SRAM1', '0x00008010'],
    ]);
  });

  it('the code that a memory needs is asked for', async () => {
    const text = `#include "tensor_memory_pool.h"\nvoid use(void);\nvoid use(void) { SKETCH_INIT_MEMORIES(); }\n`;
    const dir = folder(PLAN, {}, [{ name: 'use.c', text }]);
    const { output } = await run('gcc', ['-std=c99', '-Wall', '-Werror', '-c', 'use.c'], dir);
    expect(output).toContain('SKETCH_R_SRAM1_INIT');
  });

  it('the table does at each step what the plan says, on whole lines', async () => {
    const main = `${USE.slice(0, USE.indexOf('uint32_t use'))}
#include <stdio.h>
static void say(const char *what, void *address, size_t bytes)
{
    const uint8_t *const at = (const uint8_t *)address;
    const uint8_t *const x = &sketch_arena_axisram[SKETCH_T_x_OFFSET];
    const uint8_t *const y = &sketch_arena_axisram[SKETCH_T_y_OFFSET];
    const uint8_t *const c = &sketch_arena_sram1[SKETCH_T_c_OFFSET];
    printf(" %s %s %u", what, (at == x) ? "x" : (at == y) ? "y" : (at == c) ? "c" : "?", (unsigned)bytes);
}
static void clean(void *a, size_t n) { say("clean", a, n); }
static void invalidate(void *a, size_t n) { say("invalidate", a, n); }
static void both(void *a, size_t n) { say("both", a, n); }
int main(void)
{
    static const sketch_cache_hooks hooks = { clean, invalidate, both };
    uint32_t step;
    SKETCH_INIT_MEMORIES();
    printf("dma:");
    sketch_cache_maintain(&hooks, SKETCH_CACHE_BEFORE_DMA, 0u);
    for (step = 0u; step < SKETCH_STEP_COUNT; step++) {
        printf("\\n%u:", (unsigned)step);
        sketch_cache_maintain(&hooks, SKETCH_CACHE_BEFORE_STEP, step);
        printf(" |");
        sketch_cache_maintain(&hooks, SKETCH_CACHE_AFTER_STEP, step);
    }
    printf("\\nonly clean:");
    {
        static const sketch_cache_hooks only = { clean, NULL, NULL };
        sketch_cache_maintain(&only, SKETCH_CACHE_BEFORE_DMA, 0u);
        for (step = 0u; step < SKETCH_STEP_COUNT; step++) {
            sketch_cache_maintain(&only, SKETCH_CACHE_BEFORE_STEP, step);
            sketch_cache_maintain(&only, SKETCH_CACHE_AFTER_STEP, step);
        }
    }
    printf("\\n");
    return 0;
}
`;
    const dir = folder(PLAN, {}, [{ name: 'main.c', text: main }]);
    const built = await run(
      'gcc',
      ['-std=c99', '-g', '-fsanitize=address,undefined', 'main.c', 'tensor_memory_pool.c', '-o', 'main'],
      dir,
    );
    expect(built.output).toBe('');
    // x arrives by DMA and is read from step 0 on; c may come from an engine at step 2; y leaves by DMA.
    expect((await run(join(dir, 'main'), [], dir)).output).toBe(
      'dma: invalidate x 416\n0: invalidate x 416 |\n1: |\n2: invalidate c 416 | both c 416\n3: | clean y 64\n' +
        'only clean: clean y 64\n',
    );
  });

  it.skipIf(missing('cppcheck') !== undefined)('MISRA: nothing but advisory rules', async () => {
    const { others } = await misraRules(folder(PLAN, {}), 'tensor_memory_pool.c');
    expect(others).toEqual([]);
  });
});
