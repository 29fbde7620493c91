/** A target file as it was written: which fields it may have, and how one file extends another. */
import {
  bytes,
  count,
  type Draft,
  type Faults,
  flag,
  listOf,
  name,
  nullable,
  object,
  oneOf,
  powerOfTwo,
  type Reader,
  text,
} from './fields.ts';

const DMA = { reachable: listOf(text), notReachable: listOf(text) };

const REGION = {
  name,
  origin: nullable(bytes),
  size: nullable(bytes),
  kind: text,
  usableForData: flag,
  cacheable: nullable(flag),
  speedRank: count,
  dma: nullable(object(DMA)),
  init: nullable(text),
  bus: nullable(text),
  aliasOrigins: listOf(bytes),
  notes: nullable(text),
};

const CPU = {
  core: text,
  cores: count,
  fpu: nullable(text),
  dsp: nullable(flag),
  mve: nullable(flag),
  dcache: nullable(flag),
  dcacheLineBytes: nullable(powerOfTwo),
  dcacheBytes: nullable(bytes),
  l2Bytes: nullable(bytes),
  gccFlags: nullable(text),
  cmsisNnBuild: nullable(oneOf('scalar', 'dsp', 'mve')),
  mpu: nullable(text),
};

const ALIGN = { tensorDefault: powerOfTwo, dma: nullable(powerOfTwo), cacheLine: nullable(powerOfTwo) };

const VARIANT = {
  name,
  regions: listOf(object(REGION)),
  without: listOf(text),
  main: text,
  notes: nullable(text),
};

const TARGET = {
  id: name,
  extends: text,
  aliases: listOf(name),
  vendor: nullable(text),
  family: nullable(text),
  cpu: object(CPU),
  flashBytes: nullable(bytes),
  main: text,
  stack: nullable(text),
  regions: listOf(object(REGION)),
  recommendedAlign: object(ALIGN),
  variants: listOf(object(VARIANT)),
  notes: nullable(text),
  unverifiedFields: listOf(text),
  source: listOf(text),
};

export type RegionDraft = Draft<typeof REGION>;
export type VariantDraft = Draft<typeof VARIANT>;
export type TargetDraft = Draft<typeof TARGET>;

/** Reads what a file states; faults carry their path in the file. */
export const readDraft: Reader<TargetDraft> = (value, path, faults) => {
  const draft = object(TARGET)(value, path, faults);
  if (draft?.regions !== undefined) checkNames(draft.regions, faults);
  return draft;
};

function checkNames(regions: readonly RegionDraft[], faults: Faults): void {
  const seen = new Set<string>();
  for (const [i, region] of regions.entries()) {
    const at = `regions[${i}].name:`;
    if (region.name === undefined) {
      if (!faults.some((f) => f.startsWith(at))) faults.push(`${at} missing, expected a name`);
    } else if (seen.has(region.name)) {
      faults.push(`${at} "${region.name}" is given twice`);
    } else {
      seen.add(region.name);
    }
  }
}

/**
 * `own` on top of `base`: fields replace fields, regions of the same name are merged field by field, new regions
 * are appended, sources add up. Aliases belong to one file and are not inherited.
 */
export function extendDraft(base: TargetDraft, own: TargetDraft): TargetDraft {
  return {
    ...base,
    ...own,
    aliases: own.aliases ?? [],
    cpu: { ...base.cpu, ...own.cpu },
    recommendedAlign: { ...base.recommendedAlign, ...own.recommendedAlign },
    regions: extendRegions(base.regions ?? [], own.regions ?? []),
    source: [...(base.source ?? []), ...(own.source ?? [])],
  };
}

function extendRegions(base: readonly RegionDraft[], own: readonly RegionDraft[]): readonly RegionDraft[] {
  const byName = new Map(base.map((region) => [region.name, region]));
  for (const region of own) byName.set(region.name, { ...byName.get(region.name), ...region });
  return [...byName.values()];
}
