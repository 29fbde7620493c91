/** --report: tells CI services what came out. */
import { basename, dirname } from 'node:path';
import { writeFiles } from '../emit/write.ts';
import type { FileStatus } from '../report/files.ts';
import type { RunResult } from '../report/gates.ts';
import type { ReportRequest } from './ci-report-names.ts';
import type { Context } from './context.ts';
import { appendTextFile } from './files.ts';

/**
 * Annotations on stderr, one for each message, and a section of the job's summary for each plan, with what changed since
 * its baseline.
 */
export async function tellGithub(results: readonly RunResult[], context: Context): Promise<void> {
  const { githubAnnotations, githubSummary } = await import('../report/github.ts');
  for (const { file, plan, before, diagnostics } of results) {
    context.err(githubAnnotations(diagnostics, file));
    if (context.jobSummary !== undefined && plan !== undefined) {
      appendTextFile(context.jobSummary, githubSummary(plan, before));
    }
  }
}

/** Writes the reports that CI services read from files, whatever came out. Throws E_WRITE. */
export async function writeCiReports(
  results: readonly RunResult[],
  requests: readonly ReportRequest[],
  { at }: Context,
): Promise<readonly FileStatus[]> {
  const statuses: FileStatus[] = [];
  for (const { form, file } of requests) {
    if (file === undefined) continue;
    const text = await reportText(form, results);
    const [written] = writeFiles(dirname(at(file)), [{ name: basename(file), text }]);
    statuses.push({ name: file, status: written!.status });
  }
  return statuses;
}

async function reportText(form: ReportRequest['form'], results: readonly RunResult[]): Promise<string> {
  if (form === 'junit') return (await import('../report/junit.ts')).junitReport(results);
  return (await import('../report/gitlab.ts')).gitlabReport(results);
}
