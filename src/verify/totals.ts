/** Adds every figure of a plan up again. */
import type { Diagnostic } from '../errors.ts';
import type { Plan, PlanGap, PlanRegion } from '../plan/types.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';

/** Figures that do not follow from the buffers, tensors and constants. */
export function totalFaults(index: Index): readonly Diagnostic[] {
  const { plan } = index;
  const { totals, peak, regions, steps } = plan;
  const faults: Diagnostic[] = [];
  const compare = (what: string, stated: unknown, counted: unknown): void => {
    if (stated !== counted) faults.push(fault(`${what} is stated as ${stated}, but comes to ${counted}.`));
  };
  const live = liveBytes(plan.buffers, index.end);
  const scratches = plan.buffers.filter(({ kind }) => kind === 'scratch');
  const scratch = liveBytes(scratches, index.end);
  steps.forEach(({ step, liveBytes, scratchBytes }) => {
    compare(`liveBytes of step ${step}`, liveBytes, live[step]);
    compare(`scratchBytes of step ${step}`, scratchBytes, scratch[step]);
  });
  compare('The peak', peak.bytes, most(live));
  compare(`The live bytes at the peak step ${peak.step}`, live[peak.step], peak.bytes);
  const atPeak = plan.tensors
    .filter(({ buffer, first, end }) => buffer !== null && first <= peak.step && peak.step < end)
    .map(({ model, name }) => `${model}:${name}`);
  const stated = peak.tensors.map((name, at) => `${peak.models?.[at] ?? 0}:${name}`);
  compare('The list of tensors at the peak', stated.sort().join(), atPeak.sort().join());

  for (const region of regions) faults.push(...regionFaults(index, region));
  compare('totals.arenaBytes', totals.arenaBytes, sum(regions.map(({ used }) => used)));
  compare('totals.lowerBoundBytes', totals.lowerBoundBytes, sum(regions.map(({ lowerBound }) => lowerBound)));
  compare(
    'totals.optimal',
    totals.optimal,
    regions.every(({ optimal }) => optimal),
  );
  compare('totals.noReuseBytes', totals.noReuseBytes, sum(plan.buffers.map(({ bytes }) => bytes)));
  compare(
    'totals.weightBytes',
    totals.weightBytes,
    sum(plan.constants.map(({ bytes, flashBytes = bytes }) => flashBytes)),
  );
  compare(
    'totals.copyBytes',
    totals.copyBytes ?? 0,
    sum(plan.buffers.filter(({ kind }) => kind === 'copy').map(({ bytes }) => bytes)),
  );
  compare('totals.scratchBytes', totals.scratchBytes, most(steps.map(({ scratchBytes }) => scratchBytes)));
  compare('totals.inputBytes', totals.inputBytes, boundaryBytes(index, 'inputs'));
  compare('totals.outputBytes', totals.outputBytes, boundaryBytes(index, 'outputs'));
  return [...faults, ...fitFaults(plan), ...addressFaults(regions)];
}

function regionFaults(index: Index, region: PlanRegion): readonly Diagnostic[] {
  const { name, used, alignment, lowerBound, optimal, peak } = region;
  const faults: Diagnostic[] = [];
  const buffers = index.plan.buffers.filter((buffer) => buffer.region === name);
  const end = most(buffers.map(({ offset, bytes }) => offset + bytes));
  if (used !== end)
    faults.push(fault(`${name} is said to use ${used} bytes, but its buffers end at ${end}.`));
  for (const buffer of buffers) {
    if (alignment % buffer.alignment === 0) continue;
    faults.push(
      fault(`Buffer ${buffer.id} wants alignment ${buffer.alignment}, but ${name} starts at ${alignment}.`),
    );
  }
  if (lowerBound > used || optimal !== (lowerBound === used)) {
    faults.push(
      fault(`${name} uses ${used} bytes with a lower bound of ${lowerBound}, called optimal: ${optimal}.`),
    );
  }
  if (region.origin === 0 && buffers.length > 0 && region.reserved === 0) {
    faults.push(fault(`${name} begins at address 0, and nothing keeps tensors from it.`));
  }
  const live = liveBytes(buffers, index.end);
  if (peak.bytes !== most(live) || live[peak.step] !== peak.bytes) {
    faults.push(fault(`The peak of ${name} is not ${peak.bytes} bytes at step ${peak.step}.`));
  }
  return faults;
}

