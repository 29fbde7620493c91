/** The memories of a chip that a plan may use, home first. */
import type { Region } from '../target/types.ts';
import type { Memory } from './types.ts';

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
export function memoryOf(region: Region, reserve: ReadonlyMap<string, number>, alignment: number): Memory {
  const { name, size, speedRank } = region;
  return {
    name,
    room:
      size === null ? Number.POSITIVE_INFINITY : Math.max(0, size - reservedIn(region, reserve, alignment)),
    rank: speedRank,
  };
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
