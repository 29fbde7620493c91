/** What compilers and linkers make of the generated C: no byte of an arena in flash, the right section, no mixing of plans. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../src/emit/write.ts';
import { BOARD_REGIONS, buildForBoard } from '../support/firmware.ts';
import { generated } from '../support/generated.ts';
import { planOf } from '../support/plans.ts';
import { EVERY_TYPE, EVERYDAY } from '../support/sample-plans.ts';
import { missing, run } from '../support/tools.ts';

const SOURCE = 'tensor_memory_pool.c';
const HEADER = 'tensor_memory_pool.h';

interface Section {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly align: number;
}

/** The sections of an object of any machine, as readelf lists them. */
async function sectionsOf(file: string, dir: string): Promise<readonly Section[]> {
  const { output } = await run('readelf', ['-S', '-W', file], dir);
  return [...output.matchAll(/^ +\[ *\d+\] (\S+) +(\S+) +\S+ \S+ (\S+) .* (\d+)$/gm)].map((m) => ({
    name: m[1]!,
    type: m[2]!,
    bytes: Number.parseInt(m[3]!, 16),
    align: Number(m[4]),
  }));
}

async function compileOne(program: string, args: readonly string[], dir: string, file = SOURCE) {
  return run(program, ['-std=c11', '-O2', ...args, '-c', file, '-o', `${file}.o`], dir);
}

const COMPILERS: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  ['gcc', 'gcc', []],
  ['clang', 'clang', []],
  ['gcc for Cortex-M7', 'arm-none-eabi-gcc', ['-mcpu=cortex-m7', '-mthumb', '-fdata-sections']],
  ['clang for Cortex-M7', 'clang', ['--target=thumbv7em-none-eabihf', '-ffreestanding', '-fdata-sections']],
  ['gcc for Cortex-A53', 'aarch64-linux-gnu-gcc', []],
];

