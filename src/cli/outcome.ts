/** Plans one job and holds the plan against its gates. */
import { dirname } from 'node:path';
import { type Diagnostic, MemplanError } from '../errors.ts';
import { type Planned, planModel } from '../pipeline.ts';
import type { Plan } from '../plan/types.ts';
import type { Context } from './context.ts';
import { readTextFile } from './files.ts';
import { baselineWarnings, growthFaults } from './gates.ts';
import type { Job } from './job.ts';

/** A job that was planned, whether the plan fits or not. */
export interface PlannedJob {
  readonly job: Job;
  readonly planned: Planned;
  /** No gate failed. */
  readonly passed: boolean;
  /** The baseline. */
  readonly before: Plan | undefined;
}

/** A job that could not be planned. */
export interface FailedJob {
  readonly job: Job;
  readonly error: MemplanError;
}

export type Outcome = PlannedJob | FailedJob;

export function isPlanned(outcome: Outcome): outcome is PlannedJob {
  return 'planned' in outcome;
}

/** Faults of memplan itself are thrown. */
export async function outcomeOf(job: Job, context: Context): Promise<Outcome> {
  try {
    const title = job.given.models.join(' + ');
    const plan = context.watched(title, (observe) => onlyNeeded(planModel(job.request, observe), job));
    const before = await baselineOf(job, context);
    const planned = before === undefined ? plan : gated(plan, before, job);
    const { fits, diagnostics } = planned.plan;
    return { job, planned, passed: fits && !diagnostics.some(({ kind }) => kind === 'error'), before };
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return { job, error };
  }
}

/** Without what only a runner is made from: the models of a large plan take as much memory as the plan. */
function onlyNeeded(planned: Planned, { emit }: Job): Planned {
  return emit.includes('runner') ? planned : { ...planned, laid: [] };
}

async function baselineOf(job: Job, { at }: Context): Promise<Plan | undefined> {
  const { baseline } = job;
  if (baseline === undefined) return undefined;
  const { parsePlan } = await import('../plan/read.ts');
  return parsePlan(readTextFile(at(baseline), howToMake(baseline, job)), baseline);
}

/** Adds what the comparison with the baseline finds to the plan's diagnostics. */
function gated(planned: Planned, before: Plan, { baseline = '', maxGrowth }: Job): Planned {
  const faults: readonly Diagnostic[] = [
    ...baselineWarnings(planned.plan, before, baseline),
    ...growthFaults(planned.plan, before, maxGrowth),
  ];
  return { ...planned, plan: { ...planned.plan, diagnostics: [...planned.plan.diagnostics, ...faults] } };
}

/** The first baseline of a project. */
function howToMake(baseline: string, { given }: Job): string {
  const [models, folder] = [given.models.join(' '), dirname(baseline)];
  return `make the first one with: memplan ${models} --target ${given.target} --emit json --out ${folder}`;
}
