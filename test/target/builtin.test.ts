/** Every built-in target: the promises that plans rely on, and the facts of the shared collection where it is there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listTargets, loadTarget } from '../../src/target/load.ts';
import type { Region } from '../../src/target/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';

const GENERIC = ['cortex-a53', 'cortex-m0plus', 'cortex-m33', 'cortex-m4', 'cortex-m55', 'cortex-m7'];

const targets = listTargets().map(loadTarget);

/** Ends of a region and of its aliases; a region of unknown size counts as one byte. */
function spans(region: Region): { from: number; to: number }[] {
  const origins = [region.origin, ...region.aliasOrigins].filter((o) => o !== null);
  return origins.map((from) => ({ from, to: from + (region.size ?? 1) }));
}

describe('the built-in targets', () => {
  it('are 86 chips and boards and 6 generic cores, each under its own name and sorted', () => {
    const ids = listTargets();
    expect(ids).toHaveLength(92);
    expect(ids).toEqual([...ids].sort());
    expect(targets.map((t) => t.id)).toEqual(ids);
    expect(ids.filter((id) => GENERIC.includes(id))).toEqual(GENERIC);
  });

  it('share no name: an alias leads to one target and is no id', () => {
    const names = targets.flatMap((t) => [t.id, ...t.aliases]);
    expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([]);
    expect(names.filter((n) => n !== n.toLowerCase())).toEqual([]);
  });

  it.each(targets)('$id resolves from each of its aliases, in capitals too', (target) => {
    for (const name of [target.id, ...target.aliases]) {
      expect(loadTarget(name.toUpperCase()).id).toBe(target.id);
    }
  });

  it.each(targets)('$id has memories that do not overlap and never offers address 0', (target) => {
    const all = target.regions.flatMap(spans);
    for (const [i, a] of all.entries()) {
      for (const b of all.slice(i + 1)) expect(a.to <= b.from || b.to <= a.from).toBe(true);
    }
    for (const region of target.regions) {
      expect(region.size === null || (Number.isInteger(region.size) && region.size >= 1024)).toBe(true);
      if (region.origin === 0 || ['itcm', 'code'].includes(region.kind)) {
        expect(region.usableForData).toBe(false);
      }
    }
  });

  it.each(targets)(
    '$id plans into a region that is usable, and on the chip unless it runs an OS',
    (target) => {
      const main = target.regions.find((r) => r.name === target.main)!;
      expect(main.usableForData).toBe(true);
      if (target.cpu.mpu !== 'MMU') {
        expect(main.kind).not.toBe('ext');
        const sizes = target.regions.filter((r) => r.kind === main.kind).map((r) => r.size ?? 0);
        expect(main.size ?? 0).toBe(Math.max(...sizes));
      }
    },
  );

  it.each(targets)('$id asks for alignments that hold the cache line of its core', (target) => {
    const { tensorDefault, dma, cacheLine } = target.recommendedAlign;
    const line =
      target.cpu.dcache === true ? ({ 'cortex-a53': 64, rv64gc: 64 }[target.cpu.core] ?? 32) : null;
    if (target.cpu.dcacheLineBytes !== null) expect(target.cpu.dcacheLineBytes).toBe(line);
    expect(cacheLine).toBe(target.cpu.dcacheLineBytes);
    expect(dma! % (cacheLine ?? 4)).toBe(0);
    expect(tensorDefault % 16).toBe(0);
  });

  it.each(targets)('$id names the build of CMSIS-NN that its core runs', ({ cpu }) => {
    const builds = [
      { cores: /^cortex-m(0plus|3)$/, build: 'scalar' },
      { cores: /^cortex-m(4|7|33)$/, build: 'dsp' },
      { cores: /^cortex-m(55|85)$/, build: 'mve' },
    ];
    expect(cpu.cmsisNnBuild).toBe(builds.find((b) => b.cores.test(cpu.core))?.build ?? null);
    if (cpu.core.startsWith('cortex-m')) expect(cpu.gccFlags).toMatch(`-mcpu=${cpu.core} `);
  });

  it.each(GENERIC)('%s is one region RAM of unknown size and place', (id) => {
    const { cpu, regions, main } = loadTarget(id);
    expect(cpu.core).toBe(id);
    expect(main).toBe('RAM');
    expect(regions.map((r) => [r.name, r.origin, r.size])).toEqual([['RAM', null, null]]);
  });
});

