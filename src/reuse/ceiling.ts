/** Where the lives of tensors lie, and what that lets reuse save at most. */
import { largestStep } from '../plan/could-fit.ts';
import type { Plan, PlanTensor } from '../plan/types.ts';

/** Some steps of the run, [first, end). */
export interface LifePart {
  readonly first: number;
  readonly end: number;
  /** Tensors whose lives begin here, and their bytes. */
  readonly begin: number;
  readonly beginBytes: number;
  /** The most buffer bytes that are live at one of the steps. */
  readonly liveBytes: number;
}

export interface Lives {
  /** The run in at most ten parts. */
  readonly parts: readonly LifePart[];
  /** The first step before which tensors with four fifths of all bytes have died. */
  readonly mostDeadAt: number;
  /** Half of the tensors live for at most so many steps. */
  readonly medianSteps: number;
}

export interface Ceiling {
  /** Every tensor, its scratch and the copies of weights side by side. */
  readonly apartBytes: number;
  /** Every buffer side by side: tensors share bytes, but nothing takes over those of what is dead. */
  readonly buffersBytes: number;
  /** Live at the worst step: nothing that shares in this way, in this order, takes less. */
  readonly peakBytes: number;
  readonly peakStep: number;
  readonly arenaBytes: number;
  /** `apartBytes` less `peakBytes`: all that reuse can save. */
  readonly canSaveBytes: number;
  /** `apartBytes` less `arenaBytes`: what it saves. */
  readonly savesBytes: number;
  /** What the step needs alone that needs most: no order of the steps takes less. null: there is no step. */
  readonly largestStep: { readonly step: number; readonly node: string; readonly bytes: number } | null;
}

const MOST_PARTS = 10;
const MOST_BYTES = 0.8;

/** Adds up one plan. Tensors that the caller owns are in no figure. */
export function ceilingOf(plan: Plan): Ceiling {
  const { peak, totals } = plan;
  const apartBytes = sum(planned(plan)) + (totals.copyBytes ?? 0);
  const most = largestStep(plan);
  return {
    apartBytes,
    buffersBytes: totals.noReuseBytes,
    peakBytes: peak.bytes,
    peakStep: peak.step,
    arenaBytes: totals.arenaBytes,
    canSaveBytes: apartBytes - peak.bytes,
    savesBytes: apartBytes - totals.arenaBytes,
    largestStep:
      most === undefined ? null : { step: most.step.step, node: most.step.node, bytes: most.bytes },
  };
}

export function livesOf(plan: Plan): Lives {
  const tensors = planned(plan);
  const steps = plan.steps.length;
  const count = Math.min(MOST_PARTS, steps);
  const parts = Array.from({ length: count }, (_, i): LifePart => {
    const [first, end] = [Math.floor((i * steps) / count), Math.floor(((i + 1) * steps) / count)];
    const born = tensors.filter((tensor) => first <= tensor.first && tensor.first < end);
    const liveBytes = plan.steps.slice(first, end).reduce((most, step) => Math.max(most, step.liveBytes), 0);
    return { first, end, begin: born.length, beginBytes: sum(born), liveBytes };
  });
  return { parts, mostDeadAt: mostDeadAt(tensors), medianSteps: medianSteps(tensors) };
}

function planned({ tensors }: Plan): readonly PlanTensor[] {
  return tensors.filter(({ buffer }) => buffer !== null);
}

function mostDeadAt(tensors: readonly PlanTensor[]): number {
  const enough = sum(tensors) * MOST_BYTES;
  let dead = 0;
  for (const { end, bytes } of [...tensors].sort((a, b) => a.end - b.end)) {
    dead += bytes;
    if (dead >= enough) return end;
  }
  return 0;
}

function medianSteps(tensors: readonly PlanTensor[]): number {
  const lengths = tensors.map(({ first, end }) => end - first).sort((a, b) => a - b);
  return lengths[Math.ceil(lengths.length / 2) - 1] ?? 0;
}

function sum(tensors: readonly PlanTensor[]): number {
  return tensors.reduce((all, { bytes }) => all + bytes, 0);
}
