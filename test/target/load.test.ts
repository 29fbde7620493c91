/** Users' target files: forms, defaults, extension, and a message with its place for every fault. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { loadTarget } from '../../src/target/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'memplan-target-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function fileOf(content: unknown): string {
  const path = join(folder, `board-${files++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Texts of the faults, without the file's path in front. */
function faultsOf(nameOrFile: string): readonly string[] {
  try {
    loadTarget(nameOrFile);
  } catch (error) {
    expect(error).toBeInstanceOf(MemplanError);
    const { diagnostics, exitCode } = error as MemplanError;
    expect(exitCode).toBe(2);
    expect(diagnostics.every((d) => d.code === 'E_TARGET' && d.hint !== null)).toBe(true);
    return diagnostics.map((d) => d.text.replace(`${nameOrFile}: `, ''));
  }
  return [];
}

const SRAM = { name: 'SRAM', origin: 0x20000000, size: 65536 };
const BOARD = { id: 'board', cpu: { core: 'cortex-m4' }, regions: [SRAM] };

describe('a target file', () => {
  it('needs id, cpu.core and regions; the rest is the generic core and defaults', () => {
    const target = loadTarget(fileOf(BOARD));
    expect(target).toMatchObject({
      id: 'board',
      aliases: [],
      vendor: null,
      flashBytes: null,
      main: 'SRAM',
      stack: 'SRAM',
      notes: null,
      source: [],
      unverifiedFields: [],
      recommendedAlign: { tensorDefault: 16, dma: 4, cacheLine: null },
    });
    expect(target.cpu).toMatchObject({ core: 'cortex-m4', cores: 1, dsp: true, cmsisNnBuild: 'dsp' });
    expect(target.regions).toEqual([
      {
        ...SRAM,
        kind: 'sram',
        usableForData: true,
        cacheable: null,
        speedRank: 1,
        dma: null,
        init: null,
        bus: null,
        aliasOrigins: [],
        notes: null,
      },
    ]);
  });

  it('of a core without a generic target gets 16-byte tensors and no kernel library', () => {
    const { cpu, recommendedAlign } = loadTarget(fileOf({ ...BOARD, cpu: { core: 'rv32imc' } }));
    expect(recommendedAlign).toEqual({ tensorDefault: 16, dma: null, cacheLine: null });
    expect(cpu.cmsisNnBuild).toBeNull();
  });

  it('may write sizes and addresses as people do', () => {
    const region = { name: 'SRAM', origin: '0x20000000', size: '64KiB' };
    const target = loadTarget(fileOf({ ...BOARD, flashBytes: '1M', regions: [region] }));
    expect(target.flashBytes).toBe(1048576);
    expect(target.regions[0]).toMatchObject(SRAM);
  });

  it('may leave capacities unknown', () => {
    const target = loadTarget(
      fileOf({ ...BOARD, flashBytes: 0, regions: [{ ...SRAM, size: null, origin: null }] }),
    );
    expect([target.flashBytes, target.regions[0]?.size, target.regions[0]?.origin]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('ignores keys it does not know, even odd ones', () => {
    const text = JSON.stringify(BOARD).replace('{', '{"$schema":"x","__proto__":{"main":"Y"},"toString":1,');
    expect(loadTarget(fileOf(text)).main).toBe('SRAM');
  });

  it('may begin with a byte order mark', () => {
    expect(loadTarget(fileOf(`\uFEFF${JSON.stringify(BOARD)}`)).id).toBe('board');
  });

  it('takes the largest memory on the chip as main, and the first of equals', () => {
    const region = (name: string, origin: number, size: number | null, kind = 'sram') => ({
      name,
      origin,
      size,
      kind,
    });
    const regions = [
      region('CODE', 0x10000000, 1 << 22, 'itcm'),
      region('A', 0x20000000, 1024),
      region('B', 0x30000000, 4096),
      region('C', 0x40000000, 4096),
      region('EXT', 0x60000000, 1 << 24, 'ext'),
    ];
    expect(loadTarget(fileOf({ ...BOARD, regions })).main).toBe('B');
    expect(loadTarget(fileOf({ ...BOARD, regions })).stack).toBeNull();
    expect(loadTarget(fileOf({ ...BOARD, regions: regions.slice(4) })).main).toBe('EXT');
  });

  it('keeps instruction memory and address 0 out of use unless asked', () => {
    const itcm = { name: 'ITCM', origin: 0x10000000, size: 4096, kind: 'itcm' };
    const zero = { name: 'ZERO', origin: 0, size: 4096 };
    const use = (more: object) =>
      loadTarget(fileOf({ ...BOARD, regions: [SRAM, { ...itcm, ...more }, zero] })).regions.map(
        (r) => r.usableForData,
      );
    expect(use({})).toEqual([true, false, false]);
    expect(use({ usableForData: true })).toEqual([true, true, false]);
  });
});

describe('extends', () => {
  it('starts from a built-in target and changes what the file states', () => {
    const target = loadTarget(
      fileOf({
        id: 'my-board',
        extends: 'STM32H743',
        main: 'SDRAM',
        cpu: { cores: 2 },
        recommendedAlign: { tensorDefault: 32 },
        regions: [
          { name: 'SRAM4', usableForData: false, notes: 'kept for the radio' },
          { name: 'SDRAM', origin: '0xc0000000', size: '32M', kind: 'ext' },
        ],
        source: ['schematic'],
      }),
    );
    const chip = loadTarget('stm32h743');
    expect(target.id).toBe('my-board');
    expect(target.aliases).toEqual([]);
    expect(target.cpu).toEqual({ ...chip.cpu, cores: 2 });
    expect(target.recommendedAlign).toEqual({ tensorDefault: 32, dma: 32, cacheLine: 32 });
    expect(target.source).toEqual([...chip.source, 'schematic']);
    expect(target.regions.map((r) => r.name)).toEqual([...chip.regions.map((r) => r.name), 'SDRAM']);
    const sram4 = chip.regions.find((r) => r.name === 'SRAM4')!;
    expect(target.regions.find((r) => r.name === 'SRAM4')).toEqual({
      ...sram4,
      usableForData: false,
      notes: 'kept for the radio',
    });
  });

  it('needs an id of its own and a target that exists', () => {
    expect(faultsOf(fileOf({ id: 'b', extends: 'zilog-z80' }))).toEqual([
      'extends: expected a built-in target, found "zilog-z80"',
    ]);
  });
});

describe('faults', () => {
  const region = (more: object) => ({ ...BOARD, regions: [{ ...SRAM, ...more }] });
  it.each<[string, unknown, readonly string[]]>([
    [
      'an empty object',
      {},
      [
        'id: missing, expected a name',
        'cpu.core: missing, expected a text such as "cortex-m7"',
        'regions: expected at least one region',
      ],
    ],
    ['a list', [1], ['the file: expected an object, found [1]']],
    ['a number', 7, ['the file: expected an object, found 7']],
    ['null', null, ['the file: expected an object, found null']],
    ['a wrong cpu', { ...BOARD, cpu: 'm4' }, ['cpu: expected an object, found "m4"']],
    [
      'an empty id',
      { ...BOARD, id: '' },
      ['id: expected a name of letters, digits, "_", "-" and ".", found ""'],
    ],
    [
      'regions that are no list',
      { ...BOARD, regions: SRAM },
      ['regions: expected a list, found {"name":"SRAM","origin":536870912,"size":65536}'],
    ],
    [
      'a size in words',
      region({ size: '64 potatoes' }),
      ['regions[0].size: expected bytes such as 4096, 4K, 4KiB, 4kB or 0x1000, found "64 potatoes"'],
    ],
    [
      'a negative size',
      region({ size: -1 }),
      ['regions[0].size: expected bytes such as 4096, 4K, 4KiB, 4kB or 0x1000, found -1'],
    ],
    ['a size of 0', region({ size: 0 }), ['region "SRAM": size is 0, expected bytes or null (not known)']],
    [
      'a fraction of a byte',
      region({ origin: 0.5 }),
      ['regions[0].origin: expected bytes such as 4096, 4K, 4KiB, 4kB or 0x1000, found 0.5'],
    ],
    [
      'no size and no origin',
      { ...BOARD, regions: [{ name: 'R' }] },
      [
        'region "R": origin is missing, expected an address or null',
        'region "R": size is missing, expected bytes or null (not known)',
      ],
    ],
    [
      'a region without a name',
      { ...BOARD, regions: [SRAM, { origin: 0, size: 1 }] },
      ['regions[1].name: missing, expected a name'],
    ],
    [
      'a name that flags cannot carry',
      region({ name: 'A=B' }),
      ['regions[0].name: expected a name of letters, digits, "_", "-" and ".", found "A=B"'],
    ],
    [
      'a name twice',
      { ...BOARD, regions: [SRAM, { ...SRAM, origin: 0x30000000 }] },
      ['regions[1].name: "SRAM" is given twice'],
    ],
    [
      'a main that is not there',
      { ...BOARD, main: 'DTCM' },
      ['main: expected a region (SRAM), found "DTCM"'],
    ],
    [
      'a main that is not usable',
      { ...region({ usableForData: false }), main: 'SRAM' },
      ['main: region "SRAM" has usableForData false; choose another or set it true'],
    ],
    [
      'no usable region',
      region({ kind: 'itcm' }),
      ['main: no region can hold data; usableForData is false for all of SRAM'],
    ],
    [
      'a stack that is not there',
      { ...BOARD, stack: 'X' },
      ['stack: expected a region (SRAM) or null, found "X"'],
    ],
    [
      'address 0',
      region({ origin: 0, usableForData: true }),
      ['region "SRAM": holds address 0, where a tensor would look like a null pointer; start it above 0'],
    ],
    [
      'an alignment of 12',
      { ...BOARD, recommendedAlign: { tensorDefault: 12 } },
      ['recommendedAlign.tensorDefault: expected a power of two, found 12'],
    ],
    [
      'a build that is none',
      { ...BOARD, cpu: { core: 'cortex-m4', cmsisNnBuild: 'neon' } },
      ['cpu.cmsisNnBuild: expected one of "scalar", "dsp", "mve", found "neon"'],
    ],
    [
      'memories that overlap by a byte',
      { ...BOARD, regions: [SRAM, { name: 'B', origin: 0x2000ffff, size: 8 }] },
      ['regions "SRAM" and "B" both hold address 0x2000ffff'],
    ],
    [
      'two memories inside one',
      {
        ...BOARD,
        regions: [
          SRAM,
          { name: 'B', origin: 0x20000010, size: 8 },
          { name: 'C', origin: 0x20000100, size: null },
        ],
      },
      [
        'regions "SRAM" and "B" both hold address 0x20000010',
        'regions "SRAM" and "C" both hold address 0x20000100',
      ],
    ],
    [
      'an alias on another memory',
      {
        ...BOARD,
        regions: [SRAM, { name: 'B', origin: 0x10000000, size: 8, aliasOrigins: [0x20000004] }],
      },
      ['regions "SRAM" and "B" both hold address 0x20000004'],
    ],
    [
      'a memory past 4 GiB',
      region({ origin: 0xfffffff0, size: 17 }),
      ['region "SRAM": ends at 0x100000001, beyond the address space'],
    ],
    [
      'two faults',
      { ...BOARD, vendor: 3, regions: [{ ...SRAM, dma: { reachable: 'MDMA' } }] },
      ['vendor: expected a text, found 3', 'regions[0].dma.reachable: expected a list, found "MDMA"'],
    ],
  ])('%s', (_, content, expected) => {
    expect(faultsOf(fileOf(content))).toEqual(expected);
  });

  it('touching memories are no overlap, and 64-bit cores reach past 4 GiB', () => {
    expect(
      faultsOf(fileOf({ ...BOARD, regions: [SRAM, { name: 'B', origin: 0x20010000, size: 8 }] })),
    ).toEqual([]);
    expect(
      faultsOf(fileOf({ ...region({ origin: 0x880000000, size: '2G' }), cpu: { core: 'cortex-a53' } })),
    ).toEqual([]);
  });

  it('a file that is not JSON, not there, or a folder', () => {
    expect(faultsOf(fileOf('{"id": '))[0]).toMatch(/is not JSON/);
    expect(faultsOf(join(folder, 'none.json'))[0]).toMatch(/^There is no target file/);
    expect(faultsOf(`${folder}/`)[0]).toMatch(/cannot be read \(EISDIR\)/);
  });
});

describe('an unknown name', () => {
  function hintFor(name: string): string | null {
    try {
      loadTarget(name);
    } catch (error) {
      return (error as MemplanError).diagnostics[0]!.hint;
    }
    return null;
  }

  it.each([
    ['nrf52480', 'nrf52840'],
    ['rp2400', 'rp2040'],
    ['Corstone300', 'corstone300-an547'],
    ['stm32h7432', 'stm32h743'],
  ])('%s brings up %s first', (name, near) => {
    expect(faultsOf(name)).toEqual([`There is no target "${name}".`]);
    expect(hintFor(name)?.replace(/^Did you mean ([^,?]*).*$/, '$1')).toBe(near);
  });

  it.each(['zilog-z80', 'constructor', '__proto__', 'index', ''])('%j brings up nothing', (name) => {
    expect(faultsOf(name)).toEqual([`There is no target "${name}".`]);
    expect(hintFor(name)).toBe('"memplan targets" lists what is built in.');
  });
});
