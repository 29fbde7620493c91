/** The generated functions and tables at run time: C asks, and the answers are the plan's. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RenderOptions } from '../../src/emit/render.ts';
import type { Plan } from '../../src/plan/types.ts';
import { generated } from '../support/generated.ts';
import { EVERY_TYPE } from '../support/sample-plans.ts';
import { missing, run } from '../support/tools.ts';

/** Compiles and runs a program that includes the header; its checks print what fails. */
async function outputOf(plan: Plan, options: RenderOptions, body: readonly string[]): Promise<string> {
  const text = [
    '#include "tensor_memory_pool.h"',
    '#include <stdio.h>',
    '#include <string.h>',
    '#define CHECK(e) do { if (!(e)) { (void)printf("%s\\n", #e); } } while (0)',
    'static uint8_t memory[4096] __attribute__((aligned(64)));',
    'int main(void)\n{\n    (void)memory;',
    ...body.map((line) => `    ${line}`),
    '    return 0;\n}\n',
  ].join('\n');
  const dir = generated(plan, options, [{ name: 'main.c', text }]);
  const args = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
  const built = await run('gcc', [...args, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
  return built.output === '' ? (await run(join(dir, 'main'), [], dir)).output : built.output;
}

const tensor = (name: string) => EVERY_TYPE.tensors.find((t) => t.name === name)!;
const at = (name: string) => `TYPES_I_${tensor(name).c}`;
const row = (name: string) => `types_table[${at(name)}]`;

describe.skipIf(missing('gcc') !== undefined)('at run time', () => {
  it('the table says what the plan says', async () => {
    const checks = EVERY_TYPE.tensors.flatMap((t) => [
      `CHECK(${row(t.name)}.offset == ${t.offset ?? 0});`,
      `CHECK(${row(t.name)}.size == ${t.bytes});`,
      `CHECK(${row(t.name)}.first == ${t.first} && ${row(t.name)}.end == ${t.end});`,
      `CHECK(${row(t.name)}.rank == ${t.shape.length});`,
      `CHECK(${row(t.name)}.type == TYPES_TYPE_${t.type.toUpperCase()});`,
      `CHECK(${row(t.name)}.region == ${t.region === null ? 'TYPES_NO_REGION' : `TYPES_REGION_${t.region}`});`,
      `CHECK(${row(t.name)}.alias == ${at(t.name)});`,
      ...t.shape.map((dim, i) => `CHECK(types_dims[${row(t.name)}.shape + ${i}u] == ${dim});`),
    ]);
    expect(await outputOf(EVERY_TYPE, {}, checks)).toBe('');
  });

  it('memory is handed out by hand, within its bounds', async () => {
    // memory is aligned to 64 bytes and has 4096.
    const checks = [
      'types_bump bump;',
      'CHECK(types_bump_init(&bump, NULL, 100u) == 0);',
      'CHECK(types_bump_take(&bump, 1u, 1u) == NULL);',
      'CHECK(types_bump_init(&bump, &memory[1], 4095u) == 1);',
      'CHECK(types_bump_take(&bump, 10u, 0u) == NULL && types_bump_take(&bump, 10u, 3u) == NULL);',
      'CHECK(types_bump_take(&bump, 10u, 1u) == &memory[1]);',
      'CHECK(types_bump_take(&bump, 4u, 16u) == &memory[16]);',
      'CHECK(types_bump_take(&bump, 0u, 64u) == &memory[64]);',
      'CHECK(types_bump_take(&bump, SIZE_MAX, 1u) == NULL);',
      'CHECK(types_bump_take(&bump, 1u, (SIZE_MAX / 2u) + 1u) == NULL);',
      'CHECK(types_bump_take(&bump, 4033u, 1u) == NULL);',
      'CHECK(types_bump_take(&bump, 4032u, 1u) == &memory[64]);',
      'CHECK(types_bump_take(&bump, 1u, 1u) == NULL && types_bump_take(&bump, 0u, 64u) != NULL);',
      'types_bump_reset(&bump);',
      'CHECK(types_bump_take(&bump, 1u, 1u) == &memory[1]);',
      'CHECK(bump.used == 1u && bump.high_water == 4095u);',
    ];
    expect(await outputOf(EVERY_TYPE, {}, checks)).toBe('');
  });

  it('quantisation parameters are those of the plan, to the bit', async () => {
    const quants = (name: string) => `types_quants[${row(name)}.quant`;
    const checks = [
      `CHECK(${row('scalar')}.quant_count == 0);`,
      `CHECK(${row('per tensor')}.quant_count == 1);`,
      `CHECK(${quants('per tensor')}].scale == 0.1f && ${quants('per tensor')}].zero_point == -128);`,
      `CHECK(${row('per channel')}.quant_count == 3 && ${row('per channel')}.quant_axis == 1);`,
      `CHECK(${quants('per channel')}].scale == 1.401298464e-45f);`,
      `CHECK(${quants('per channel')}].zero_point == INT32_MIN);`,
      `CHECK(${quants('per channel')} + 1u].scale == 3.4e38f);`,
      `CHECK(${quants('per channel')} + 1u].zero_point == INT32_MAX);`,
    ];
    expect(await outputOf(EVERY_TYPE, {}, checks)).toBe('');
  });

  it('the accessor and the helpers find the bytes; outside the table and outside the arenas there are none', async () => {
    const checks = [
      `CHECK(types_tensor(${at('scalar')}) == (void *)&types_arena_axisram[2000]);`,
      `CHECK(types_tensor(${at('empty')}) == (void *)&types_arena_dtcm[2000]);`,
      `CHECK(types_tensor(${at('caller')}) == NULL);`,
      'CHECK(types_tensor(TYPES_INDEX_END) == NULL);',
      'CHECK(types_tensor((types_index)-1) == NULL);',
      'CHECK((void *)types_input_0() == (void *)&types_arena_axisram[0]);',
      'CHECK((void *)types_output_17() == (void *)&types_arena_dtcm[64 * 17]);',
      'CHECK(sizeof *types_output_17() == 8);',
      'CHECK(((uintptr_t)types_arena_axisram % TYPES_R_AXISRAM_ALIGNMENT) == 0);',
      '*types_input_16() = 1.5f;',
      'CHECK(memcmp(types_tensor(TYPES_I_in_float32), "\\0\\0\\xc0\\x3f", 4) == 0);',
    ];
    expect(await outputOf(EVERY_TYPE, {}, checks)).toBe('');
  });

  it('an arena that is a pointer takes memory that is large enough and aligned, and nothing else', async () => {
    const { used } = EVERY_TYPE.regions[0]!;
    const checks = [
      'CHECK(types_tensor(TYPES_I_scalar) == NULL);',
      `CHECK(types_arena_axisram_set(NULL, ${used}u) == 0);`,
      `CHECK(types_arena_axisram_set(memory, ${used - 1}u) == 0);`,
      `CHECK(types_arena_axisram_set(&memory[8], ${used}u) == 0);`,
      'CHECK(types_tensor(TYPES_I_scalar) == NULL);',
      `CHECK(types_arena_axisram_set(memory, ${used}u) == 1);`,
      'CHECK(types_tensor(TYPES_I_scalar) == (void *)&memory[2000]);',
      'CHECK((void *)types_input_20() == (void *)&memory[2000]);',
    ];
    expect(await outputOf(EVERY_TYPE, { arena: 'pointer' }, checks)).toBe('');
  });

  it('an arena may be the firmware’s own array', async () => {
    const extern = ['CHECK(types_tensor(TYPES_I_scalar) == (void *)&types_arena_axisram[2000]);'];
    const own = [
      'return 0; }',
      'uint8_t types_arena_axisram[TYPES_R_AXISRAM_SIZE] __attribute__((aligned(32)));',
      'uint8_t types_arena_dtcm[TYPES_R_DTCM_SIZE] __attribute__((aligned(16)));',
      'int unused(void); int unused(void) {',
    ];
    expect(await outputOf(EVERY_TYPE, { arena: 'extern' }, [...extern, ...own])).toBe('');
  });

  it('arenas on a desktop are not where the chip has its memories', async () => {
    const checks = ['CHECK(types_misplaced() == 3u);'];
    expect(await outputOf(EVERY_TYPE, {}, checks)).toBe('');
  });
});
