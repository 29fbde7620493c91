/**
 * The module for Zephyr, beside a stand-in for what neither npm nor Debian has: functions that read the devicetree and make
 * libraries, a firmware linked with a script like Zephyr's, and what Zephyr lets modules run behind the link.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installed, install } from '../cli/installed.ts';
import { emptyFolder } from '../support/generated.ts';
import { FILES, writeModel } from '../support/projects.ts';
import { missing, run } from '../support/tools.ts';

const MODULE = join(import.meta.dirname, '../../examples/zephyr');
const STUB = join(import.meta.dirname, 'stubs/zephyr.cmake');

let installed: Installed;
beforeAll(async () => {
  installed = await install();
});
afterAll(() => rmSync(installed.home, { recursive: true, force: true }));

type Settings = Readonly<Record<string, string>>;

/** Devicetree: a chosen node that is a region of its own, beside the memory of all other data. */
const SRAM = 'stub_node(/memory@20000000 0x20000000 0x20000)\nstub_chosen(zephyr,sram /memory@20000000)\n';
const node = (more = '', at = '24000000') =>
  `stub_node(/soc/memory@${at} 0x${at} 0x80000 zephyr,memory-region ARENA-1 compatible zephyr,memory-region|mmio-sram ${more})\n`;
const CHOSEN = 'stub_chosen(memplan,arena /soc/memory@24000000)\n';
const TREE = SRAM + node() + CHOSEN;

const M7 = {
  CONFIG_ARM: 'y',
  CONFIG_ARCH: 'arm',
  CONFIG_CPU_CORTEX_M: 'y',
  CONFIG_CPU_CORTEX_M7: 'y',
  CONFIG_CPU_HAS_DCACHE: 'y',
  CONFIG_DCACHE: 'y',
  CONFIG_DCACHE_LINE_SIZE: '0',
};

/** As Zephyr's: the section of the region lies in it, or, forgotten, among other data. */
const linkerScript = (memory: 'ARENA_1' | 'RAM') => `
  ENTRY(main)
  MEMORY {
    FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 2M
    RAM (rw) : ORIGIN = 0x20000000, LENGTH = 128K
    ARENA_1 (rw) : ORIGIN = 0x24000000, LENGTH = 0x80000
  }
  SECTIONS {
    text : { *(.text .text.* .rodata .rodata.*) } > FLASH
    .ARM.exidx : { *(.ARM.exidx*) } > FLASH
    datas : { *(.data .data.*) } > RAM AT> FLASH
    ARENA_1 (NOLOAD) : { KEEP(*(ARENA_1)) KEEP(*(ARENA_1.*)) } > ${memory}
    bss (NOLOAD) : { *(.bss .bss.* COMMON) end = .; } > RAM
  }`;

const APP =
  '#include "tensor_memory_pool.h"\nint main(void);\nint main(void) { return (int)KWS_ARENA_SIZE; }\n';

