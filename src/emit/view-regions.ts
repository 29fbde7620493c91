/** The view of a region's arena. */
import { fail } from '../errors.ts';
import type { Plan, PlanRegion, PlanTensor } from '../plan/types.ts';
import type { Target } from '../target/types.ts';
import { addressAlignment, arenaAlignment } from './alignment.ts';
import { commentText } from './comment.ts';
import { hexadecimal, unsigned } from './literals.ts';
import { regionAbout } from './prose.ts';
import { arenaName, poolName, usualSection } from './symbols.ts';
import type { RegionView } from './view-types.ts';

/** Sizes from here on need a compiler with 64-bit addresses. */
const LARGE = 2 ** 31;

/**
 * Views by index in `plan.regions`. `suffix` ends the names of arrays where the linker sees them. `sections` overrules the linker section by region, '' puts the arena among ordinary
 * data; by default it has one of its own unless the region is where ordinary data lies anyway. It begins with `.bss`:
 * compilers give any other name bytes in the image. Throws E_USAGE for a section that no linker knows by that name,
 * and E_TARGET for regions whose names differ in case alone.
 */
export function regionViews(
  plan: Plan,
  target: Target,
  P: string,
  sections: ReadonlyMap<string, string>,
  alignmentOf: (tensor: PlanTensor) => number,
  suffix: string,
): readonly RegionView[] {
  const least = new Map<string, number>();
  for (const t of plan.tensors) {
    if (t.region === null) continue;
    least.set(t.region, Math.max(least.get(t.region) ?? 1, addressAlignment(alignmentOf(t))));
  }
  checkSections(plan, sections);
  checkNames(plan);
  return plan.regions.map((region, index) => {
    const usual = region.name === target.stack ? '' : usualSection(region.c);
    const section = sections.get(region.name) ?? usual;
    return regionView(region, index, P, section, least.get(region.name) ?? 1, suffix);
  });
}

function checkSections(plan: Plan, sections: ReadonlyMap<string, string>): void {
  for (const [name, section] of sections) {
    const known = plan.regions.map((r) => r.name);
    if (!known.includes(name)) {
      fail('E_USAGE', `--section: the plan has no arena in ${name}.`, {
        hint: `it has: ${known.join(', ')}`,
      });
    }
    if (!/^[A-Za-z0-9_.$-]*$/.test(section)) {
      const hint = `--section ${name}=.bss.memplan.${name.toLowerCase()}`;
      fail('E_USAGE', `--section: "${section}" is no name of a section.`, { hint });
    }
  }
}

function checkNames(plan: Plan): void {
  const seen = new Map<string, string>();
  for (const { name, c } of plan.regions) {
    const other = seen.get(c.toLowerCase());
    if (other !== undefined) fail('E_TARGET', `The regions ${other} and ${name} have one name in C.`);
    seen.set(c.toLowerCase(), name);
  }
}

function regionView(
  region: PlanRegion,
  index: number,
  P: string,
  section: string,
  leastAlignment: number,
  suffix: string,
): RegionView {
  const macro = `${P}_R_${region.c}`;
  const alignment = arenaAlignment(region.alignment);
  return {
    name: commentText(region.name),
    macro,
    indexMacro: `${P}_REGION_${region.c}`,
    index: unsigned(index),
    array: arenaName(P, region.c),
    elements: region.mpu !== undefined ? `${macro}_MPU_BYTES` : region.used === 0 ? '1u' : `${macro}_SIZE`,
    size: unsigned(region.used),
    alignment: unsigned(alignment),
    alignmentMacro: `${macro}_ALIGNMENT`,
    alignmentNumber: String(alignment),
    section,
    origin: region.origin === null ? '' : hexadecimal(region.origin),
    capacity: region.capacity === null ? '' : unsigned(region.capacity),
    reserved: unsigned(region.reserved),
    leastAlignment: unsigned(leastAlignment),
    large: region.used >= LARGE,
    checkable: region.origin !== null && region.capacity !== null,
    mpu: mpuView(region),
    init: commentText((region.init ?? '').replace(/\.$/, '')),
    about: commentText(regionAbout(region)),
    pool: poolView(region, P, alignment),
    poolElements: `${macro}_POOL_SIZE`,
    ...linkerView(region, P, suffix),
  };
}

/** Numbers as linker scripts write them. */
function linkerView(region: PlanRegion, P: string, suffix: string) {
  const { c, origin, capacity, used, mpu } = region;
  return {
    memory: `MEMPLAN_${c.toUpperCase()}`,
    outputSection: `.memplan_${c.toLowerCase()}`,
    linkSymbol: `${arenaName(P, c)}${suffix}`,
    poolSymbol: `${poolName(P, c)}${suffix}`,
    bounds:
      origin === null || capacity === null
        ? null
        : {
            region: c,
            first: `0x${origin.toString(16)}`,
            end: `0x${(origin + capacity).toString(16)}`,
            bytes: String(mpu?.bytes ?? used),
          },
  };
}

/** Where the fields of RASR begin (Armv7-M Architecture Reference Manual, MPU_RASR): SIZE is log2 of the bytes less 1. */
const RASR_SIZE = 1;
const RASR_SRD = 8;
const PARTS = 8;

function mpuView({ mpu }: PlanRegion): RegionView['mpu'] {
  if (mpu === undefined) return null;
  const { kind, bytes, regionBytes, partsLeftOut, alignment } = mpu;
  const left = partsLeftOut === 0 ? '' : `, the last ${partsLeftOut} eighths left out`;
  const disabled = ((1 << partsLeftOut) - 1) << (PARTS - partsLeftOut);
  const fields = (disabled << RASR_SRD) | ((Math.log2(regionBytes) - 1) << RASR_SIZE);
  return {
    about: `${kind}, ${regionBytes} bytes at a multiple of ${alignment}${left}`,
    bytes: unsigned(bytes),
    regionBytes: unsigned(regionBytes),
    fields: kind === 'PMSAv7' ? hexadecimal(fields) : '',
  };
}

/** Pools begin and end at multiples of it, or of the arena's alignment: the longest cache line of a target. */
const POOL_ALIGNMENT = 64;

/** The bytes behind the arena; whatever lies first in the region, it and the pool do not touch. */
function poolView(region: PlanRegion, P: string, arenaAlignment: number): RegionView['pool'] {
  const unit = Math.max(POOL_ALIGNMENT, arenaAlignment);
  const end = region.capacity === null ? null : Math.floor((region.capacity - region.reserved) / unit) * unit;
  const left = end === null ? null : end - Math.ceil((region.mpu?.bytes ?? region.used) / unit) * unit;
  const name = commentText(region.name);
  const about =
    left === null
      ? `${name}: how much there is, is not known: give the compiler ${P}_R_${region.c}_POOL_SIZE for a pool in it`
      : left > 0
        ? `${name}: the plan leaves ${left} bytes, less what else the firmware keeps there`
        : `${name}: the plan leaves nothing`;
  return {
    array: poolName(P, region.c),
    largest: left === null || left <= 0 ? '' : unsigned(left),
    alignment: String(unit),
    about,
  };
}
