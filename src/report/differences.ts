/** With what two plans were made differently: targets, assumptions, rules, and the other options that change a plan. */
import { ruleText } from '../place/rule-types.ts';
import { keptByName } from '../plan/kept.ts';
import { modelLabel } from '../plan/qualified.ts';
import type { Assumptions, Plan, PlanModel, PlanOptions, PlanPart, TensorName } from '../plan/types.ts';
import { printable } from './text.ts';

export interface SettingDifference {
  /** `target`, the key of `assumptions` or `options` in plan.json, or the field that holds it. */
  readonly setting: string;
  /** The option that changes it. */
  readonly option: string;
  /** As people would say it; null: not set. */
  readonly old: string | null;
  readonly new: string | null;
  /** Of several models the one for which it differs, if it does not for all of them. */
  readonly model?: string;
}

type Setting = Pick<SettingDifference, 'setting' | 'option'> & { readonly value: string | null };

/** The option behind each assumption; the compiler holds the list complete. */
const ASSUMED: Readonly<Record<keyof Assumptions, string>> = {
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

/** Likewise of the options that are kept as they were given. Sizes of dimensions are told with their ranges. */
const GIVEN: Readonly<Record<Exclude<keyof PlanOptions, 'dim'>, string>> = {
  align: '--align',
  sizeRound: '--size-round',
  inputShape: '--input-shape',
  scratch: '--scratch',
  region: '--region',
  place: '--place',
  reserve: '--reserve',
  mpu: '--mpu',
  weights: '--weights',
  strategy: '--strategy',
  effort: '--effort',
};

/** Target first, then what models assume, then what holds for the whole plan. */
export function settingsThatDiffer(old: Plan, now: Plan): readonly SettingDifference[] {
  const target: SettingDifference = {
    ...{ setting: 'target', option: '--target' },
    ...{ old: old.target.id, new: now.target.id },
  };
  return [
    ...(target.old === target.new ? [] : [target]),
    ...ofModels(old, now),
    ...differing(wholeOf(old), wholeOf(now)),
  ];
}

/** `--preserve-inputs: no -> yes`, of one of several models `kws: --layout: nchw -> nhwc`. */
export function settingText({ setting, option, old, new: now, model }: SettingDifference): string {
  const side = (text: string | null) => (text === null ? 'not set' : printable(text));
  const what = option.startsWith('--no-') ? `${setting} (${option})` : option;
  return `${model === undefined ? '' : `${printable(model)}: `}${what}: ${side(old)} -> ${side(now)}`;
}

/** Both list the same settings in the same order. */
function differing(before: readonly Setting[], after: readonly Setting[]): readonly SettingDifference[] {
  return before.flatMap(({ setting, option, value: old }, i): SettingDifference[] => {
    const { value } = after[i]!;
    return old === value ? [] : [{ setting, option, old, new: value }];
  });
}

/** What differs for every model is said once. Models are told by their names, or, where all have others, by their places. */
function ofModels(old: Plan, now: Plan): readonly SettingDifference[] {
  const pairs = pairsOf(old, now);
  const lists = pairs.map(({ before, after }) => differing(assumedBy(old, before), assumedBy(now, after)));
  const keyOf = (one: SettingDifference) => JSON.stringify(one);
  const everywhere = (one: SettingDifference) =>
    lists.every((list) => list.some((other) => keyOf(other) === keyOf(one)));
  return lists.flatMap((list, i) =>
    list.flatMap((one): SettingDifference[] => {
      if (everywhere(one)) return i === 0 ? [one] : [];
      return [{ ...one, model: pairs[i]!.label }];
    }),
  );
}

interface Pair {
  readonly label: string;
  /** undefined: what all models of the plan share. */
  readonly before: PlanModel | undefined;
  readonly after: PlanModel | undefined;
}

function pairsOf(old: Plan, now: Plan): readonly Pair[] {
  const labels = now.models.map((_, i) => modelLabel(now, i));
  const before = new Map(old.models.map((model, i) => [modelLabel(old, i), model]));
  const known = labels.flatMap((label, i): Pair[] => {
    const found = before.get(label) ?? (old.models.length === now.models.length ? old.models[i] : undefined);
    return found === undefined ? [] : [{ label, before: found, after: now.models[i] }];
  });
  return known.length > 0 ? known : [{ label: '', before: undefined, after: undefined }];
}

function assumedBy(plan: Plan, model: PlanModel | undefined): readonly Setting[] {
  const { options, models } = plan;
  const { ranges, maxSizes, bounds, ...plain } = { ...plan.assumptions, ...model?.assumptions };
  const states = plan.states?.filter(
    (state) => model === undefined || models[state.model]?.cPrefix === model.cPrefix,
  );
  const sizes = [
    ...(options?.dim === undefined ? [] : [options.dim]),
    ...(ranges ?? []).map(({ name, least, most }) => `${name}=${least}..${most}`),
  ];
  const values: Readonly<Record<string, string | null>> = {
    ...Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, valueText(value)])),
    // What states keep is told with them.
    keep: listText(
      keptByName({ assumptions: { ...plan.assumptions, keep: plain.keep }, ...(states && { states }) }),
    ),
    ranges: listText(sizes),
    maxSizes: listText(maxSizes?.map(({ tensor, elements }) => `${tensor}=${elements}`)),
    bounds: listText(bounds?.map(({ tensor, axis, most }) => `axis ${axis} of ${tensor} up to ${most}`)),
  };
  return Object.entries(ASSUMED).map(([setting, option]) => ({
    ...{ setting, option },
    value: values[setting] ?? null,
  }));
}

