/** Holds a linked firmware against its plan: where the arenas have come to lie, and what that leaves of each region. */
import { arenaAlignment } from '../emit/alignment.ts';
import { arenaName, hashSuffix, poolName, sharedPrefix } from '../emit/symbols.ts';
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { Plan, PlanRegion } from '../plan/types.ts';
import type { Elf, ElfSymbol } from './types.ts';

/** One array of the firmware in a region: an arena, or the pool in what it leaves. */
export interface FirmwareArray {
  readonly symbol: string;
  readonly kind: 'arena' | 'pool';
  readonly address: number;
  readonly bytes: number;
}

export interface FirmwareRegion {
  readonly name: string;
  readonly arrays: readonly FirmwareArray[];
  /** The arena lies in the region; null: where that lies is not known. */
  readonly placed: boolean | null;
  /** Bytes of other sections in the region, and what is left; null: where it lies or its size is not known. */
  readonly others: number | null;
  readonly left: number | null;
}

export interface Firmware {
  readonly regions: readonly FirmwareRegion[];
  readonly faults: readonly Diagnostic[];
}

/** Faults are E_FIRMWARE, one for each promise of the plan that the firmware breaks. */
export function checkFirmware(elf: Elf, plan: Plan): Firmware {
  const prefix = sharedPrefix(plan) ?? '';
  const faults: Diagnostic[] = [];
  const report = (text: string, hint: string) => faults.push(diagnostic('E_FIRMWARE', text, { hint }));
  const regions = plan.regions.map((region): FirmwareRegion => {
    const arena = find(elf, arenaName(prefix, region.c), plan);
    const pool = find(elf, poolName(prefix, region.c), plan);
    if (typeof arena === 'string') {
      const why = arena === ABSENT ? absentText(elf, plan) : arena;
      report(`${region.name}: ${why}.`, LINK_IT);
    }
    if (typeof pool === 'string' && pool !== ABSENT) report(`${region.name}: ${pool}.`, LINK_IT);
    const arrays = [arrayOf(arena, 'arena'), arrayOf(pool, 'pool')].filter((found) => found !== undefined);
    for (const [symbol, array] of arrays) checkArray(elf, region, symbol, array, report);
    return {
      name: region.name,
      arrays: arrays.map(([, array]) => array),
      placed: isPlaced(region, arrays),
      ...room(elf, region, arrays),
    };
  });
  return { regions, faults };
}

const ABSENT = 'its arena is not in the firmware';
/** An arena of any plan, with the hash of the plan. */
const ANY_ARENA = /_arena_\w+_([0-9a-f]{8})$/;
const LINK_IT = 'link the .c file of this plan, with --arena static or extern';

type Report = (text: string, hint: string) => void;
type Found = readonly [symbol: ElfSymbol, array: FirmwareArray];

/** The array of the plan; a sentence when there is none, or that of another plan. */
function find(elf: Elf, name: string, { planHash }: Plan): ElfSymbol | string {
  const suffix = hashSuffix(planHash);
  const wanted = [`${name}_${suffix}`, name];
  const found = elf.symbols.find((s) => s.section !== undefined && wanted.includes(s.name));
  if (found !== undefined) return found;
  const other = new RegExp(`^${name}_[0-9a-f]{8}$`);
  const stale = elf.symbols.find((s) => s.section !== undefined && other.test(s.name));
  if (stale === undefined) return ABSENT;
  return `the firmware holds ${stale.name}, which belongs to another plan; this one is ${suffix}`;
}

/** Why there is no arena of the plan: that of another model or of another memory tells which plan was linked. */
function absentText(elf: Elf, { planHash }: Plan): string {
  const other = elf.symbols.find((s) => s.section !== undefined && ANY_ARENA.test(s.name));
  const hash = ANY_ARENA.exec(other?.name ?? '')?.[1];
  if (other === undefined || hash === hashSuffix(planHash)) return ABSENT;
  return `${ABSENT}, which was built from the plan ${hash} (it holds ${other.name}); this one is ${hashSuffix(planHash)}`;
}

