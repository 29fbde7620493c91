/** Whether anything could make an arena fit that does not, and what to type next. */
import { isChain } from './chain.ts';
import type { Plan, PlanStep, PlanTensor } from './types.ts';

export type Measured = Pick<
  Plan,
  'models' | 'constants' | 'assumptions' | 'steps' | 'tensors' | 'buffers' | 'regions' | 'totals' | 'peak'
> &
  Pick<Partial<Plan>, 'run'>;

/** An arena that is larger than its room, in bytes. */
export interface Shortage {
  readonly used: number;
  /** No packing in this order of steps is smaller. */
  readonly lowerBound: number;
  readonly room: number;
}

/** A sentence or two: is it the packing, the order of steps, or a single step that is too large? */
export function couldFit(plan: Measured, { used, lowerBound, room }: Shortage): string {
  if (lowerBound <= room) {
    return used === lowerBound ? '' : `A plan that fits is not ruled out: the lower bound is ${lowerBound}.`;
  }
  const thisOrder = `No plan with this order of steps can fit: the lower bound is ${lowerBound}.`;
  const least = leastOf(plan);
  if (least === undefined) return thisOrder;
  if (least.bytes > room) return `${thisOrder} Nor can one in another order: ${least.needs} ${least.bytes}.`;
  if (isInOrder(plan)) return `${thisOrder} There is no other order: each step needs the one before it.`;
  if (plan.assumptions.schedule === 'min-peak') {
    return `${thisOrder} It has the smallest peak of all orders that were looked at.`;
  }
  return `${thisOrder} In another order one might: ${least.needsAtMost} ${least.bytes}.`;
}

/** No model has another order of its steps. */
function isInOrder({ steps, models }: Measured): boolean {
  return models.every((_, model) => isChain(steps.filter((step) => step.model === model)));
}

/** What every order needs at least, with the words that lead to the number. */
interface Least {
  readonly bytes: number;
  readonly needs: string;
  readonly needsAtMost: string;
}

/** The largest step; of models that run at once the largest of each part. */
function leastOf(plan: Measured): Least | undefined {
  const parts = plan.run?.parts ?? [];
  if (parts.length > 1) {
    const largest = parts.map(({ models }) => {
      const steps = plan.steps.filter(({ model }) => models.includes(model));
      return largestStep({ ...plan, steps })?.bytes ?? 0;
    });
    const needs = `the largest steps of its ${parts.length} parts, which share no byte, need`;
    return { bytes: largest.reduce((sum, one) => sum + one, 0), needs, needsAtMost: `${needs} no more than` };
  }
  const most = largestStep(plan);
  if (most === undefined) return undefined;
  const { step, bytes } = most;
  const needs = `step ${step.step}, ${step.op} ${step.node}, alone needs`;
  return { bytes, needs, needsAtMost: 'no step alone needs more than' };
}

/** The first option that may help, or what else to change. */
export function nextTry(plan: Measured, { lowerBound, room }: Shortage): string {
  const { assumptions, regions } = plan;
  if (lowerBound <= room) {
    return regions.some(({ strategy }) => strategy === 'exact')
      ? 'Spend more on the search with --effort N.'
      : 'Search for longer: --strategy auto --effort N.';
  }
  const costly = costlyOptions(plan);
  if (costly.length > 0) return `Leave out ${costly.join(', ')}: that may free bytes at the peak.`;
  const turns = plan.run?.mode === 'concurrent' ? plan.run.isolation.sharedBytes : Number.POSITIVE_INFINITY;
  if (turns <= room) return `Let the models take turns, in an arena of ${turns} bytes: --run exclusive.`;
  const least = leastOf(plan)?.bytes ?? 0;
  if (assumptions.schedule === 'model' && least <= room && !isInOrder(plan)) {
    return 'Try another order of the steps: --schedule min-peak.';
  }
  const ports = portBytes(plan);
  if (assumptions.io === 'arena' && ports > 0 && lowerBound - ports <= room) {
    return `Let the caller own inputs and outputs, ${ports} bytes at the peak: --io external.`;
  }
  if (assumptions.assume === undefined && floatsAtPeak(plan) && Math.ceil(lowerBound / 4) <= room) {
    return 'See what the model would take once quantised: --assume int8.';
  }
  const images = plan.tensors.some(({ role, shape }) => role === 'input' && shape.length === 4);
  if (images && assumptions.scaleInput === undefined) {
    return 'See what smaller images would take: --scale-input 0.5,0.75,1.';
  }
  return 'Make the tensors at the peak smaller (input size, element type), or choose a target with more memory.';
}

/** The step whose operands, results and scratch take most: they are in memory together in every order. */
export function largestStep({ steps, tensors }: Measured) {
  const byName = new Map(tensors.map((tensor) => [`${tensor.model}:${tensor.name}`, tensor]));
  let most: { readonly step: PlanStep; readonly bytes: number } | undefined;
  for (const step of steps) {
    const touched = [...step.reads, ...step.writes, ...(step.scratch ?? [])].flatMap(
      (name) => byName.get(`${step.model}:${name}`) ?? [],
    );
    const bytes = unionBytes(touched);
    if (most === undefined || bytes > most.bytes) most = { step, bytes };
  }
  return most;
}

/** Bytes that the tensors cover; those that share bytes are counted once. */
function unionBytes(tensors: readonly PlanTensor[]): number {
  const placed = tensors
    .flatMap(({ region, offset, bytes }) => (offset === null ? [] : [{ region, offset, bytes }]))
    .sort((a, b) => (a.region === b.region ? a.offset - b.offset : a.region! < b.region! ? -1 : 1));
  let [sum, reached, region]: [number, number, string | null] = [0, 0, null];
  for (const part of placed) {
    if (part.region !== region) [reached, region] = [0, part.region];
    const end = part.offset + part.bytes;
    sum += Math.max(0, end - Math.max(part.offset, reached));
    reached = Math.max(reached, end);
  }
  return sum;
}

/** Options that hold bytes or forbid sharing. */
function costlyOptions({ assumptions }: Measured): readonly string[] {
  const { inPlace, inPlaceInputs, views, preserveInputs, asyncIo, keep } = assumptions;
  return [
    ...(inPlace ? [] : ['--no-in-place']),
    ...(inPlaceInputs ? [] : ['--no-in-place-inputs']),
    ...(views ? [] : ['--no-views']),
    ...(preserveInputs ? ['--preserve-inputs'] : []),
    ...(asyncIo ? ['--async-io'] : []),
    ...(keep.length > 0 ? ['--keep'] : []),
  ];
}

/** Bytes of buffers at the peak that hold a graph input or output. */
function portBytes({ tensors, buffers, peak }: Measured): number {
  const ports = new Set(
    tensors.filter(({ role }) => role === 'input' || role === 'output').map(({ buffer }) => buffer),
  );
  return buffers
    .filter(({ id, first, end }) => ports.has(id) && first <= peak.step && peak.step < end)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

function floatsAtPeak({ tensors, peak }: Measured): boolean {
  return tensors.some(({ type, first, end }) => type === 'float32' && first <= peak.step && peak.step < end);
}
