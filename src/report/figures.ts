/** The figures of a plan with a sentence beside each: what every report shows, in whichever form. */

import { percent } from '../percent.ts';
import { modelLabel } from '../plan/qualified.ts';
import type { Plan, PlanBucket, PlanRegion } from '../plan/types.ts';
import { validSizes } from '../plan/valid-sizes.ts';
import { PROVED, PROVED_AS_CHOSEN } from './chart/words.ts';
import { gainLabel, gainText, trafficText } from './memory.ts';
import { counted, grouped, printable, scaled, sizeText } from './text.ts';

export interface Figure {
  readonly label: string;
  /** A count of bytes, or a word where there is none. */
  readonly bytes: number | string;
  readonly remark: string;
  readonly tone: 'good' | 'bad' | 'caution' | 'plain';
}

/** KiB or MiB beside the bytes, where there are enough of them. */
export function scaledFigure(bytes: number | string): string {
  return typeof bytes === 'number' && bytes >= 1024 ? scaled(bytes) : '';
}

const plainFigure = (label: string, bytes: number, remark: string): Figure => ({
  label,
  bytes,
  remark,
  tone: 'plain',
});

/** `17 steps in the order of the file, 18 tensors in 12 buffers`. */
export function sizesSentence(plan: Plan): string {
  const { steps, tensors, buffers, assumptions } = plan;
  const valid = validSizes(assumptions, printable);
  const order =
    assumptions.schedule === 'model' ? 'the order of the file' : 'the order with the smallest peak found';
  return (
    severalSentence(plan) +
    `${counted(steps.length, 'step')} in ${order}, ` +
    `${counted(tensors.length, 'tensor')} in ${counted(buffers.length, 'buffer')}` +
    (valid.length === 0 ? '' : `; valid for ${valid.join(', ')}`)
  );
}

/** `3 models that never run at once: `; empty for a single model. */
function severalSentence({ models, run, buckets }: Plan): string {
  if (run === undefined) return '';
  if (buckets !== undefined) return `${counted(buckets.length, 'bucket')}, one at a time: `;
  const how = {
    exclusive: 'that never run at once',
    joint: 'that run one after another in this order',
    concurrent:
      run.parts.length === models.length
        ? 'that may run at once'
        : `in ${run.parts.length} parts that may run at once`,
  }[run.mode];
  return `${counted(models.length, 'model')} ${how}: `;
}

/** What makes the plan one of a model that does not exist yet; undefined for a plan of the model as it is. */
export function estimateSentence({
  assumptions: { assume, scaleInput, weightBits },
}: Plan): string | undefined {
  const changes = [
    ...(assume === undefined ? [] : [`floats counted as ${assume}, biases as int32`]),
    ...(scaleInput === undefined ? [] : [`images scaled by ${scaleInput}`]),
    ...(weightBits === undefined ? [] : [`quantised weights packed, ${weightBits} bits each`]),
  ];
  return changes.length === 0 ? undefined : `ESTIMATE for a changed model: ${changes.join('; ')}`;
}

/** Per region: used, reserved and free add up to its capacity; where it does not fit, used less available is missing. */
export function figures(plan: Plan): readonly Figure[] {
  const { totals, regions } = plan;
  const several = regions.length > 1;
  return [
    ...regions.flatMap((region) => regionFigures(region, several, plan)),
    ...(several ? [plainFigure('all arenas', totals.arenaBytes, '')] : []),
    ...sharingFigures(plan),
    ...placementFigures(plan),
    ...isolationFigures(plan),
    ...fusionFigures(plan),
    plainFigure('without reuse', totals.noReuseBytes, reuseText(plan)),
    ...portFigures(plan),
    plainFigure('weights', totals.weightBytes, weightsText(plan)),
    scratchFigure(plan),
  ];
}

function regionFigures(region: PlanRegion, several: boolean, plan: Plan): Figure[] {
  const { capacity, reserved, mpu } = region;
  const used = mpu?.bytes ?? region.used;
  const name = printable(region.name);
  const label = several ? `arena ${name}` : 'arena';
  const bound = boundFigure(region, plan);
  if (capacity === null) return [plainFigure(label, used, `in ${name}, whose size is not known`), bound];
  const available = capacity - reserved;
  if (used > available) {
    const of = reserved > 0 ? `of ${grouped(capacity)}, ${grouped(reserved)} are reserved` : '';
    return [
      { label, bytes: used, remark: `DOES NOT FIT into ${name}`, tone: 'bad' },
      plainFigure('available', available, of),
      { label: 'missing', bytes: used - available, remark: '', tone: 'bad' },
      bound,
    ];
  }
  return [
    plainFigure(
      label,
      used,
      `${percent(used, capacity)} of ${name}${mpu === undefined ? '' : `, as a region of the MPU (${grouped(region.used)} used)`}`,
    ),
    bound,
    ...(reserved > 0 ? [plainFigure('reserved', reserved, `in ${name} for the firmware`)] : []),
    plainFigure('free', available - used, `of the ${sizeText(capacity)} of ${name}`),
  ];
}

/** How far the choice of what shares bytes may be from the best one. */
function sharingFigures(plan: Plan): Figure[] {
  return (plan.sharing ?? []).map(({ model, peakBytes, leastBytes }) => {
    const whose = plan.models.length > 1 ? ` ${printable(modelLabel(plan, model))}` : '';
    const remark = `live at the peak at least, whatever shares bytes; ${grouped(peakBytes)} as chosen`;
    return { label: `other sharing${whose}`, bytes: leastBytes, remark, tone: 'caution' };
  });
}