/** What holds for a plan as a whole. */
function wholeOf(plan: Plan): readonly Setting[] {
  const { options, run } = plan;
  return [
    ...Object.entries(GIVEN).map(([setting, option]) => ({
      ...{ setting, option },
      value: options?.[setting as keyof typeof GIVEN] ?? null,
    })),
    ...rulesOf(plan),
    { setting: 'states', option: '--state', value: listText(statesOf(plan)) },
    { setting: 'states', option: '--buffers', value: listText(placesOf(plan)) },
    { setting: 'buckets', option: '--bucket', value: listText(bucketsOf(plan)) },
    { setting: 'run', option: '--run', value: plan.buckets === undefined ? (run?.mode ?? null) : null },
    { setting: 'run', option: '--group', value: listText(run?.parts.flatMap((part) => groupOf(plan, part))) },
    { setting: 'run', option: '--hold', value: listText(run?.holds.map((name) => called(plan, name))) },
    {
      ...{ setting: 'run', option: '--link' },
      value: listText(run?.links.map(({ from, to }) => `${called(plan, from)}=${called(plan, to)}`)),
    },
  ];
}

const RULES = ['--pin', '--forbid', '--dma', '--align-tensor', '--slack'] as const;

function rulesOf(plan: Plan): readonly Setting[] {
  const { rules = [] } = plan;
  const texts = rules.map((rule) =>
    ruleText({ ...rule, tensor: called(plan, { model: rule.model ?? 0, tensor: rule.tensor }) }),
  );
  return RULES.map((option) => ({
    ...{ setting: 'rules', option },
    value: listText(
      texts.flatMap((text) => (text.startsWith(`${option} `) ? [text.slice(option.length + 1)] : [])).sort(),
    ),
  }));
}

function statesOf(plan: Plan): readonly string[] {
  return (plan.states ?? [])
    .filter(({ places }) => places === undefined)
    .map(({ model, tensor, from }) => {
      const kept = called(plan, { model, tensor });
      return from === null ? kept : `${called(plan, { model, tensor: from })}=${kept}`;
    });
}

function placesOf(plan: Plan): readonly string[] {
  return (plan.states ?? []).flatMap(({ places, ...name }) =>
    places === undefined ? [] : [`${called(plan, name)}=${places}`],
  );
}

function bucketsOf({ buckets = [] }: Plan): readonly string[] {
  return buckets.map(({ sizes }) => sizes.map(({ name, size }) => `${name}=${size}`).join(' '));
}

/** Models that take turns or follow one another while others run. */
function groupOf(plan: Plan, { models, order }: PlanPart): readonly string[] {
  if (plan.run!.parts.length < 2 || models.length < 2) return [];
  const names = models.map((model) => modelLabel(plan, model)).join('+');
  return [order === 'any' ? names : `joint:${names}`];
}

function called(plan: Plan, { model, tensor }: TensorName): string {
  return plan.models.length > 1 ? `${modelLabel(plan, model)}:${tensor}` : tensor;
}

function valueText(value: boolean | number | string | null | readonly string[]): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(value) : listText(value);
}

function listText(texts: readonly string[] = []): string | null {
  return texts.length === 0 ? null : texts.join(', ');
}
