/** The memories of a chip that a plan may use, home first. */
import type { Region, Target } from '../target/types.ts';
import { type Mpu, mpuRoom } from './mpu.ts';
import type { Memory } from './types.ts';

/** What placement needs to know of the chip. */
export interface Chip {
  readonly regions: readonly Region[];
  /** Bytes of a line of the data cache; 1 without one. */
  readonly line: number;
  /** Every arena is to be one region of the MPU. */
  readonly mpu: Mpu | undefined;
}

/** Kinds that nothing is put into unless they are named: they survive resets, or lie off the chip. */
const ONLY_WHEN_NAMED: ReadonlySet<string> = new Set(['backup', 'ext']);

/** Every memory for data on the chip that works without being asked for; home, whatever it is, first. */
export function usableRegions(regions: readonly Region[], home: Region): readonly Region[] {
  const others = regions.filter(
    (region) => region !== home && region.usableForData && !ONLY_WHEN_NAMED.has(region.kind),
  );
  return [home, ...others];
}

/** `reserve`: bytes by name. `alignment`: of the arena's base; where address 0 is, so many bytes stay unused. */
export function memoryOf(
  region: Region,
  chip: Chip,
  reserve: ReadonlyMap<string, number>,
  alignment: number,
): Memory {
  const { name, size, speedRank, origin } = region;
  const all = size ?? Number.POSITIVE_INFINITY;
  const room = Math.max(0, all - reservedIn(region, reserve, alignment));
  return {
    name,
    room: chip.mpu === undefined ? room : mpuRoom(chip.mpu, origin, room),
    rank: speedRank,
    cached: isCached(region, chip.line),
  };
}

/** A memory of which nothing is said counts as cached where the core has a data cache. */
export function isCached({ cacheable }: Pick<Region, 'cacheable'>, line: number): boolean {
  return cacheable !== false && line > 1;
}

/** Bytes of a line of the data cache; 1 without one. */
export function cacheLine({ cpu, recommendedAlign }: Target): number {
  if (cpu.dcache === false) return 1;
  return cpu.dcacheLineBytes ?? recommendedAlign.cacheLine ?? recommendedAlign.dma ?? 1;
}

/** A tensor at address 0 would look like a null pointer. */
export function reservedIn(
  { name, origin }: Region,
  reserve: ReadonlyMap<string, number>,
  alignment: number,
): number {
  const reserved = reserve.get(name) ?? 0;
  return origin === 0 ? Math.max(reserved, alignment) : reserved;
}
