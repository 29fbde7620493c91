/** The main job: plans models, gates the plans, writes the files, reports. */
import { fail } from '../../errors.ts';
import type { Context } from '../context.ts';
import { readJobs } from '../jobs.ts';
import type { Invocation } from '../program.ts';
import { runJobs } from '../run-jobs.ts';

export async function command(invocation: Invocation, context: Context): Promise<number> {
  const jobs = await readJobs(invocation, context);
  const [{ scales, config, given }] = jobs;
  if (config !== undefined && !context.quiet) {
    context.err(`${context.errPaint.faint(`settings from ${config}`)}\n`);
  }
  if (scales.length > 0 && (jobs.length > 1 || given.models.length > 1)) {
    fail('E_USAGE', '--scale-input is for one model', {
      hint: `memplan ${given.models[0]} --scale-input 0.5,1`,
    });
  }
  if (scales.length > 0) return (await import('../sweep.ts')).sweep(jobs[0], context);
  if (invocation.options.watch === true) {
    return (await import('../watch.ts')).watch(invocation, context);
  }
  return (await runJobs(jobs, context)).code;
}