/** A text of Kconfig, as Zephyr's CMake has it. */
const escaped = (text: string) => text.replaceAll(/["\\]/g, '\\$&');

async function configured(
  tree: string,
  { config = {}, app = APP, memory = 'ARENA_1' as 'ARENA_1' | 'RAM' } = {},
) {
  const dir = join(emptyFolder());
  writeModel(dir, 16);
  writeFileSync(join(dir, 'app.c'), app);
  writeFileSync(join(dir, 'my linker.cmd'), linkerScript(memory));
  const settings: Settings = {
    ...{ BOARD: 'nucleo_h743zi', BOARD_QUALIFIERS: '/stm32h743xx', APPLICATION_SOURCE_DIR: dir },
    ...{ CONFIG_MEMPLAN: 'y', CONFIG_MEMPLAN_CHECK: 'y', CONFIG_MEMPLAN_MODEL: FILES.model, ...M7 },
    CONFIG_MEMPLAN_OPTIONS: '--prefix KWS',
    CONFIG_MEMPLAN_COMMAND: escaped(`"${process.execPath}" "${installed.bin}"`),
    ...config,
  };
  const quoted = (text: string) => `[==[${text}]==]`;
  const set = Object.entries(settings).map(([name, value]) => `set(${name} ${quoted(value)})`);
  const lines = [
    ...['cmake_minimum_required(VERSION 3.20)', 'set(CMAKE_SYSTEM_NAME Generic)'],
    ...['set(CMAKE_C_COMPILER arm-none-eabi-gcc)', 'set(CMAKE_C_COMPILER_WORKS TRUE)', 'project(app C)'],
    'add_compile_options(-mcpu=cortex-m7 -mthumb -Os -Wall -Wextra -Werror -ffunction-sections -fdata-sections)',
    ...set,
    ...[`include(${quoted(STUB)})`, tree],
    `stub_zephyr(${quoted(MODULE)} ${quoted(join(dir, 'my linker.cmd'))})`,
    'target_sources(app PRIVATE app.c)',
  ];
  writeFileSync(join(dir, 'CMakeLists.txt'), lines.join('\n'));
  const finished = await run('cmake', ['-G', 'Ninja', '-B', 'build tree'], dir);
  return {
    ...{ dir, ...finished },
    said: finished.output.replace(/\s+/g, ' '),
    out: join(dir, 'build tree/modules/memplan/memplan'),
    build: () => run('cmake', ['--build', 'build tree', '-j4'], dir),
  };
}

const chipOf = ({ out }: { readonly out: string }) =>
  JSON.parse(readFileSync(join(out, 'chip.json'), 'utf8'));

describe('Kconfig', () => {
  it('declares what the module asks for', () => {
    const texts = ['CMakeLists.txt', 'memplan.cmake'].map((name) => readFileSync(join(MODULE, name), 'utf8'));
    const asked = [...texts.join().matchAll(/CONFIG_(MEMPLAN\w*)/g)].map(([, name]) => name);
    const kconfig = readFileSync(join(MODULE, 'Kconfig'), 'utf8');
    const declared = [...kconfig.matchAll(/^(?:menu)?config (\w+)$/gm)].map(([, name]) => name);
    expect([...new Set(asked)].sort()).toEqual(declared.sort());
  });
});

describe.skipIf(missing('cmake', 'ninja', 'arm-none-eabi-gcc', 'readelf') !== undefined)(
  'the module for Zephyr',
  () => {
    it('plans for the memory of the chosen node, and gives the application the C', async () => {
      const project = await configured(TREE);
      expect(project).toMatchObject({ status: 0 });
      expect(chipOf(project)).toEqual({
        id: 'nucleo_h743zi-stm32h743xx',
        cpu: { core: 'cortex-m7', cmsisNnBuild: 'dsp', dcache: true, dcacheLineBytes: 32 },
        main: 'ARENA_1',
        stack: null,
        regions: [{ name: 'ARENA_1', origin: '0x24000000', size: '0x80000', kind: 'sram' }],
      });
      expect(await project.build()).toMatchObject({ status: 0 });
      const header = join(project.out, 'tensor_memory_pool.h');
      expect(readFileSync(header, 'utf8')).toMatch(/KWS_R_ARENA_1_ORIGIN 0x24000000u/);
      const elf = 'build tree/zephyr/zephyr.elf';
      const { output: sections } = await run('readelf', ['-SW', elf], project.dir);
      expect(sections).toMatch(/ ARENA_1 +NOBITS +24000000/);

      // Nothing changed, and then the model.
      const before = statSync(header).mtimeMs;
      expect((await project.build()).output).toContain('no work to do');
      writeModel(project.dir, 32);
      expect(await project.build()).toMatchObject({ status: 0 });
      expect(statSync(header).mtimeMs).toBeGreaterThan(before);
      expect(readFileSync(header, 'utf8')).toContain('KWS_T_input_SIZE 128u');
    });

    it('links a runner, and pools', async () => {
      const run = 'int main(void);\nint main(void) { return kws_run(); }\n';
      const project = await configured(TREE, {
        app: `#include "tensor_memory_pool_runner.h"\n#include "tensor_memory_pool.h"\n${run}`,
        config: { CONFIG_MEMPLAN_RUNNER: 'y', CONFIG_MEMPLAN_POOL: 'y' },
      });
      expect(await project.build()).toMatchObject({ status: 0 });
      expect((await project.build()).output).toContain('no work to do');
      // Weights beside the model: the plan's hash stays, and the weights are compiled anew.
      writeFileSync(join(project.dir, FILES.weights), new Uint8Array(64).fill(1));
      expect((await project.build()).output).toContain('tensor_memory_pool_weights.c');
    });

    it('takes texts as they were typed', async () => {
      const project = await configured(TREE, {
        config: { CONFIG_MEMPLAN_OPTIONS: escaped(`--prefix KWS --tensor-alias "a b"`) },
      });
      const { status, output } = await project.build();
      expect(status).not.toBe(0);
      expect(output).toContain('--tensor-alias "a b"');
    });

    it('stops a build whose linker script puts the arena elsewhere, each time', async () => {
      const project = await configured(TREE, { memory: 'RAM' });
      for (const _ of [1, 2]) {
        const { status, output } = await project.build();
        expect(status).not.toBe(0);
        expect(output).toContain('E_FIRMWARE');
      }
      const unchecked = await configured(TREE, { memory: 'RAM', config: { CONFIG_MEMPLAN_CHECK: '' } });
      expect(await unchecked.build()).toMatchObject({ status: 0 });
    });

    it('stops the build where the plan does not fit the memory', async () => {
      const { build } = await configured(TREE.replace('0x80000', '0x20'));
      const { status, output } = await build();
      expect(status).not.toBe(0);
      expect(output).toContain('E_OVER_CAPACITY');
    });

    it('does nothing where it is not asked to', async () => {
      const { status, out } = await configured('', { config: { CONFIG_MEMPLAN: '' } });
      expect(status).toBe(0);
      expect(() => statSync(out)).toThrow();
    });

    it.each([
      ['no chosen node', SRAM + node(), 'has no chosen node memplan,arena'],
      [
        'a node that is no region',
        `${SRAM}stub_node(/soc/memory@24000000 0x24000000 0x80000)\n${CHOSEN}`,
        '/soc/memory@24000000 has no zephyr,memory-region',
      ],
      ['a node that is disabled', SRAM + node('status disabled') + CHOSEN, 'is disabled'],
      [
        'a node that ordinary data shares',
        `${TREE}stub_chosen(zephyr,sram /soc/memory@24000000)\n`,
        '/soc/memory@24000000 lies in /soc/memory@24000000, where zephyr,sram puts all other data',
      ],
      [
        'a node whose last byte is where ordinary data begins',
        `${TREE}stub_node(/sram 0x2407ffff 0x10)\nstub_chosen(zephyr,sram /sram)\n`,
        'lies in /sram',
      ],
    ])('says what is wrong with %s', async (_, tree, text) => {
      const { status, said } = await configured(tree);
      expect(status).not.toBe(0);
      expect(said).toContain(text);
    });

    it('lies beside ordinary data', async () => {
      const tree = `${TREE}stub_node(/sram 0x24080000 0x10)\nstub_chosen(zephyr,sram /sram)\n`;
      expect(await configured(tree)).toMatchObject({ status: 0 });
    });

    const core = (name: string, config: Settings = {}): Settings => ({
      ...{ CONFIG_CPU_CORTEX_M7: '', CONFIG_CPU_HAS_DCACHE: '', CONFIG_DCACHE: '', [name]: 'y' },
      ...config,
    });
    const V81 = { CONFIG_ARMV8_M_DSP: 'y', CONFIG_ARMV8_1_M_MVEI: 'y' };
    it.each<[string, Settings, object]>([
      [
        'Cortex-M3',
        core('CONFIG_CPU_CORTEX_M3'),
        { core: 'cortex-m3', cmsisNnBuild: 'scalar', dcache: false },
      ],
      [
        'Cortex-M3 of Zephyr 3, which says DCACHE of each',
        core('CONFIG_CPU_CORTEX_M3', { CONFIG_DCACHE: 'y' }),
        { core: 'cortex-m3', cmsisNnBuild: 'scalar' },
      ],
      [
        'Cortex-M33 with DSP',
        core('CONFIG_CPU_CORTEX_M33', { CONFIG_ARMV8_M_DSP: 'y' }),
        { core: 'cortex-m33', cmsisNnBuild: 'dsp', dcache: false },
      ],
      [
        'Cortex-M55 whose compiler may use vectors',
        core('CONFIG_CPU_CORTEX_M55', { ...V81, CONFIG_FPU: 'y' }),
        { core: 'cortex-m55', cmsisNnBuild: 'mve', dcache: false },
      ],
      [
        'Cortex-M55 whose compiler may not',
        core('CONFIG_CPU_CORTEX_M55', V81),
        { core: 'cortex-m55', cmsisNnBuild: 'dsp', dcache: false },
      ],
      [
        'Cortex-A9',
        core('CONFIG_CPU_CORTEX_A9', {
          ...{ CONFIG_CPU_CORTEX_M: '', CONFIG_CPU_HAS_DCACHE: 'y', CONFIG_DCACHE: 'y' },
          CONFIG_DCACHE_LINE_SIZE: '64',
        }),
        { core: 'cortex-a9', dcache: true, dcacheLineBytes: 64 },
      ],
      [
        'core of another kind',
        core('CONFIG_RISCV', { CONFIG_CPU_CORTEX_M: '', CONFIG_ARCH: 'riscv' }),
        { core: 'riscv', dcache: false },
      ],
    ])('describes a %s', async (_, config, cpu) => {
      expect(chipOf(await configured(TREE, { config })).cpu).toEqual(cpu);
    });

    // The bits of Zephyr's memory-attr.h (cacheable: 0) and memory-attr-arm.h (no cache: 1, from bit 20 on).
    it.each([
      ['tightly coupled', node().replace('mmio-sram', 'arm,dtcm'), { kind: 'dtcm', cacheable: false }],
      ['cached', node(`zephyr,memory-attr ${1 << 0}`), { kind: 'sram', cacheable: true }],
      ['not cached', node(`zephyr,memory-attr ${1 << 21}`), { kind: 'sram', cacheable: false }],
      ['for a DMA', node(`zephyr,memory-attr ${1 << 3}`), { kind: 'sram' }],
    ])('describes a memory that is %s', async (_, tree, memory) => {
      const { name, origin, size, ...rest } = chipOf(await configured(SRAM + tree + CHOSEN)).regions[0];
      expect(rest).toEqual(memory);
    });
  },
);
