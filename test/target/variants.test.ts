/** Splits and joins of memories, and ST's lists of memory pools. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { listTargets, loadTarget } from '../../src/target/load.ts';
import { emptyFolder } from '../support/generated.ts';

const all = listTargets().map(loadTarget);
const sizesOf = (name: string) =>
  Object.fromEntries(loadTarget(name).regions.map(({ name, size }) => [name, size]));
const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof MemplanError)
      return error.diagnostics.map(({ text, hint }) => `${text} ${hint}`).join('\n');
    throw error;
  }
  return '';
};

describe('variants', () => {
  const names = all.flatMap(({ id, variants }) => variants.map(({ name }) => [`${id}:${name}`, id] as const));

  it('there are some, for FlexRAM, for the H72x and for contiguous memories', () => {
    expect(names.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'mimxrt1062:dtcm256',
        'stm32h723zg:itcm128',
        'stm32f407vg:joined',
        'stm32n657x0:tcm-large',
      ]),
    );
  });

  it.each(names)('%s is a whole target of its own', (name, id) => {
    const target = loadTarget(name);
    const base = loadTarget(id);
    expect(target.id).toBe(name.replace(':', '.'));
    expect(target.cpu).toEqual(base.cpu);
    expect(target.regions.some((region) => region.name === target.main)).toBe(true);
    // Splitting or joining makes no memory.
    const sum = (regions: typeof base.regions) => regions.reduce((bytes, { size }) => bytes + (size ?? 0), 0);
    expect(sum(target.regions)).toBeLessThanOrEqual(sum(base.regions));
  });

  /** Banks that several memories share, in KiB: no configuration has more, nor has the one that a target stands for. */
  const BANKS: readonly (readonly [string, readonly string[], number])[] = [
    // FlexRAM: 16 banks of 32 KiB.
    ['mimxrt1052', ['ITCM', 'DTCM', 'OCRAM'], 512],
    ['mimxrt1062', ['ITCM', 'DTCM', 'OCRAM_FLEXRAM'], 512],
    ['mimxrt1064', ['ITCM', 'DTCM', 'OCRAM_FLEXRAM'], 512],
    ['mimxrt1176-cm7', ['ITCM', 'DTCM'], 512],
    // The same 512, of which code takes one bank at least.
    ['teensy41', ['DTCM'], 480],
    // ITCM begins with 64 KiB of its own, and takes up to 192 of AXISRAM2.
    ['stm32h723zg', ['ITCM', 'AXISRAM2'], 256],
    ['stm32h725zg', ['ITCM', 'AXISRAM2'], 256],
    ['stm32h735ig', ['ITCM', 'AXISRAM2'], 256],
    // Each TCM has 64 KiB, and takes up to the 128 of one AXI SRAM.
    ['stm32h7s7l8', ['ITCM', 'SRAM1_AXI'], 192],
    ['stm32h7s7l8', ['DTCM', 'SRAM3_AXI'], 192],
    // 64 and 128 KiB of TCM and 1 MiB of AXISRAM1, of which larger TCMs take 400 KiB and give 320: ECC takes the rest.
    ['stm32n657x0', ['ITCM', 'DTCM', 'AXISRAM1'], 1216],
  ];

  it.each(BANKS)('%s: %j have %i KiB together, however they are split', (id, shared, most) => {
    const { variants } = loadTarget(id);
    for (const name of [id, ...variants.map((variant) => `${id}:${variant.name}`)]) {
      const sizes = sizesOf(name);
      const bytes = shared.reduce((sum, region) => sum + (sizes[region] ?? 0), 0);
      expect(bytes, name).toBeLessThanOrEqual(most * 1024);
    }
  });

  it('that split banks are all among those', () => {
    const split = all.filter(({ id, variants }) => {
      const base = sizesOf(id);
      return variants.some(({ name }) =>
        Object.entries(sizesOf(`${id}:${name}`)).some(([region, size]) => (base[region] ?? size) !== size),
      );
    });
    const known = new Set(BANKS.map(([id]) => id));
    expect(split.length).toBeGreaterThan(5);
    expect(split.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('of an STM32N6 begin with what it has after reset', () => {
    const KiB = 1024;
    expect(sizesOf('stm32n657')).toMatchObject({ ITCM: 64 * KiB, DTCM: 128 * KiB, AXISRAM1: 1024 * KiB });
    expect(sizesOf('stm32n657:tcm-large')).toMatchObject({
      ...{ ITCM: 256 * KiB, DTCM: 256 * KiB, AXISRAM1: 624 * KiB },
    });
  });

  it('move banks between memories', () => {
    expect(sizesOf('stm32h723:itcm128')).toMatchObject({ ITCM: 131072, AXISRAM1: 131072, AXISRAM2: 131072 });
    expect(sizesOf('stm32h723:ITCM256')).not.toHaveProperty('AXISRAM2');
    expect(sizesOf('mimxrt1062:dtcm384')).toMatchObject({ ITCM: 65536, DTCM: 393216, OCRAM_FLEXRAM: 65536 });
  });

  it('join what is contiguous and alike', () => {
    const { regions, main } = loadTarget('stm32f429zi:joined');
    expect(main).toBe('SRAM');
    expect(regions.find(({ name }) => name === 'SRAM')).toMatchObject({
      origin: 0x20000000,
      size: 192 * 1024,
    });
    expect(regions.map(({ name }) => name)).toEqual(['CCMRAM', 'BKPSRAM', 'SRAM']);
  });

  it('that are not there are named', () => {
    expect(messageOf(() => loadTarget('stm32h723:x'))).toMatch(/has no variant "x".*stm32h723:itcm128/);
    expect(messageOf(() => loadTarget('nrf52840:x'))).toMatch(/has no variant "x".*It has none/);
  });
});

describe('memory pools of ST', () => {
  /** In the form of the lists for STM32N6: offsets in bytes or KBYTES, a pool without bytes, flash that is read only. */
  const pool = (name: string, fname: string, offset: object, size: object, prop: object = {}) => {
    return {
      fname,
      name,
      fformat: 'FORMAT_RAW',
      prop: { rights: 'ACC_WRITE', latency: 'MID', ...prop },
      offset,
      size,
    };
  };
  const POOLS = {
    memory: {
      cacheinfo: [{ nlines: 512, linesize: 64 }],
      mem_file_prefix: 'atonbuf',
      mempools: [
        pool(
          'flexMEM',
          'AXIFLEXMEM',
          { value: '0x34000000', magnitude: 'BYTES' },
          { value: '0', magnitude: 'KBYTES' },
        ),
        pool(
          'cpuRAM2',
          'AXISRAM2',
          { value: '0x34100000', magnitude: 'BYTES' },
          { value: '1', magnitude: 'MBYTES' },
        ),
        pool(
          'npuRAM6',
          'AXISRAM6',
          { value: '855360', magnitude: 'KBYTES' },
          { value: '448', magnitude: 'KBYTES' },
          { latency: 'LOW' },
        ),
        pool(
          'hyperRAM',
          'xSPI1',
          { value: '0x90000000' },
          { value: '16', magnitude: 'MBYTES' },
          { latency: 'HIGH' },
        ),
        pool(
          'octoFlash',
          'xSPI2',
          { value: '0x70000000' },
          { value: '61', magnitude: 'MBYTES' },
          { rights: 'ACC_READ' },
        ),
      ],
    },
  };
  const load = (content: object, file = 'n6.mpool') => {
    const path = join(emptyFolder(), file);
    writeFileSync(path, JSON.stringify(content));
    return loadTarget(path);
  };

  it('are a target with a region for each pool that can be written', () => {
    const target = load(POOLS);
    expect(target).toMatchObject({ id: 'n6.mpool', main: 'cpuRAM2', cpu: { core: 'cortex-m55', mve: true } });
    expect(
      target.regions.map(({ name, origin, size, kind, speedRank }) => [name, origin, size, kind, speedRank]),
    ).toEqual([
      ['cpuRAM2', 0x34100000, 2 ** 20, 'sram', 2],
      ['npuRAM6', 0x34350000, 448 * 1024, 'sram', 1],
      ['hyperRAM', 0x90000000, 16 * 2 ** 20, 'ext', 5],
    ]);
    // AXISRAM6 of the built-in target must be woken up.
    expect(target.regions[1]?.init).toContain('wake it up');
    expect(target.remarks.join(' ')).toMatch(/KBYTES are 1024.*flexMEM, octoFlash.*stm32n657x0/);
  });

  it('may say whose core they are for', () => {
    const { cacheinfo: _, mem_file_prefix: __, ...memory } = POOLS.memory;
    expect(messageOf(() => load({ memory }))).toMatch(/core is not in the file: add "extends"/);
    expect(load({ extends: 'stm32h743', memory }, 'pools.json').cpu.core).toBe('cortex-m7');
    expect(load({ cpu: { core: 'cortex-m33' }, memory }, 'pools.json').cpu.core).toBe('cortex-m33');
  });

  it('name the place of what cannot be read', () => {
    const mempools = [
      pool('a', 'A', { value: 'x', magnitude: 'KBYTES' }, { value: '1', magnitude: 'PAGES' }),
    ];
    const message = messageOf(() => load({ extends: 'stm32h743', memory: { mempools } }));
    expect(message).toMatch(/memory\.mempools\[0\]\.size/);
    expect(message).toMatch(/memory\.mempools\[0\]\.offset/);
  });
});
