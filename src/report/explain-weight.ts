/** Where a weight lies and why: in flash, or in a copy that is made before the first run or brought for its steps. */
import type { TypedGraph } from '../graph/types.ts';
import type { Schedule } from '../lifetime/types.ts';
import { qualified } from '../plan/qualified.ts';
import { isStaged, neededFrom, readersOf } from '../plan/stages.ts';
import type { Plan, PlanBuffer, PlanConstant } from '../plan/types.ts';
import { fullName, type Hole, largestHole, nameOf, type StepName } from './explain.ts';
import { grouped } from './text.ts';

/** A model as it was planned. */
export interface Laid {
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
}

export interface WeightExplanation {
  readonly schema: 1;
  readonly weight: PlanConstant;
  readonly readBy: readonly StepName[];
  /** Why it is in flash, or has a copy. */
  readonly why: string;
  /** null: it has none. */
  readonly copy: WeightCopy | null;
}

export interface WeightCopy {
  readonly buffer: PlanBuffer;
  /** Once, before the first run; or in every run, right before `comesAt` runs or while it does. */
  readonly comes: 'once' | 'before' | 'during';
  readonly comesAt: StepName | null;
  /** The fullest step of its life; null in a plan without steps. */
  readonly fullest: (StepName & { readonly liveBytes: number }) | null;
  readonly atPeak: boolean;
  /** The largest part of the arena that is free during its whole life; null: none. */
  readonly beside: Hole | null;
}

/** Undefined for a name that is no weight of the plan. `laid`: one for each model. */
export function explainWeight(
  given: Plan,
  laid: readonly Laid[],
  asked: string,
): WeightExplanation | undefined {
  const plan = qualified(given);
  const name = fullName(
    plan,
    asked,
    plan.constants.map((constant) => constant.name),
  );
  const at = plan.constants.findIndex((constant) => constant.name === name);
  const weight = plan.constants[at];
  if (weight === undefined) return undefined;
  // Buckets read the same weights.
  const models = plan.buckets === undefined ? [weight.model] : [...laid.keys()];
  return {
    schema: 1,
    weight,
    readBy: models.flatMap((model) => readersIn(plan, laid[model]!, model, given.constants[at]!.name)),
    why: whyThere(plan, weight),
    copy: copyOf(plan, weight),
  };
}

/** The steps of one model that read a weight of this name. */
function readersIn(plan: Plan, { graph, schedule }: Laid, model: number, name: string): readonly StepName[] {
  const own = plan.steps.filter((step) => step.model === model);
  return (readersOf(graph, schedule).get(name) ?? []).map((step) => nameOf(own[step]!));
}

function copyOf(plan: Plan, weight: PlanConstant): WeightCopy | null {
  const buffer = plan.buffers.find(({ id }) => id === weight.buffer);
  if (buffer === undefined) return null;
  const { first, end } = buffer;
  const [fullest] = plan.steps.slice(first, end).sort((a, b) => b.liveBytes - a.liveBytes || a.step - b.step);
  const needed = neededFrom(plan.steps).get(weight.name);
  return {
    buffer,
    ...(needed === undefined
      ? { comes: 'once', comesAt: null }
      : { comes: needed === first ? 'before' : 'during', comesAt: nameOf(plan.steps[first]!) }),
    fullest: fullest === undefined ? null : { ...nameOf(fullest), liveBytes: fullest.liveBytes },
    atPeak: first <= plan.peak.step && plan.peak.step < end,
    beside: largestHole(plan, buffer),
  };
}

function whyThere(plan: Plan, { bytes, buffer, accesses }: PlanConstant): string {
  if (accesses === undefined)
    return '--weights flash copies nothing; hybrid copies what is read most, stage brings each for its steps';
  if (isStaged(plan) && buffer !== undefined) return '--weights stage brings it for its steps';
  if (isStaged(plan))
    return accesses === 0
      ? 'no step reads it'
      : 'kernels are called with its numbers, and do not read its bytes';
  if (bytes === 0) return 'it has no bytes';
  const times = accesses / bytes;
  const often = `a run reads each of its bytes ${times === 1 ? 'once' : `${grouped(times)} times`}`;
  if (buffer !== undefined) return often;
  return `${often}: what is read more often took the room above the arenas, or no memory has so much`;
}