describe('well-known memory maps', () => {
  // ST's device headers: stm32h743xx.h, stm32f746xx.h, stm32f407xx.h; sizes in KiB.
  it.each([
    ['stm32h743', 'DTCM', 0x20000000, 128],
    ['stm32h743', 'AXISRAM', 0x24000000, 512],
    ['stm32h743', 'SRAM1', 0x30000000, 128],
    ['stm32h743', 'SRAM4', 0x38000000, 64],
    ['stm32f746', 'SRAM1', 0x20010000, 240],
    ['stm32f407', 'CCMRAM', 0x10000000, 64],
    ['nrf52840', 'RAM', 0x20000000, 256],
    ['mps2-an500', 'SSRAM23', 0x20000000, 4096],
  ])('%s has %s at %i, %i KiB', (id, name, origin, kib) => {
    const region = loadTarget(id).regions.find((r) => r.name === name);
    expect([region?.origin, region?.size]).toEqual([origin, kib * 1024]);
  });

  it('the DTCM of an STM32H7 is out of reach for DMA1, DMA2 and BDMA', () => {
    const dtcm = loadTarget('stm32h743').regions.find((r) => r.name === 'DTCM');
    expect(dtcm?.dma).toEqual({ reachable: ['MDMA'], notReachable: ['DMA1', 'DMA2', 'BDMA'] });
  });
});

interface Collected {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly main: string;
  readonly flashBytes: number | null;
  readonly source: readonly string[];
  readonly unverifiedFields: readonly string[];
  readonly recommendedAlign: object;
  readonly regions: readonly {
    readonly name: string;
    readonly origin: number | null;
    readonly size: number | null;
  }[];
}

/** The collection lists the most that each memory may have; a target, what they have together (test/target/variants.test.ts). */
const SHARED_BANKS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  stm32n657x0: { ITCM: 64 * 1024, DTCM: 128 * 1024 },
  teensy41: { DTCM: 480 * 1024 },
};

const shared = corpus();

describe('the collection of facts', () => {
  it.skipIf(shared === undefined)(
    `agrees with every target (${shared === undefined ? CORPUS_MISSING : 'found'})`,
    () => {
      const text = readFileSync(join(shared!, 'data', 'targets.json'), 'utf8');
      const collected = (JSON.parse(text) as { targets: Collected[] }).targets;
      expect(collected).toHaveLength(86);
      for (const fact of collected) {
        const target = loadTarget(fact.id);
        expect(target.aliases).toEqual(fact.aliases);
        expect([target.main, target.flashBytes]).toEqual([fact.main, fact.flashBytes]);
        // What was added since has sources of its own.
        expect(target.source).toEqual(expect.arrayContaining([...fact.source]));
        expect(target.recommendedAlign).toEqual(fact.recommendedAlign);
        // The note about virtual addresses is no field: it stands among the notes.
        const unverified = fact.unverifiedFields.filter(
          (field) => !field.startsWith('under Linux') && !field.startsWith('TCM size'),
        );
        expect(target.unverifiedFields).toEqual(expect.arrayContaining(unverified));
        // A board's DDR at physical address 0 has no fixed address for a program.
        const memories = fact.regions.map(({ name, origin, size }) => ({
          name,
          origin: name === 'DDR' && origin === 0 ? null : origin,
          size: SHARED_BANKS[fact.id]?.[name] ?? size,
        }));
        expect(target.regions.map(({ name, origin, size }) => ({ name, origin, size }))).toEqual(memories);
      }
    },
  );
});
