/** Plans one job and holds the plan against its gates. */
import { dirname } from 'node:path';
import { type Diagnostic, MemplanError } from '../errors.ts';
import { type Planned, planModel } from '../pipeline.ts';
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
    const plan = context.watched(title, (observe) => planModel(job.request, observe));
    const planned = await gated(plan, job, context);
    const { fits, diagnostics } = planned.plan;
    return { job, planned, passed: fits && !diagnostics.some(({ kind }) => kind === 'error') };
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return { job, error };
  }
}

/** Adds what the comparison with the baseline finds to the plan's diagnostics. */
async function gated(planned: Planned, job: Job, { at }: Context): Promise<Planned> {
  const { baseline, maxGrowth } = job;
  if (baseline === undefined) return planned;
  const { parsePlan } = await import('../plan/read.ts');
  const before = parsePlan(readTextFile(at(baseline), howToMake(baseline, job)), baseline);
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