/** How the traffic is shared out, and what more of a memory would change. */
function placementFigures({ placement, regions }: Plan): Figure[] {
  if (placement === undefined) return [];
  const all = regions.reduce((sum, { traffic = 0 }) => sum + traffic, 0);
  return [
    ...regions.map(({ name, traffic = 0 }) =>
      plainFigure(`traffic ${printable(name)}`, traffic, trafficText(traffic, all)),
    ),
    ...placement.gains.map((gain) => plainFigure(gainLabel(gain), gain.bytes, gainText(gain))),
  ];
}

function boundFigure({ used, lowerBound, optimal }: PlanRegion, { sharing }: Plan): Figure {
  const label = 'lower bound';
  if (optimal) {
    const remark = `reached: ${sharing === undefined ? PROVED : PROVED_AS_CHOSEN}`;
    return { label, bytes: lowerBound, remark, tone: 'good' };
  }
  const remark = `the arena is at most ${percent(used - lowerBound, lowerBound)} above the optimum`;
  return { label, bytes: lowerBound, remark, tone: 'caution' };
}

function reuseText({ totals: { noReuseBytes, arenaBytes }, buckets }: Plan): string {
  if (buckets !== undefined) return `the buffers of all ${buckets.length} buckets side by side`;
  const saved = noReuseBytes - arenaBytes;
  if (saved < 0) return 'alignment takes more than reuse saves';
  return saved > 0 ? `reuse saves ${grouped(saved)} (${percent(saved, noReuseBytes)})` : 'nothing to reuse';
}

/** What it costs to give every model bytes of its own, or would save not to. */
function isolationFigures(plan: Plan): Figure[] {
  const { run, totals, buckets } = plan;
  if (run === undefined) return [];
  if (buckets !== undefined) return bucketFigures(buckets, run.isolation.alone);
  const { alone, isolatedBytes, sharedBytes } = run.isolation;
  const each = alone.map((bytes, model) => `${printable(modelLabel(plan, model))} ${grouped(bytes)}`);
  const saved = isolatedBytes - totals.arenaBytes;
  const isolated =
    run.parts.length < alone.length && saved > 0
      ? `sharing saves ${grouped(saved)} (${percent(saved, isolatedBytes)}); `
      : '';
  const cost = totals.arenaBytes - sharedBytes;
  return [
    plainFigure('isolated', isolatedBytes, `${isolated}alone: ${each.join(', ')}`),
    ...(run.parts.length === 1
      ? []
      : [
          plainFigure(
            'taking turns',
            sharedBytes,
            cost > 0 ? `running at once costs ${grouped(cost)} (${percent(cost, sharedBytes)})` : '',
          ),
        ]),
  ];
}

/** What each size alone would take. */
function bucketFigures(buckets: readonly PlanBucket[], alone: readonly number[]): Figure[] {
  return buckets.map(({ sizes }, i) =>
    plainFigure(
      'bucket',
      alone[i]!,
      `${sizes.map(({ name, size }) => `${printable(name)}=${size}`).join(', ')} alone`,
    ),
  );
}

/** The same model with --fuse none. */
function fusionFigures({ fusion, steps, totals }: Plan): Figure[] {
  if (fusion === undefined) return [];
  const { unfused } = fusion;
  const saved = unfused.arenaBytes - totals.arenaBytes;
  const effect =
    saved > 0
      ? `fusion saves ${grouped(saved)} (${percent(saved, unfused.arenaBytes)})`
      : saved < 0
        ? `fusion takes ${grouped(-saved)} more`
        : 'fusion changes no byte';
  return [
    plainFigure(
      'without fusion',
      unfused.arenaBytes,
      `${effect}, and runs ${counted(steps.length, 'step')} instead of ${grouped(unfused.steps)}`,
    ),
  ];
}

function portFigures({ totals, assumptions }: Plan): Figure[] {
  const remark = assumptions.io === 'arena' ? 'inside the arena' : 'owned by the caller';
  return [
    plainFigure('inputs', totals.inputBytes, remark),
    plainFigure('outputs', totals.outputBytes, remark),
  ];
}

function weightsText({ constants }: Plan): string {
  const ram = constants.filter(({ place }) => place === 'ram').reduce((sum, { bytes }) => sum + bytes, 0);
  if (ram === 0) return `in flash, not in the arena${packedText(constants)}`;
  const sum = (place?: 'ram') =>
    constants.reduce(
      (all, one) => all + (place === undefined || one.place === place ? (one.accesses ?? 0) : 0),
      0,
    );
  return `copies of ${grouped(ram)} in RAM, inside the arena; ${percent(sum('ram'), sum())} of their reads`;
}

function packedText(constants: Plan['constants']): string {
  const bytes = constants.reduce((sum, one) => sum + one.bytes, 0);
  const saved = constants.reduce((sum, one) => sum + one.bytes - (one.flashBytes ?? one.bytes), 0);
  return saved === 0 ? '' : `; ${grouped(bytes)} as they are`;
}

/** `cmsis-nn 7, dsp build` */
function kernelsText({ kernels, kernelsVersion, kernelsBuild }: Plan['assumptions']): string {
  const version = kernelsVersion === null ? '' : ` ${kernelsVersion}`;
  return `${kernels}${version}${kernelsBuild === null ? '' : `, ${kernelsBuild} build`}`;
}

function scratchFigure({ totals, assumptions, steps }: Plan): Figure {
  const label = 'kernel scratch';
  if (totals.complete) {
    const users = steps.filter(({ scratchBytes }) => scratchBytes > 0).length;
    const most = users > 1 ? `, the most of ${counted(users, 'step')}` : '';
    return plainFigure(label, totals.scratchBytes, `${kernelsText(assumptions)}${most}, inside the arena`);
  }
  return {
    label,
    bytes: totals.scratchBytes > 0 ? totals.scratchBytes : 'not counted',
    remark: 'kernels may need more than the arena',
    tone: 'caution',
  };
}
