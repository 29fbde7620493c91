/** The main job: plans a model, gates the plan, writes the files, reports. */
import { join } from 'node:path';
import { staleFiles, type TextFile } from '../../emit/write.ts';
import type { Diagnostic } from '../../errors.ts';
import { type Planned, planModel } from '../../pipeline.ts';
import type { Plan } from '../../plan/types.ts';
import { type FileStatus, filesText } from '../../report/files.ts';
import { fusionsText } from '../../report/fusions.ts';
import { jsonText } from '../../report/json.ts';
import { mapText } from '../../report/map.ts';
import { summary } from '../../report/summary.ts';
import { tensorsText } from '../../report/tensors.ts';
import type { Context } from '../context.ts';
import { appendTextFile, readTextFile } from '../files.ts';
import { growthFaults } from '../gates.ts';
import { type Job, readJob } from '../job.ts';
import { filesOf, writeOutputs } from '../outputs.ts';
import type { Invocation } from '../program.ts';

export async function command(invocation: Invocation, context: Context): Promise<number> {
  const job = readJob(invocation, context.at);
  if (job.scales.length > 0) return (await import('../sweep.ts')).sweep(job, context);
  const planned = await gated(planModel(job.request), job, context);
  const { plan } = planned;
  const passed = plan.fits && plan.diagnostics.every(({ kind }) => kind !== 'error');
  const files = await filesOf(job, planned, passed);
  const checks = job.check ? checkFiles(files, job, context) : [];
  const statuses = job.check
    ? checks.map(({ status }) => status)
    : writeOutputs(job, files, planned, passed, context.at);
  const diagnostics = [...plan.diagnostics, ...checks.flatMap(({ faults }) => faults)];
  if (context.json) context.out(jsonText({ ...plan, diagnostics }));
  else tellPlan(plan, job, context);
  context.tell(filesText(statuses, context.json ? context.errPaint : context.outPaint));
  if (job.report === 'github') await tellGithub(plan, diagnostics, job, context);
  else context.diagnose(diagnostics);
  return passed && diagnostics.every(({ kind }) => kind !== 'error') ? 0 : 1;
}

/** The messages as annotations, and the report appended to the job's summary. */
async function tellGithub(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  job: Job,
  context: Context,
): Promise<void> {
  const { githubAnnotations, githubSummary } = await import('../../report/github.ts');
  context.err(githubAnnotations(diagnostics, job.given.models[0]!));
  if (context.jobSummary !== undefined) appendTextFile(context.jobSummary, githubSummary(plan));
}

/** Adds what the comparison with the baseline finds to the plan's diagnostics. */
async function gated(planned: Planned, { baseline, maxGrowth }: Job, { at }: Context): Promise<Planned> {
  if (baseline === undefined) return planned;
  const { parsePlan } = await import('../../plan/read.ts');
  const before = parsePlan(readTextFile(at(baseline)), baseline);
  const faults: readonly Diagnostic[] = growthFaults(planned.plan, before, maxGrowth);
  return { ...planned, plan: { ...planned.plan, diagnostics: [...planned.plan.diagnostics, ...faults] } };
}

/** --check: each file beside what is on the disk. */
function checkFiles(files: readonly TextFile[], { out }: Job, { at }: Context) {
  return files.map((file) => {
    const faults = staleFiles(at(out), [file]);
    const status: FileStatus = {
      name: join(out, file.name),
      status: faults.length > 0 ? 'stale' : 'current',
    };
    return { status, faults };
  });
}

function tellPlan(plan: Plan, job: Job, context: Context): void {
  const { outPaint: paint, columns, verbose: all, tell } = context;
  tell(summary(plan, { paint, columns, all }));
  if (all) tell(`\n${tensorsText(plan, paint, columns)}`);
  if (all && plan.fusion !== undefined) tell(`\n${fusionsText(plan, paint, columns)}`);
  if (job.map) tell(`\n${mapText(plan, paint, columns)}`);
  tell('\n');
}
