/** The view of a region's arena. */
import type { Plan, PlanRegion, PlanTensor } from '../plan/types.ts';
import type { Target } from '../target/types.ts';
import { addressAlignment, arenaAlignment } from './alignment.ts';
import { commentText } from './comment.ts';
import { hexadecimal, unsigned } from './literals.ts';
import { regionAbout } from './prose.ts';
import type { RegionView } from './view-types.ts';

/** Sizes from here on need a compiler with 64-bit addresses. */
const LARGE = 2 ** 31;

/**
 * Views by index in `plan.regions`. `sections` overrules the linker section by region, '' puts the arena among ordinary
 * data; by default it has one of its own unless the region is where ordinary data lies anyway. It begins with `.bss`:
 * compilers give any other name bytes in the image.
 */
export function regionViews(
  plan: Plan,
  target: Target,
  P: string,
  sections: ReadonlyMap<string, string>,
  alignmentOf: (tensor: PlanTensor) => number,
): readonly RegionView[] {
  const least = new Map<string, number>();
  for (const t of plan.tensors) {
    if (t.region === null) continue;
    least.set(t.region, Math.max(least.get(t.region) ?? 1, addressAlignment(alignmentOf(t))));
  }
  return plan.regions.map((region, index) => {
    const usual = region.name === target.stack ? '' : `.bss.memplan.${region.c.toLowerCase()}`;
    const section = sections.get(region.name) ?? usual;
    return regionView(region, index, P, section, least.get(region.name) ?? 1);
  });
}

function regionView(
  region: PlanRegion,
  index: number,
  P: string,
  section: string,
  leastAlignment: number,
): RegionView {
  const macro = `${P}_R_${region.c}`;
  const alignment = arenaAlignment(region.alignment);
  return {
    name: commentText(region.name),
    macro,
    indexMacro: `${P}_REGION_${region.c}`,
    index: unsigned(index),
    array: `${P.toLowerCase()}_arena_${region.c.toLowerCase()}`,
    elements: region.used === 0 ? '1u' : `${macro}_SIZE`,
    size: unsigned(region.used),
    alignment: unsigned(alignment),
    alignmentNumber: String(alignment),
    section,
    origin: region.origin === null ? '' : hexadecimal(region.origin),
    capacity: region.capacity === null ? '' : unsigned(region.capacity),
    reserved: unsigned(region.reserved),
    leastAlignment: unsigned(leastAlignment),
    large: region.used >= LARGE,
    checkable: region.origin !== null && region.capacity !== null,
    about: commentText(regionAbout(region)),
  };
}
