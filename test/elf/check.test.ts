/** memplan check-elf: each promise of a plan, kept and broken, in firmware made by hand and by a linker. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkFirmware } from '../../src/elf/check.ts';
import { readElf } from '../../src/elf/read.ts';
import { hashSuffix } from '../../src/emit/symbols.ts';
import { firmwareReport, firmwareText } from '../../src/report/firmware.ts';
import { jsonText } from '../../src/report/json.ts';
import { plain } from '../../src/report/paint.ts';
import { cli } from '../cli/run.ts';
import { elfFile, type SectionSketch, type SymbolSketch } from '../support/elf.ts';
import { BOARD_REGIONS, buildForBoard } from '../support/firmware.ts';
import { generated } from '../support/generated.ts';
import { planOf } from '../support/plans.ts';
import { missing } from '../support/tools.ts';

const PLAN = planOf({
  file: 'net.onnx',
  prefix: 'NET',
  regions: [{ name: 'RAM', origin: 0x20000000, capacity: 4096, reserved: 512, alignment: 32 }],
  tensors: [{ name: 'a', type: 'int8', shape: [1000], live: [0, 1], offset: 0 }],
});
const ARENA = `net_arena_ram_${hashSuffix(PLAN.planHash)}`;

/** Ordinary data of 100 bytes, and the arena behind it; parts may be changed. */
function firmware(
  section: Partial<SectionSketch> = {},
  symbol: Partial<SymbolSketch> = {},
  more: { readonly sections?: readonly SectionSketch[]; readonly symbols?: readonly SymbolSketch[] } = {},
  wide = false,
): Uint8Array {
  const address = section.address ?? 0x20000080;
  return elfFile(
    [
      { name: '.data', address: 0x20000000, size: 100, progbits: true },
      { name: '.memplan_ram', address, size: 1000, ...section },
      ...(more.sections ?? []),
    ],
    [{ name: ARENA, section: '.memplan_ram', address, size: 1000, ...symbol }, ...(more.symbols ?? [])],
    wide,
  );
}

function faultsOf(bytes: Uint8Array): readonly string[] {
  const { faults } = checkFirmware(readElf(bytes, 'f'), PLAN);
  expect(faults.every(({ code }) => code === 'E_FIRMWARE')).toBe(true);
  return faults.map(({ text }) => text);
}

