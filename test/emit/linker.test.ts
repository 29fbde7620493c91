/** The fragment of a linker script puts the arenas where the plan wants them, and linkers refuse what it does not allow. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type RenderOptions, renderLinker } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import type { Plan } from '../../src/plan/types.ts';
import { BOARD_REGIONS, buildForBoard, walkOnBoard } from '../support/firmware.ts';
import { generated } from '../support/generated.ts';
import { planOf, targetOf } from '../support/plans.ts';
import { HUGE } from '../support/sample-plans.ts';
import { missing, run } from '../support/tools.ts';

const SCRIPT = readFileSync(fileURLToPath(new URL('../firmware/board/an500.ld', import.meta.url)), 'utf8');
const ALIASES = 'REGION_ALIAS("MEMPLAN_AXISRAM", AXISRAM)\nREGION_ALIAS("MEMPLAN_EXT", EXT)\n';
const INCLUDE = '    INCLUDE tensor_memory_pool.ld\n';

/** Tensors in all three memories of the board, of which DTCM holds ordinary data. */
const PLAN = planOf({
  file: 'net.onnx',
  prefix: 'NET',
  regions: BOARD_REGIONS,
  tensors: [
    { name: 'a', type: 'int8', shape: [1000], live: [0, 1], offset: 0 },
    { name: 'b', type: 'int8', shape: [2000], live: [0, 2], offset: 0, region: 'DTCM' },
    { name: 'c', type: 'int8', shape: [3000], live: [1, 2], offset: 0, region: 'EXT' },
  ],
});

function fragment(plan: Plan, options: RenderOptions = {}): string {
  return [...renderLinker(plan, targetOf(plan), options).text].join('');
}

/** The firmware's script, with the fragment in place of its lines for arenas, or behind its catch-all. */
function firmware(change: (script: string) => string = (script) => script, plan = PLAN): string {
  const dir = generated(plan);
  writeFiles(dir, [{ name: 'tensor_memory_pool.ld', text: fragment(plan) }]);
  const own = SCRIPT.replace(/ {4}\.memplan_axisram.*\n {4}\.memplan_ext.*\n/, INCLUDE).replace(
    'SECTIONS\n',
    `${ALIASES}\nSECTIONS\n`,
  );
  expect(own).toContain(INCLUDE);
  writeFileSync(join(dir, 'firmware.ld'), change(own));
  return dir;
}

const link = (dir: string) => walkOnBoard(dir, 'firmware.ld');

describe.skipIf(missing('arm-none-eabi-gcc', 'qemu-system-arm', 'readelf') !== undefined)('fragment', () => {
  it('places every arena, at no cost in flash', async () => {
    const dir = firmware();
    expect(await link(dir)).toMatchObject({ status: 0 });
    const { output } = await run('readelf', ['-SW', 'walk.elf'], dir);
    expect(output).toMatch(/\.memplan_axisram +NOBITS +20100000/);
    expect(output).toMatch(/\.memplan_ext +NOBITS +60000000/);
  });

  it('keeps arenas that nothing uses yet', async () => {
    const dir = firmware();
    writeFileSync(join(dir, 'idle.c'), 'int main(void) { return 0; }\n');
    const built = await buildForBoard(dir, 'firmware.ld', [], 'idle.c');
    expect(built).toEqual({ status: 0, output: '' });
    const { output } = await run('readelf', ['-SW', 'walk.elf'], dir);
    expect(output).toMatch(/\.memplan_axisram +NOBITS +20100000 [0-9a-f]+ 0003e8 /);
  });

  it('behind the catch-all it stops the link', async () => {
    const dir = firmware((script) => script.replace(INCLUDE, '').replace(/( {4}\.stack)/, `${INCLUDE}$1`));
    const { status, output } = await link(dir);
    expect(status).toBe(256);
    expect(output).toMatch(/net_arena_axisram_[0-9a-f]{8} is not in AXISRAM, 0x20100000 to 0x20180000/);
  });

  it('with the wrong line of MEMORY it stops the link', async () => {
    const dir = firmware((script) => script.replace('"MEMPLAN_AXISRAM", AXISRAM', '"MEMPLAN_AXISRAM", EXT'));
    const { status, output } = await link(dir);
    expect(status).toBe(256);
    expect(output).toMatch(/net_arena_axisram_[0-9a-f]{8} is not in AXISRAM/);
  });

  it('watches arenas among ordinary data as well', async () => {
    const dir = firmware((script) => script.replace('ORIGIN = 0x20000000', 'ORIGIN = 0x20200000'));
    expect((await link(dir)).output).toMatch(/net_arena_dtcm_[0-9a-f]{8} is not in DTCM, 0x20000000/);
  });

  it('an arena that its own section misaligns stops the link', async () => {
    const dir = firmware();
    const path = join(dir, 'tensor_memory_pool.ld');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('ALIGN(32) { KEEP', 'ALIGN(64) SUBALIGN(1) { . = . + 1; KEEP'));
    expect((await link(dir)).output).toMatch(/net_arena_axisram_[0-9a-f]{8} is not aligned to 32 bytes/);
  });
});

describe('text', () => {
  it('calls arrays of the firmware by their plain names, and knows pools', () => {
    expect(fragment(PLAN, { arena: 'extern' })).toContain('DEFINED(net_arena_axisram)');
    expect(fragment(PLAN, { pools: true })).toMatch(/DEFINED\(net_pool_ext_[0-9a-f]{8}\)/);
    // Arenas need what their tensors need, pools the longest cache line.
    expect(fragment(PLAN, {})).toContain('(NOLOAD) : ALIGN(32) {');
    expect(fragment(PLAN, { pools: true })).toContain('(NOLOAD) : ALIGN(64) {');
  });

  it('checks alignment alone where the address is not known', () => {
    const { regions } = HUGE;
    const text = fragment({ ...HUGE, regions: regions.map((region) => ({ ...region, origin: null })) });
    expect(text.match(/ASSERT/g)).toHaveLength(1);
  });

  it('has no place beside an arena at run time', () => {
    expect(() => fragment(PLAN, { arena: 'pointer' })).toThrow('--emit ld has no place beside it');
  });
});