describe.skipIf(
  missing('gcc', 'g++', 'clang', 'arm-none-eabi-gcc', 'aarch64-linux-gnu-gcc', 'readelf') !== undefined,
)('objects', () => {
  it.each(COMPILERS)(
    '%s: arenas are NOBITS in their sections, the table is read-only',
    async (_, program, args) => {
      const dir = generated(EVERY_TYPE);
      expect((await compileOne(program, args, dir)).output).toBe('');
      const sections = await sectionsOf(`${SOURCE}.o`, dir);
      const [axisram, dtcm] = EVERY_TYPE.regions;
      expect(sections).toContainEqual({
        name: '.bss.memplan.axisram',
        type: 'NOBITS',
        bytes: axisram!.used,
        align: 32,
      });
      const ordinary = sections.filter((s) => s.type === 'NOBITS' && !s.name.startsWith('.bss.memplan'));
      expect(ordinary.reduce((bytes, s) => bytes + s.bytes, 0)).toBe(dtcm!.used);
      const data = sections.filter((s) => s.name.startsWith('.data') && s.type === 'PROGBITS');
      expect(data.every((s) => s.bytes === 0)).toBe(true);
      expect(sections.some((s) => s.name.startsWith('.rodata') && s.bytes > 0)).toBe(true);
    },
  );

  it('a section that does not begin with .bss would cost its bytes in flash: why the default does', async () => {
    const dir = generated(EVERYDAY, { sections: new Map([['AXISRAM', '.memplan']]) });
    await compileOne('arm-none-eabi-gcc', [], dir);
    expect((await sectionsOf(`${SOURCE}.o`, dir)).find((s) => s.name === '.memplan')!.type).toBe('PROGBITS');
  });

  it('IAR gets its own words, and an unknown compiler is told what to do', async () => {
    const dir = generated(EVERYDAY);
    const iar = ['-D__IAR_SYSTEMS_ICC__', '-D__no_init=', '-Wno-unknown-pragmas', '-Wall', '-Werror', '-E'];
    const { output } = await run('gcc', [...iar, SOURCE], dir);
    const words = output.split('\n').filter((line) => /^#pragma|^ *uint8_t kws_arena/.test(line));
    expect(words).toEqual([
      '#pragma data_alignment = 32',
      '#pragma location = ".bss.memplan.axisram"',
      expect.stringMatching(/^ *uint8_t kws_arena_axisram_[0-9a-f]{8}\[7168u\];$/),
    ]);
    const unknown = await run('gcc', ['-U__GNUC__', '-E', SOURCE], dir);
    expect(unknown.output).toContain('use --arena extern and define kws_arena_axisram');
  });

  it('the flash image does not grow with the arena', async () => {
    const images = await Promise.all(
      [1024, 400 * 1024].map(async (bytes) => {
        const dir = generated(
          planOf({
            file: 'one.onnx',
            prefix: 'NET',
            regions: BOARD_REGIONS.slice(0, 1),
            tensors: [{ name: 'x', type: 'int8', shape: [bytes], live: [0, 1], offset: 0 }],
          }),
        );
        expect((await buildForBoard(dir)).output).toBe('');
        await run('arm-none-eabi-objcopy', ['-O', 'binary', 'walk.elf', 'flash.bin'], dir);
        return statSync(join(dir, 'flash.bin')).size;
      }),
    );
    expect(images[1]! - images[0]!).toBeLessThan(32);
    expect(images[1]!).toBeGreaterThan(500);
  });

  it('C++ links with the objects of C', async () => {
    const text = `#include "${HEADER}"\nint main() { return kws_tensor(KWS_I_input) == kws_input_0() ? 0 : 1; }\n`;
    const dir = generated(EVERYDAY, {}, [{ name: 'main.cpp', text }]);
    await compileOne('gcc', [], dir);
    expect((await run('g++', ['-std=c++11', 'main.cpp', `${SOURCE}.o`, '-o', 'main'], dir)).output).toBe('');
    expect((await run(join(dir, 'main'), [], dir)).status).toBe(0);
  });

  it('an object of another plan does not link', async () => {
    const other = planOf({
      file: 'kws.onnx',
      tensors: [{ name: 'input', shape: [1, 1, 16, 16], role: 'input', live: [0, 1], offset: 16 }],
    });
    const main = 'int main(void) { return *kws_input_0() > 0.0f; }\n';
    const [dir, stale] = [EVERYDAY, other].map((plan) =>
      generated(plan, {}, [{ name: 'main.c', text: `#include "${HEADER}"\n${main}` }]),
    ) as [string, string];
    expect((await run('gcc', ['main.c', SOURCE, '-o', 'whole'], dir)).output).toBe('');
    const mixed = await run('gcc', ['main.c', join(stale, SOURCE), '-o', 'mixed'], dir);
    expect(mixed.status).not.toBe(0);
    expect(mixed.output).toMatch(/undefined reference to .kws_arena_axisram_[0-9a-f]{8}/);
  });

  it('a source beside the header of another plan does not compile', async () => {
    const dir = generated(EVERYDAY);
    const header = readFileSync(join(dir, HEADER), 'utf8');
    writeFileSync(join(dir, HEADER), header.replace(/(_PLAN_HASH 0x)[0-9a-f]{2}/, '$100'));
    expect((await run('gcc', ['-fsyntax-only', SOURCE], dir)).output).toContain('belong to different plans');
  });

  it('any offset, size or alignment of the header that is changed by hand stops the build', async () => {
    const dir = generated(EVERY_TYPE);
    const header = readFileSync(join(dir, HEADER), 'utf8');
    const defines = [...header.matchAll(/^#define (\w+_(?:OFFSET|SIZE|ALIGNMENT)) (\S+)$/gm)];
    // 44 placed tensors, 1 external; 2 regions; 21 inputs, 21 outputs, 1 external input.
    expect(defines).toHaveLength(44 * 2 + 1 + 2 * 2 + 42 * 2 + 1);
    const chosen = defines.filter((_, i) => i % 4 === 0 || i < 20);
    for (const [line, name, value] of chosen) {
      const other = /^\d+u$/.test(value!) ? `${Number.parseInt(value!, 10) * 2 + 16}u` : '47u';
      writeFiles(dir, [{ name: HEADER, text: header.replace(`${line}\n`, `#define ${name} ${other}\n`) }]);
      const { output } = await run('gcc', ['-fsyntax-only', SOURCE], dir);
      expect(output, `${name} changed from ${value} to ${other}`).toContain('#error "memplan: ');
    }
  });

  it('the header alone refuses what lies outside its arena or is not aligned', async () => {
    const dir = generated(EVERYDAY);
    const header = readFileSync(join(dir, HEADER), 'utf8');
    for (const [from, to] of [
      ['KWS_T_scores_OFFSET 0u', 'KWS_T_scores_OFFSET 7136u'],
      ['KWS_T_scores_OFFSET 0u', 'KWS_T_scores_OFFSET 8u'],
      ['KWS_T_input_SIZE 1024u', 'KWS_T_input_SIZE 7184u'],
      ['AXISRAM_ALIGNMENT 32u', 'AXISRAM_ALIGNMENT 8u'],
      ['AXISRAM_ALIGNMENT 32u', 'AXISRAM_ALIGNMENT 48u'],
      ['AXISRAM_SIZE 7168u', 'AXISRAM_SIZE 524289u'],
    ] as const) {
      expect(header).toContain(from);
      writeFileSync(join(dir, HEADER), header.replace(from, to));
      const { output } = await run('gcc', ['-fsyntax-only', '-x', 'c', HEADER], dir);
      expect(output, to).toContain('#error "memplan: ');
    }
  });
});