describe('promises', () => {
  it.each([false, true])('a firmware that keeps them all (64 bits: %s)', (wide) => {
    const { regions, faults } = checkFirmware(readElf(firmware({}, {}, {}, wide), 'f'), PLAN);
    expect(faults).toEqual([]);
    expect(regions).toEqual([
      {
        name: 'RAM',
        arrays: [{ symbol: ARENA, kind: 'arena', address: 0x20000080, bytes: 1000 }],
        placed: true,
        others: 100,
        left: 4096 - 1100,
      },
    ]);
  });

  const BROKEN: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['below the region', firmware({ address: 0x1ffff000 }), /0x1FFFF000 does not lie in the region/],
    ['beyond its end', firmware({ address: 0x20000e00 }), /0x20000E00 does not lie in the region/],
    ['misaligned', firmware({ address: 0x20000090 }), /is not aligned to 32 bytes/],
    [
      'in the flash image',
      firmware({ progbits: true }),
      /lies in \.memplan_ram, which has its bytes in the flash/,
    ],
    ['too small', firmware({}, { size: 999 }), /has 999 bytes, and the plan needs 1000/],
    [
      'too large',
      firmware({ size: 3800 }, { size: 3600 }),
      /and the 512 reserved bytes are more than the 4096/,
    ],
    [
      'on another section',
      firmware({}, {}, { sections: [{ name: '.bss', address: 0x20000400, size: 500 }] }),
      /shares bytes with \.bss/,
    ],
    [
      'on another variable',
      firmware(
        { size: 1200 },
        {},
        { symbols: [{ name: 'v', section: '.memplan_ram', address: 0x20000460, size: 64 }] },
      ),
      /shares bytes with v\./,
    ],
    [
      'of another plan',
      firmware({}, { name: 'net_arena_ram_01234567' }),
      /net_arena_ram_01234567, which belongs to/,
    ],
    ['not there', firmware({}, { name: 'other' }), /its arena is not in the firmware\.$/],
    [
      'of another model',
      firmware({}, { name: 'cls_arena_axisram_86d14a3d' }),
      new RegExp(
        `not in the firmware, which was built from the plan 86d14a3d \\(it holds cls_arena_axisram_86d14a3d\\); this one is ${hashSuffix(PLAN.planHash)}`,
      ),
    ],
  ];
  it.each(BROKEN)('an arena %s', (_, bytes, expected) => {
    const found = faultsOf(bytes);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  it('room is not said to be left of a region that lacks its arena', () => {
    const said = (bytes: Uint8Array) =>
      firmwareText(firmwareReport('f', PLAN, checkFirmware(readElf(bytes, 'f'), PLAN)), plain);
    // 100 bytes of .data in the 4096 of the region; the arena lies below it.
    expect(said(firmware({ address: 0x1ffff000 }))).toMatch(/left +3,996 +97\.6 % without the arena/);
    expect(said(firmware({}, { name: 'other' }))).toContain('without the arena');
    expect(said(firmware())).not.toContain('without the arena');
  });

  it('names that an arena also has, debug sections and variables of threads take no room', () => {
    const sections = [
      { name: '.debug_info', address: 0x20000000, size: 4096, progbits: true, debug: true },
      { name: '.tbss', address: 0x20000080, size: 64, tls: true },
    ] as const;
    const symbols = [{ name: 'alias', section: '.memplan_ram', address: 0x20000080, size: 1000 }];
    const { regions, faults } = checkFirmware(readElf(firmware({}, {}, { sections, symbols }), 'f'), PLAN);
    expect(faults).toEqual([]);
    expect(regions[0]).toMatchObject({ others: 100, left: 4096 - 1100 });
  });

  it('the array that the firmware defines itself has no hash in its name', () => {
    expect(faultsOf(firmware({}, { name: 'net_arena_ram' }))).toEqual([]);
  });

  it('sections that overlap are counted once', () => {
    const sections = [{ name: '.overlay', address: 0x20000000, size: 64 }];
    const { regions } = checkFirmware(readElf(firmware({}, {}, { sections }), 'f'), PLAN);
    expect(regions[0]).toMatchObject({ others: 100, left: 4096 - 1100 });
  });

  it('where the place of a region is not known, the rest is checked', () => {
    const plan = { ...PLAN, regions: PLAN.regions.map((r) => ({ ...r, origin: null, capacity: null })) };
    const { regions, faults } = checkFirmware(readElf(firmware({ address: 0x30000090 }), 'f'), plan);
    expect(faults.map(({ text }) => text)).toEqual([expect.stringContaining('is not aligned')]);
    expect(regions[0]).toMatchObject({ others: null, left: null });
  });
});

describe.skipIf(missing('arm-none-eabi-gcc') !== undefined)('of a linker', () => {
  const SCRIPT = readFileSync(fileURLToPath(new URL('../firmware/board/an500.ld', import.meta.url)), 'utf8');
  const BOARD_PLAN = planOf({
    file: 'net.onnx',
    prefix: 'NET',
    regions: BOARD_REGIONS,
    tensors: [
      { name: 'a', type: 'int8', shape: [1000], live: [0, 1], offset: 0 },
      { name: 'b', type: 'int8', shape: [2000], live: [0, 2], offset: 0, region: 'DTCM' },
      { name: 'c', type: 'int8', shape: [3000], live: [1, 2], offset: 0, region: 'EXT' },
    ],
  });

  /** A folder with plan.json and walk.elf. */
  async function built(change = (script: string) => script, plan = BOARD_PLAN): Promise<string> {
    const dir = generated(BOARD_PLAN, {}, [{ name: 'plan.json', text: jsonText(plan) }]);
    writeFileSync(join(dir, 'firmware.ld'), change(SCRIPT));
    expect((await buildForBoard(dir, 'firmware.ld')).output).toBe('');
    return dir;
  }
  const check = (cwd: string, ...more: string[]) =>
    cli(['check-elf', 'walk.elf', '--plan', 'plan.json', ...more], { cwd });

  it('a whole firmware', async () => {
    const cwd = await built();
    const { code, stdout, stderr } = await check(cwd);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('walk.elf: the plan holds');
    expect(stdout).toMatch(/net_arena_axisram_[0-9a-f]{8} +1,000 +at 0x20100000/);
    expect(stdout).toMatch(/left +523,288 +99\.8 %/);
    const report = JSON.parse((await check(cwd, '--json')).stdout);
    expect(report).toMatchObject({ schema: 1, ok: true, planHash: BOARD_PLAN.planHash, faults: [] });
    // 16 MiB less the arena.
    expect(report.regions[2]).toMatchObject({ name: 'EXT', left: 16 * 2 ** 20 - 3000, others: 0 });
  });

  it('a script whose catch-all comes first', async () => {
    const cwd = await built((script) => script.replace(/ {4}\.memplan_axisram.*\n/, ''));
    const { code, stderr } = await check(cwd);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /E_FIRMWARE: AXISRAM: the arena net_arena_axisram_\w+ at 0x2000\w+ does not lie in/,
    );
  });

  it('a firmware of another plan', async () => {
    const cwd = await built(undefined, { ...BOARD_PLAN, planHash: 'f'.repeat(64) });
    const { code, stderr } = await check(cwd);
    expect(code).toBe(1);
    expect(stderr).toContain('which belongs to another plan; this one is ffffffff');
  });

  it('what cannot be checked ends with 2', async () => {
    const cwd = await built();
    expect((await cli(['check-elf', 'plan.json', '--plan', 'plan.json'], { cwd })).code).toBe(2);
    expect((await cli(['check-elf', 'none.elf', '--plan', 'plan.json'], { cwd })).code).toBe(2);
    expect((await cli(['check-elf', 'walk.elf', '--plan', 'walk.elf'], { cwd })).code).toBe(2);
    const { code, stderr } = await cli(['check-elf', 'walk.elf'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('check-elf needs the plan');
  });
});