const GATES: ReadonlySet<string> = new Set(['E_OVER_CAPACITY', 'E_OVER_BUDGET', 'E_OVER_FLASH']);

/** `fits` may be false for a budget too, which is not in the plan; then an error says so. */
function fitFaults({ fits, regions, diagnostics }: Plan): readonly Diagnostic[] {
  const over = regions.filter(
    ({ capacity, reserved, used }) => capacity !== null && used + reserved > capacity,
  );
  const gates = diagnostics.filter(({ code }) => GATES.has(code));
  if (over.length > 0 && fits)
    return over.map(({ name }) => fault(`The plan is said to fit, but exceeds ${name}.`));
  return fits === (gates.length === 0)
    ? []
    : [fault(`The plan says fits: ${fits}, its errors say otherwise.`)];
}

/** Two regions of one chip must not hold the same addresses. */
function addressFaults(regions: readonly PlanRegion[]): readonly Diagnostic[] {
  return regions.flatMap((a, at) =>
    regions.slice(at + 1).flatMap((b) => {
      if (a.origin === null || b.origin === null) return [];
      const [endA, endB] = [a.origin + (a.capacity ?? a.used), b.origin + (b.capacity ?? b.used)];
      return a.origin < endB && b.origin < endA
        ? [fault(`Regions ${a.name} and ${b.name} share addresses.`)]
        : [];
    }),
  );
}

/** Bytes alive during each step, from what begins and ends at it; less what gaps leave free. */
function liveBytes(buffers: Plan['buffers'], steps: number): readonly number[] {
  const change = new Array<number>(steps + 1).fill(0);
  for (const { first, end, bytes, gaps } of buffers) {
    if (gaps.length === 0) {
      change[first]! += bytes;
      change[end]! -= bytes;
      continue;
    }
    const turns = gaps.flatMap((gap) => [gap.first, gap.end]);
    for (const [from, to] of pieces(first, end, turns)) {
      const taken = takenBytes(
        bytes,
        gaps.filter((gap) => gap.first <= from && from < gap.end),
      );
      change[from]! += taken;
      change[to]! -= taken;
    }
  }
  let live = 0;
  return change.slice(0, steps).map((bytes) => {
    live += bytes;
    return live;
  });
}

/** Of so many bytes those that no gap leaves free. */
function takenBytes(bytes: number, gaps: readonly PlanGap[]): number {
  const edges = gaps.flatMap(({ from, to }) => [from, to]);
  const taken = pieces(0, bytes, edges).filter(
    ([low, high]) => !gaps.some(({ from, to }) => from <= low && high <= to),
  );
  return sum(taken.map(([low, high]) => high - low));
}

/** [from, to) in pieces, cut wherever a cut lies in it. */
function pieces(from: number, to: number, cuts: readonly number[]): readonly (readonly [number, number])[] {
  const edges = [from, to, ...cuts].filter((edge) => from <= edge && edge <= to).sort((a, b) => a - b);
  return edges.slice(1).map((high, at) => [edges[at]!, high]);
}

function boundaryBytes({ plan, tensor }: Index, side: 'inputs' | 'outputs'): number {
  const constants = new Map(plan.constants.map(({ model, name, bytes }) => [`${model}:${name}`, bytes]));
  const bytesOf = (model: number, name: string): number =>
    tensor(model, name)?.bytes ?? constants.get(`${model}:${name}`) ?? 0;
  const each = plan.models.map((model, i) => sum(model[side].map((name) => bytesOf(i, name))));
  return plan.buckets === undefined ? sum(each) : most(each);
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