function arrayOf(found: ElfSymbol | string, kind: FirmwareArray['kind']): Found | undefined {
  if (typeof found === 'string') return undefined;
  return [found, { symbol: found.name, kind, address: found.address, bytes: found.size }];
}

function checkArray(
  elf: Elf,
  region: PlanRegion,
  symbol: ElfSymbol,
  { kind, address, bytes }: FirmwareArray,
  report: Report,
): void {
  const what = `${region.name}: the ${kind} ${symbol.name} at ${hex(address)}`;
  const section = elf.sections[symbol.section!]!;
  const script =
    'list its section in the linker script, before *(.bss .bss.*); --emit ld writes such a fragment';
  const { origin, capacity, reserved } = region;
  if (kind === 'arena' && bytes < region.used) {
    report(`${what} has ${bytes} bytes, and the plan needs ${region.used}.`, LINK_IT);
  }
  if (origin !== null && capacity !== null && !(address >= origin && address + bytes <= origin + capacity)) {
    const place = `${hex(origin)} to ${hex(origin + capacity)}`;
    report(`${what} does not lie in the region, ${place}, with all its ${bytes} bytes.`, script);
  }
  const alignment = arenaAlignment(region.alignment);
  if (kind === 'arena' && address % alignment !== 0) {
    report(`${what} is not aligned to ${alignment} bytes.`, script);
  }
  if (!section.nobits) {
    const hint = 'a section whose name begins with .bss, marked NOLOAD, costs nothing';
    report(`${what} lies in ${section.name}, which has its bytes in the flash image.`, hint);
  }
  for (const name of neighbours(elf, symbol, address, bytes)) {
    report(`${what} shares bytes with ${name}.`, 'the linker script puts two things into one place');
  }
  if (kind === 'arena' && capacity !== null && bytes + reserved > capacity) {
    report(`${what} and the ${reserved} reserved bytes are more than the ${capacity} there are.`, script);
  }
}

function isPlaced({ origin, capacity }: PlanRegion, arrays: readonly Found[]): boolean | null {
  if (origin === null || capacity === null) return null;
  return arrays.some(([, { kind, address, bytes }]) => {
    return kind === 'arena' && address >= origin && address + bytes <= origin + capacity;
  });
}

/** Sections, and variables of its own section, that have bytes of an array. */
function neighbours(elf: Elf, symbol: ElfSymbol, address: number, bytes: number): readonly string[] {
  const overlaps = (from: number, size: number) =>
    size > 0 && from < address + bytes && address < from + size;
  const sections = elf.sections.filter(
    (s, i) => s.allocated && i !== symbol.section && overlaps(s.address, s.size),
  );
  const variables = elf.symbols.filter(
    (s) =>
      s.section === symbol.section &&
      overlaps(s.address, s.size) &&
      (s.address !== address || s.size !== symbol.size),
  );
  return [...sections, ...variables].map(({ name }) => name);
}

/** Bytes of the region that sections take: each is counted once. */
function room(
  elf: Elf,
  { origin, capacity }: PlanRegion,
  arrays: readonly Found[],
): Pick<FirmwareRegion, 'others' | 'left'> {
  if (origin === null || capacity === null) return { others: null, left: null };
  const end = origin + capacity;
  const inside = elf.sections
    .filter((s) => s.allocated && s.size > 0 && s.address < end && s.address + s.size > origin)
    .map((s) => ({ from: Math.max(s.address, origin), to: Math.min(s.address + s.size, end) }))
    .sort((a, b) => a.from - b.from);
  let taken = 0;
  let at = origin;
  for (const { from, to } of inside) {
    if (to <= at) continue;
    taken += to - Math.max(from, at);
    at = to;
  }
  const own = arrays.reduce((sum, [, { address, bytes }]) => {
    return sum + Math.max(0, Math.min(address + bytes, end) - Math.max(address, origin));
  }, 0);
  return { others: Math.max(0, taken - own), left: capacity - taken };
}

function hex(address: number): string {
  return `0x${address.toString(16).toUpperCase().padStart(8, '0')}`;
}
