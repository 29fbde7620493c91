/** With what two plans were made differently: targets, and the assumptions that options change. */
import type { Assumptions, Plan } from '../plan/types.ts';
import { printable } from './text.ts';

export interface SettingDifference {
  /** `target`, or the key of `assumptions` in plan.json. */
  readonly setting: string;
  /** The option that changes it. */
  readonly option: string;
  /** As people would say it; null: not set. */
  readonly old: string | null;
  readonly new: string | null;
}

/** The option behind each assumption; the compiler holds the list complete. */
const OPTIONS: Readonly<Record<keyof Assumptions, string>> = {
  schedule: '--schedule',
  kernels: '--kernels',
  kernelsVersion: '--kernels-version',
  kernelsBuild: '--kernels-build',
  layout: '--layout',
  fuse: '--fuse',
  inPlace: '--no-in-place',
  inPlaceInputs: '--no-in-place-inputs',
  views: '--no-views',
  elide: '--no-elide',
  io: '--io',
  asyncIo: '--async-io',
  preserveInputs: '--preserve-inputs',
  keep: '--keep',
  slack: '--guard',
  trustUnproved: '--trust unproved',
  ranges: '--dim',
  maxSizes: '--max-size',
  bounds: '--op-shape',
  assume: '--assume',
  scaleInput: '--scale-input',
  weightBits: '--weight-bits',
};

/** Target first, then in the order of the assumptions. What holds for one of several models alone is not compared. */
export function settingsThatDiffer(old: Plan, now: Plan): readonly SettingDifference[] {
  const [before, after] = [valuesOf(old.assumptions), valuesOf(now.assumptions)];
  const all: readonly SettingDifference[] = [
    { setting: 'target', option: '--target', old: old.target.id, new: now.target.id },
    ...Object.entries(OPTIONS).map(([setting, option]) => ({
      ...{ setting, option },
      old: before[setting] ?? null,
      new: after[setting] ?? null,
    })),
  ];
  return all.filter((one) => one.old !== one.new);
}

/** `--preserve-inputs: no -> yes`. */
export function settingText({ setting, option, old, new: now }: SettingDifference): string {
  const side = (text: string | null) => (text === null ? 'not set' : printable(text));
  const what = option.startsWith('--no-') ? `${setting} (${option})` : option;
  return `${what}: ${side(old)} -> ${side(now)}`;
}

function valuesOf({
  ranges,
  maxSizes,
  bounds,
  ...plain
}: Assumptions): Readonly<Record<string, string | null>> {
  return {
    ...Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, valueText(value)])),
    ranges: listText(ranges?.map(({ name, least, most }) => `${name}=${least}..${most}`)),
    maxSizes: listText(maxSizes?.map(({ tensor, elements }) => `${tensor}=${elements}`)),
    bounds: listText(bounds?.map(({ tensor, axis, most }) => `axis ${axis} of ${tensor} up to ${most}`)),
  };
}

function valueText(value: boolean | number | string | null | readonly string[]): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(value) : listText(value);
}

function listText(texts: readonly string[] = []): string | null {
  return texts.length === 0 ? null : texts.join(', ');
}
