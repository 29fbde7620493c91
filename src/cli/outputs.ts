/** The files of the main job: which there are, and bringing the disk up to date with them. */
import { basename, dirname, isAbsolute, join } from 'node:path';
import { depfileText } from '../emit/depfile.ts';
import { type TextFile, touchStamp, writeFiles } from '../emit/write.ts';
import type { Planned } from '../pipeline.ts';
import type { Plan } from '../plan/types.ts';
import { csv } from '../report/csv.ts';
import type { FileStatus } from '../report/files.ts';
import { jsonText } from '../report/json.ts';
import { markdown } from '../report/markdown.ts';
import type { Job } from './job.ts';
import { isTargetFile } from './request.ts';

/** Reports are written whether the plan fits or not. */
const REPORTS: Readonly<Record<string, { readonly name: string; readonly text: (plan: Plan) => string }>> = {
  json: { name: 'plan.json', text: jsonText },
  csv: { name: 'plan.csv', text: csv },
  md: { name: 'plan.md', text: markdown },
};

/** What --emit asks for. The C is left out when a gate failed. */
export async function filesOf(job: Job, { plan, target }: Planned, passed: boolean): Promise<TextFile[]> {
  const reports = job.emit.flatMap((kind) => {
    const report = REPORTS[kind];
    return report === undefined ? [] : [{ name: report.name, text: report.text(plan) }];
  });
  if (!passed || !job.emit.some((kind) => kind === 'h' || kind === 'c')) return reports;
  const { renderFiles } = await import('../emit/render.ts');
  const wanted = renderFiles(plan, target, job.render).filter(({ name }) =>
    job.emit.includes(name.slice(-1)),
  );
  return [...wanted, ...reports];
}

/** Writes the files, then the depfile and the stamp of a job that passed. Throws E_WRITE. */
export function writeOutputs(
  job: Job,
  files: readonly TextFile[],
  planned: Planned,
  passed: boolean,
  at: (path: string) => string,
): readonly FileStatus[] {
  const shown = (name: string) => join(job.out, name);
  const statuses: FileStatus[] =
    files.length === 0 ? [] : writeFiles(at(job.out), files).map((f) => ({ ...f, name: shown(f.name) }));
  if (!passed) return statuses;
  if (job.depfile !== undefined) {
    const outputs = job.stamp === undefined ? files.map(({ name }) => shown(name)) : [job.stamp];
    const text = depfileText(outputs, prerequisites(job, planned));
    const [file] = writeFiles(dirname(at(job.depfile)), [{ name: basename(job.depfile), text }]);
    statuses.push({ name: job.depfile, status: file!.status });
  }
  if (job.stamp !== undefined) {
    touchStamp(at(job.stamp));
    statuses.push({ name: job.stamp, status: 'written' });
  }
  return statuses;
}

/** What the result depends on: models, the files with weights that they name, a target file, the baseline. */
function prerequisites({ given, baseline }: Job, { externalFiles }: Planned): readonly string[] {
  const folder = dirname(given.models[0]!);
  const external = externalFiles.map((file) => (isAbsolute(file) ? file : join(folder, file)));
  const target = isTargetFile(given.target) ? [given.target] : [];
  return [...given.models, ...external, ...target, ...(baseline === undefined ? [] : [baseline])];
}
