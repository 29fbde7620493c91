/** All jobs of a run: one for each model that is planned on its own. */
import { configure } from './config/configure.ts';
import type { Context } from './context.ts';
import { faults } from './faults.ts';
import { type Job, readJob } from './job.ts';
import type { Invocation } from './program.ts';

/** Throws E_USAGE and E_CONFIG, the faults of all jobs together. */
export async function readJobs(invocation: Invocation, { at }: Context): Promise<readonly [Job, ...Job[]]> {
  const { invocations, path } = await configure(invocation, at);
  const found = faults();
  const [first, ...others] = invocations.map((one) => readJob(one, at, found, path));
  found.finish();
  return [first!, ...others];
}
