/** What changed between two plans: arenas, peaks, tensors by growth. */
import { modelFiles, qualified } from '../plan/qualified.ts';
import type { How, Plan, PlanTensor } from '../plan/types.ts';
import { type SettingDifference, settingsThatDiffer } from './differences.ts';

export interface Change {
  /** Bytes; null where it did not exist. */
  readonly old: number | null;
  readonly new: number | null;
  readonly change: number;
}

export interface TensorChange extends Change {
  readonly name: string;
  readonly oldShape: readonly number[] | null;
  readonly newShape: readonly number[] | null;
  /** How it comes by its bytes. */
  readonly oldHow: How | null;
  readonly newHow: How | null;
  /** Live at the peak of the new plan. */
  readonly atPeak: boolean;
}

export interface PeakPlace {
  readonly step: number;
  /** The node's label; null in a plan without steps. */
  readonly node: string | null;
  readonly bytes: number;
}

export interface DiffDocument {
  readonly schema: 1;
  readonly same: boolean;
  /** Their files; of buckets the one that all of them are. */
  readonly models: { readonly old: readonly string[]; readonly new: readonly string[] };
  readonly targets: { readonly old: string; readonly new: string };
  /** What the plans were made with differently; empty: only the models differ. */
  readonly settings: readonly SettingDifference[];
  readonly arena: Change;
  readonly lowerBound: Change;
  readonly noReuse: Change;
  readonly weights: Change;
  /** Bytes are null in a plan that does not count it. */
  readonly scratch: Change;
  readonly regions: readonly (Change & { readonly name: string })[];
  readonly peak: {
    readonly old: PeakPlace;
    readonly new: PeakPlace;
    /** Tensors that are live at the peak now and were not before, and the other way round; the largest first. */
    readonly entered: readonly string[];
    readonly left: readonly string[];
  };
  /** Only those whose size, shape or sharing differs, by growth, then by name. */
  readonly tensors: readonly TensorChange[];
}

export function diffPlans(old: Plan, now: Plan): DiffDocument {
  const [before, after] = [qualified(old), qualified(now)];
  const total = (key: 'arenaBytes' | 'lowerBoundBytes' | 'noReuseBytes' | 'weightBytes' | 'scratchBytes') =>
    change(before.totals[key], after.totals[key]);
  return {
    schema: 1,
    same: before.planHash === after.planHash,
    models: { old: modelFiles(before), new: modelFiles(after) },
    targets: { old: before.target.id, new: after.target.id },
    settings: settingsThatDiffer(old, now),
    arena: total('arenaBytes'),
    lowerBound: total('lowerBoundBytes'),
    noReuse: total('noReuseBytes'),
    weights: total('weightBytes'),
    scratch: change(countedScratch(before), countedScratch(after)),
    regions: regionChanges(before, after),
    peak: {
      old: peakOf(before),
      new: peakOf(after),
      entered: atPeakOnlyIn(after, before),
      left: atPeakOnlyIn(before, after),
    },
    tensors: tensorChanges(before, after),
  };
}

function change(old: number | null, now: number | null): Change {
  return { old, new: now, change: (now ?? 0) - (old ?? 0) };
}

/** null: no scratch of any kernel is counted. */
function countedScratch({ totals: { complete, scratchBytes } }: Plan): number | null {
  return complete || scratchBytes > 0 ? scratchBytes : null;
}

function regionChanges(before: Plan, after: Plan): DiffDocument['regions'] {
  const names = new Set([...before.regions, ...after.regions].map(({ name }) => name));
  const used = (plan: Plan, name: string) => plan.regions.find((r) => r.name === name)?.used ?? null;
  return [...names].map((name) => ({ name, ...change(used(before, name), used(after, name)) }));
}

function peakOf({ peak, steps }: Plan): PeakPlace {
  return { step: peak.step, node: steps[peak.step]?.node ?? null, bytes: peak.bytes };
}

/** Tensors with bytes of their own that are live at the peak of the one plan and not at that of the other. */
function atPeakOnlyIn(plan: Plan, other: Plan): readonly string[] {
  const elsewhere = new Set(tensorsAtPeak(other).map(({ name }) => name));
  return tensorsAtPeak(plan)
    .filter(({ name, how }) => how === 'own' && !elsewhere.has(name))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

function tensorsAtPeak({ tensors, peak }: Plan): readonly PlanTensor[] {
  return tensors.filter(({ first, end, buffer }) => buffer !== null && first <= peak.step && peak.step < end);
}

function tensorChanges(before: Plan, after: Plan): readonly TensorChange[] {
  const [old, now] = [byName(before), byName(after)];
  const peak = after.peak.step;
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((key): TensorChange => {
      const [was, is] = [old.get(key), now.get(key)];
      return {
        name: (is ?? was)!.name,
        ...change(was?.bytes ?? null, is?.bytes ?? null),
        oldShape: was?.shape ?? null,
        newShape: is?.shape ?? null,
        oldHow: was?.how ?? null,
        newHow: is?.how ?? null,
        atPeak: is !== undefined && is.first <= peak && peak < is.end,
      };
    })
    .filter(({ oldShape, newShape, oldHow, newHow, change: bytes }) => {
      return bytes !== 0 || String(oldShape) !== String(newShape) || oldHow !== newHow;
    })
    .sort((a, b) => b.change - a.change || (a.name < b.name ? -1 : 1));
}

function byName({ tensors }: Plan): ReadonlyMap<string, PlanTensor> {
  return new Map(tensors.map((tensor) => [tensor.name, tensor]));
}
