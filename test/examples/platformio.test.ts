/** The script for PlatformIO, beside a stand-in for what neither npm nor Debian has: it builds with the script as PlatformIO does. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installed, install } from '../cli/installed.ts';
import { emptyFolder } from '../support/generated.ts';
import { writeModel } from '../support/projects.ts';
import { missing, run } from '../support/tools.ts';

const STUB = join(import.meta.dirname, 'stubs/scons.py');
const SCRIPT = join(import.meta.dirname, '../../examples/platformio/memplan.py');

let installed: Installed;
beforeAll(async () => {
  installed = await install();
});
afterAll(() => rmSync(installed.home, { recursive: true, force: true }));

const MODEL = 'custom_memplan_model=my models/kws.onnx';
const TARGET = 'custom_memplan_target=stm32h743';
const PREFIX = 'custom_memplan_options=--prefix KWS';

function project(): string {
  const dir = join(emptyFolder(), 'a project');
  mkdirSync(dir);
  writeModel(dir, 16);
  return dir;
}

/** `words`: options of platformio.ini, and what the stand-in takes besides. */
function build(dir: string, ...words: readonly string[]) {
  const has = words.some((word) => word.startsWith('custom_memplan_command'));
  const command = has ? [] : [`custom_memplan_command="${process.execPath}" "${installed.bin}"`];
  return run('python3', [STUB, SCRIPT, dir, join(dir, 'build tree'), ...words, ...command], '/');
}

/** What the script asked for. */
const askedOf = ({ output }: { readonly output: string }) => JSON.parse(output.trim().split('\n').at(-1)!);

describe.skipIf(missing('python3') !== undefined)('the script for PlatformIO', () => {
  it('plans the model, and hands folders and sources to the build', async () => {
    const dir = project();
    const out = join(dir, 'build tree/memplan');
    const finished = await build(dir, MODEL, TARGET, PREFIX);
    expect(finished).toMatchObject({ status: 0 });
    expect(askedOf(finished)).toEqual({
      append: { CPPPATH: [out], LIBPATH: [out] },
      sources: [[join(dir, 'build tree/memplan-objects'), out, ['tensor_memory_pool.c']]],
      actions: 1,
    });
    const header = join(out, 'tensor_memory_pool.h');
    expect(readFileSync(header, 'utf8')).toContain('KWS_T_input_SIZE 64u');
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toMatchObject({ fits: true });

    // Nothing is touched when nothing changed; another model is another header.
    const before = statSync(header).mtimeMs;
    await build(dir, MODEL, TARGET, PREFIX);
    expect(statSync(header).mtimeMs).toBe(before);
    writeModel(dir, 32);
    await build(dir, MODEL, TARGET, PREFIX);
    expect(readFileSync(header, 'utf8')).toContain('KWS_T_input_SIZE 128u');
  });

  it('builds with a runner', async () => {
    const finished = await build(project(), MODEL, TARGET, PREFIX, 'custom_memplan_emit=runner, ld');
    expect(askedOf(finished).sources[0][2]).toEqual([
      'tensor_memory_pool.c',
      'tensor_memory_pool_kernels.c',
      'tensor_memory_pool_runner.c',
      'tensor_memory_pool_weights.c',
    ]);
  });

  it('says which option is missing, and hands on what memplan says', async () => {
    const dir = project();
    const without = await build(dir, MODEL);
    expect(without).toMatchObject({ status: 1 });
    expect(without.output).toContain('platformio.ini does not say custom_memplan_target');
    const over = await build(dir, MODEL, TARGET, 'custom_memplan_options=--budget 16');
    expect(over.status).toBe(1);
    expect(over.output).toContain('E_OVER_BUDGET');
    expect((await build(dir, MODEL, 'custom_memplan_target=nothing')).status).toBe(2);
    const started = await build(dir, MODEL, TARGET, 'custom_memplan_command=no-such-program memplan');
    expect(started).toMatchObject({ status: 1 });
    expect(started.output).toContain('there is no program no-such-program');
  });

  it('plans nothing to clean up, so that a plan that fails can be cleaned up too', async () => {
    const finished = await build(project(), 'clean', MODEL);
    expect(finished).toMatchObject({ status: 0 });
    expect(askedOf(finished)).toEqual({ append: {}, sources: [], actions: 0 });
  });

  it('checks no program of the host, and none that it shall not', async () => {
    expect(askedOf(await build(project(), 'native', MODEL, TARGET)).actions).toBe(0);
    expect(askedOf(await build(project(), MODEL, TARGET, 'custom_memplan_check=no')).actions).toBe(0);
  });
});

describe.skipIf(missing('python3', 'arm-none-eabi-gcc') !== undefined)('a firmware of PlatformIO', () => {
  const linkerScript = (alias: string, include: string) => `
    ENTRY(main)
    MEMORY {
      FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 2M
      DTCMRAM (rw) : ORIGIN = 0x20000000, LENGTH = 128K
      RAM_D1 (rw) : ORIGIN = 0x24000000, LENGTH = 512K
    }
    ${alias}
    SECTIONS {
      .text : { *(.text .text.* .rodata .rodata.*) } > FLASH
      .ARM.exidx : { *(.ARM.exidx*) } > FLASH
      .data : { *(.data .data.*) } > DTCMRAM AT> FLASH
      ${include}
      .bss (NOLOAD) : { *(.bss .bss.* COMMON) end = .; } > DTCMRAM
    }`;
  const PLACED = linkerScript('REGION_ALIAS("MEMPLAN_AXISRAM", RAM_D1)', 'INCLUDE tensor_memory_pool.ld');

  function firmware(script: string, use: string): string {
    const dir = project();
    mkdirSync(join(dir, 'src'));
    writeFileSync(
      join(dir, 'src/main.c'),
      `#include "tensor_memory_pool.h"\nint main(void) { return ${use}; }\n`,
    );
    writeFileSync(join(dir, 'my firmware.ld'), script);
    return dir;
  }
  const LINK = ['ld=my firmware.ld', MODEL, TARGET, PREFIX];

  it.each([
    ['that uses the arena', '((const char *)kws_input_0())[0]'],
    ['that does not use it yet', '(int)KWS_ARENA_SIZE'],
  ])('%s links where its script includes the fragment', async (_, use) => {
    const finished = await build(firmware(PLACED, use), ...LINK);
    expect(finished).toMatchObject({ status: 0 });
    expect(finished.output).toContain('Checking the arenas of ');
  });

  it('whose linker script forgot the arena does not get through', async () => {
    const dir = firmware(linkerScript('', ''), '((const char *)kws_input_0())[0]');
    const { status, output } = await build(dir, ...LINK);
    expect(status).toBe(1);
    expect(output).toContain('E_FIRMWARE');
    expect(output).toContain('does not lie in the region');
  });
});
