/** From what target files state to a whole target: required fields, defaults, and what must be true of memories. */
import type { RegionDraft, TargetDraft } from './draft.ts';
import type { Faults } from './fields.ts';
import type { Cpu, RecommendedAlign, Region, Target } from './types.ts';

/** A heuristic order, not measured: memories beside the core, on the bus, kept alive by a battery, off the chip. */
const SPEED_RANKS: Readonly<Record<string, number>> = {
  itcm: 0,
  dtcm: 0,
  ccm: 0,
  sram: 1,
  backup: 4,
  ext: 5,
};

/** Memories that hold instructions: nothing is placed there unless asked. */
const INSTRUCTION_KINDS: ReadonlySet<string> = new Set(['itcm', 'code']);

const MOST_ADDRESS_32 = 2 ** 32;

/**
 * Fills in the defaults. `generic` is the built-in target of the same core: what the file does not say about the
 * core and about alignments is taken from there. Returns undefined, with faults noted, when the target cannot be.
 */
export function completeTarget(
  draft: TargetDraft,
  generic: TargetDraft | undefined,
  faults: Faults,
): Target | undefined {
  const core = draft.cpu?.core;
  if (draft.id === undefined) faults.push('id: missing, expected a name');
  if (core === undefined) faults.push('cpu.core: missing, expected a text such as "cortex-m7"');
  if ((draft.regions ?? []).length === 0) faults.push('regions: expected at least one region');
  const regions = (draft.regions ?? []).map((region) => completeRegion(region, faults));
  if (faults.length > 0 || draft.id === undefined || core === undefined) return undefined;
  const target: Target = {
    id: draft.id,
    aliases: draft.aliases ?? [],
    vendor: draft.vendor ?? null,
    family: draft.family ?? null,
    cpu: completeCpu(core, { ...generic?.cpu, ...draft.cpu }),
    flashBytes: draft.flashBytes || null,
    regions,
    main: draft.main ?? defaultMain(regions),
    stack: draft.stack === undefined ? defaultStack(regions) : draft.stack,
    recommendedAlign: completeAlign({ ...generic?.recommendedAlign, ...draft.recommendedAlign }),
    variants: (draft.variants ?? []).map(({ name = '', notes = null }) => ({ name, notes })),
    remarks: [],
    notes: draft.notes ?? null,
    source: draft.source ?? [],
    unverifiedFields: draft.unverifiedFields ?? [],
  };
  checkMain(target, faults);
  checkAddresses(target, faults);
  return faults.length > 0 ? undefined : target;
}

function completeRegion(draft: RegionDraft, faults: Faults): Region {
  const label = `region "${draft.name}"`;
  if (draft.origin === undefined) faults.push(`${label}: origin is missing, expected an address or null`);
  if (draft.size === undefined) faults.push(`${label}: size is missing, expected bytes or null (not known)`);
  if (draft.size === 0) faults.push(`${label}: size is 0, expected bytes or null (not known)`);
  const kind = draft.kind ?? 'sram';
  const atZero = draft.origin === 0;
  if (atZero && draft.usableForData === true) {
    faults.push(`${label}: holds address 0, where a tensor would look like a null pointer; start it above 0`);
  }
  const dma = draft.dma ?? null;
  return {
    name: draft.name ?? '',
    origin: draft.origin ?? null,
    size: draft.size ?? null,
    kind,
    usableForData: draft.usableForData ?? (!INSTRUCTION_KINDS.has(kind) && !atZero),
    cacheable: draft.cacheable ?? null,
    speedRank: draft.speedRank ?? SPEED_RANKS[kind] ?? 1,
    dma: dma === null ? null : { reachable: dma.reachable ?? [], notReachable: dma.notReachable ?? [] },
    init: draft.init ?? null,
    bus: draft.bus ?? null,
    aliasOrigins: draft.aliasOrigins ?? [],
    notes: draft.notes ?? null,
  };
}

function completeCpu(core: string, draft: NonNullable<TargetDraft['cpu']>): Cpu {
  return {
    core,
    cores: draft.cores ?? 1,
    fpu: draft.fpu ?? null,
    dsp: draft.dsp ?? null,
    mve: draft.mve ?? null,
    dcache: draft.dcache ?? null,
    dcacheLineBytes: draft.dcacheLineBytes ?? null,
    dcacheBytes: draft.dcacheBytes ?? null,
    l2Bytes: draft.l2Bytes ?? null,
    gccFlags: draft.gccFlags ?? null,
    cmsisNnBuild: draft.cmsisNnBuild ?? null,
    mpu: draft.mpu ?? null,
  };
}

/** 16 bytes suit every kernel library and vector unit named in the documentation. */
function completeAlign(draft: NonNullable<TargetDraft['recommendedAlign']>): RecommendedAlign {
  return {
    tensorDefault: draft.tensorDefault ?? 16,
    dma: draft.dma ?? null,
    cacheLine: draft.cacheLine ?? null,
  };
}

/** The largest on-chip memory for data; without one the largest at all. Of equals, the first. */
function defaultMain(regions: readonly Region[]): string {
  const usable = regions.filter((r) => r.usableForData);
  const onChip = usable.filter((r) => r.kind !== 'ext');
  let best: Region | undefined;
  for (const region of onChip.length > 0 ? onChip : usable) {
    if (best === undefined || (region.size ?? 0) > (best.size ?? 0)) best = region;
  }
  return best?.name ?? '';
}

/** Where there is but one memory for data, the stack lies in it; else it is not known. */
function defaultStack(regions: readonly Region[]): string | null {
  const usable = regions.filter((r) => r.usableForData);
  return usable.length === 1 ? usable[0]!.name : null;
}

function checkMain(target: Target, faults: Faults): void {
  const names = target.regions.map((r) => r.name).join(', ');
  const main = target.regions.find((r) => r.name === target.main);
  if (target.main === '') {
    faults.push(`main: no region can hold data; usableForData is false for all of ${names}`);
  } else if (main === undefined) {
    faults.push(`main: expected a region (${names}), found "${target.main}"`);
  } else if (!main.usableForData) {
    faults.push(`main: region "${main.name}" has usableForData false; choose another or set it true`);
  }
  if (target.stack !== null && !target.regions.some((r) => r.name === target.stack)) {
    faults.push(`stack: expected a region (${names}) or null, found "${target.stack}"`);
  }
}

interface Span {
  readonly region: string;
  readonly from: number;
  readonly to: number;
}

/** Regions must lie inside the address space and must not share addresses, aliases included. */
function checkAddresses(target: Target, faults: Faults): void {
  const most = target.cpu.core.startsWith('cortex-m') ? MOST_ADDRESS_32 : Number.MAX_SAFE_INTEGER;
  const spans: Span[] = [];
  for (const region of target.regions) {
    const origins = region.origin === null ? region.aliasOrigins : [region.origin, ...region.aliasOrigins];
    for (const from of origins) {
      const to = from + (region.size ?? 1);
      if (to > most) faults.push(`region "${region.name}": ends at ${hex(to)}, beyond the address space`);
      spans.push({ region: region.name, from, to });
    }
  }
  spans.sort((a, b) => a.from - b.from || a.to - b.to);
  let reaches: Span | undefined;
  for (const span of spans) {
    if (reaches !== undefined && span.from < reaches.to) {
      faults.push(`regions "${reaches.region}" and "${span.region}" both hold address ${hex(span.from)}`);
    }
    if (reaches === undefined || span.to > reaches.to) reaches = span;
  }
}

function hex(address: number): string {
  return `0x${address.toString(16).padStart(8, '0')}`;
}
