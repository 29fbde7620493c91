/** Runs all jobs: plans every model, then writes or compares the files, then reports. */
import type { Diagnostic } from '../errors.ts';
import { errorDocument } from '../report/error.ts';
import { type FileStatus, filesText } from '../report/files.ts';
import type { RunResult } from '../report/gates.ts';
import { jsonParts } from '../report/json.ts';
import type { Checked } from './check.ts';
import type { Context } from './context.ts';
import type { Job } from './job.ts';
import { type FailedJob, isPlanned, type Outcome, outcomeOf } from './outcome.ts';
import { filesOf, type Output, refuseCollisions, writeOutputs } from './outputs.ts';
import { tellPlan } from './tell-plan.ts';

/** A job that was planned, and what became of its files. */
interface Delivered extends Output, Checked {
  readonly diagnostics: readonly Diagnostic[];
}

type Ended = Delivered | FailedJob;

export interface JobsRun {
  /** The worst of all jobs. */
  readonly code: number;
  readonly outcomes: readonly Outcome[];
}

/**
 * Nothing but reports is written unless every model could be planned and passed its gates. Throws what is wrong with a
 * job that is alone, unless it is to be an annotation; of several each is told.
 */
export async function runJobs(jobs: readonly [Job, ...Job[]], context: Context): Promise<JobsRun> {
  const outcomes: Outcome[] = [];
  for (const job of jobs) outcomes.push(await outcomeOf(job, context));
  const passed = outcomes.every((outcome) => isPlanned(outcome) && outcome.passed);
  const { reports, check } = jobs[0];

  const outputs: Output[] = [];
  for (const outcome of outcomes.filter(isPlanned)) {
    outputs.push({ ...outcome, files: await filesOf(outcome.job, outcome.planned, passed) });
  }
  refuseCollisions(outputs);
  const { delivered, markers } = check
    ? { delivered: await compare(outputs, context), markers: [] }
    : deliver(outputs, passed, context);

  const ended = outcomes.map((outcome): Ended => delivered.get(outcome.job) ?? (outcome as FailedJob));
  const results = ended.map(resultOf);
  const statuses = [...markers, ...(await ciReports(results, reports, context))];
  const [only] = ended;
  // Annotations name the model, which only the results know.
  const annotated = reports.some(({ form }) => form === 'github');
  if (jobs.length === 1 && only !== undefined && 'error' in only && !annotated) throw only.error;
  await tell(ended, statuses, context);
  return { code: Math.max(...ended.map(codeOf)), outcomes };
}

type ByJob = ReadonlyMap<Job, Delivered>;

function deliver(outputs: readonly Output[], passed: boolean, { at }: Context) {
  const { files, markers } = writeOutputs(outputs, passed, at);
  const told = outputs.map((output, i) => {
    return [output.job, delivery(output, { statuses: files[i]!, faults: [], stale: [] })] as const;
  });
  return { delivered: new Map(told), markers };
}

/** Holds the files on disk against what would be written. */
async function compare(outputs: readonly Output[], { at }: Context): Promise<ByJob> {
  const { checkOutput } = await import('./check.ts');
  return new Map(outputs.map((output) => [output.job, delivery(output, checkOutput(output, at))]));
}

function delivery(output: Output, checked: Checked): Delivered {
  return { ...output, ...checked, diagnostics: [...output.planned.plan.diagnostics, ...checked.faults] };
}

async function ciReports(
  results: readonly RunResult[],
  reports: Job['reports'],
  context: Context,
): Promise<readonly FileStatus[]> {
  if (reports.length === 0) return [];
  return (await import('./ci-reports.ts')).writeCiReports(results, reports, context);
}

function codeOf(ended: Ended): number {
  if ('error' in ended) return ended.error.exitCode;
  return ended.diagnostics.some(({ kind }) => kind === 'error') ? 1 : 0;
}

function resultOf(ended: Ended): RunResult {
  const { job } = ended;
  const plan = 'error' in ended ? undefined : ended.planned.plan;
  return {
    file: job.given.models.join(' + '),
    target: job.given.target,
    plan,
    diagnostics: 'error' in ended ? ended.error.diagnostics : ended.diagnostics,
    budgets: [...job.request.budget].map(([name, bytes]) => (name === '' ? `${bytes}` : `${name}=${bytes}`)),
    baseline: job.baseline,
    before: 'error' in ended ? undefined : ended.before,
    check: job.check,
  };
}

/** Everything on stdout and stderr; `statuses` are those of files that belong to no single job. */
async function tell(
  ended: readonly Ended[],
  statuses: readonly FileStatus[],
  context: Context,
): Promise<void> {
  const results = ended.map(resultOf);
  const several = ended.length > 1;
  const paint = context.json ? context.errPaint : context.outPaint;
  const github = ended[0]!.job.reports.some(({ form }) => form === 'github');
  const documents = ended.map(documentOf);
  if (context.json) {
    for (const part of jsonParts(several ? { schema: 1, plans: documents } : documents[0]!))
      context.out(part);
  }
  for (const [index, one] of ended.entries()) {
    if (!('error' in one)) await tellPlan(one, context);
    if (github) continue;
    const { file, diagnostics } = results[index]!;
    if (several && diagnostics.length > 0 && !context.quiet)
      context.err(`${context.errPaint.heading(file)}\n`);
    context.diagnose(diagnostics);
    if (several) context.tell('\n');
  }
  if (several) {
    const { overviewText } = await import('../report/overview.ts');
    context.tell(overviewText(results, paint));
  }
  context.tell(filesText(statuses, paint));
  if (github) await (await import('./ci-reports.ts')).tellGithub(results, context);
}

function documentOf(ended: Ended): object {
  return 'error' in ended
    ? errorDocument(ended.error)
    : { ...ended.planned.plan, diagnostics: ended.diagnostics };
}
