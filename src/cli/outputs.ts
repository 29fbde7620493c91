/** The files of the main job: which there are, and bringing the disk up to date with them. */
import { join } from 'node:path';
import { depfileText } from '../emit/depfile.ts';
import type { RenderOptions } from '../emit/render.ts';
import type { UserTemplates } from '../emit/templates-user.ts';
import { type OutputFile, partsOf, type TextFile, writeAll } from '../emit/write.ts';
import { fail } from '../errors.ts';
import type { Planned } from '../pipeline.ts';
import type { Plan } from '../plan/types.ts';
import { csv } from '../report/csv.ts';
import type { FileStatus } from '../report/files.ts';
import { jsonParts } from '../report/json.ts';
import { markdown } from '../report/markdown.ts';
import { slashed } from './io.ts';
import type { Job } from './job.ts';
import type { PlannedJob } from './outcome.ts';
import { prerequisites } from './prerequisites.ts';

/** Reports are written whether the plan fits or not. */
const REPORTS: Readonly<Record<string, { readonly name: string; readonly text: TextOf }>> = {
  json: { name: 'plan.json', text: jsonParts },
  csv: { name: 'plan.csv', text: csv },
  md: { name: 'plan.md', text: markdown },
  html: { name: 'plan.html', text: async (plan) => (await import('../report/html.ts')).html(plan) },
  svg: { name: 'plan.svg', text: async (plan) => (await import('../report/svg.ts')).svg(plan) },
  trace: { name: 'plan.trace.json', text: async (plan) => (await import('../report/trace.ts')).trace(plan) },
};

type TextOf = (plan: Plan) => OutputFile['text'] | Promise<string>;

/** What --emit asks for. The C is left out when a gate failed. */
export async function filesOf(job: Job, planned: Planned, passed: boolean): Promise<readonly OutputFile[]> {
  const { plan, target } = planned;
  const reports: OutputFile[] = [];
  for (const kind of job.emit) {
    const report = REPORTS[kind];
    if (report !== undefined) reports.push({ name: report.name, text: await report.text(plan) });
  }
  if (!passed || !job.emit.some((kind) => C_FILES.includes(kind))) return reports;
  const { renderInParts, renderLinker, renderOthers } = await import('../emit/render.ts');
  const render: RenderOptions = { ...job.render, templates: await templatesOf(job) };
  const others = [...(await runnerFiles(job, planned)), ...(await poolFilesOf(job))];
  // A runner cannot be compiled without both, and a pool has its memory from them.
  const wanted = renderInParts(plan, target, render).filter(
    ({ name }) => others.length > 0 || job.emit.includes(name.slice(-1)),
  );
  const linker = job.emit.includes('ld') ? [renderLinker(plan, target, render)] : [];
  return [...wanted, ...linker, ...renderOthers(plan, target, render), ...others, ...reports];
}

async function templatesOf({ templates }: Job): Promise<UserTemplates | undefined> {
  if (templates === undefined) return undefined;
  return (await import('../emit/templates-user.ts')).userTemplates(templates.dir);
}

/** What --emit calls the kinds of C. */
const C_FILES: readonly string[] = ['h', 'c', 'runner', 'pool', 'ld'];

async function poolFilesOf(job: Job): Promise<readonly OutputFile[]> {
  return job.emit.includes('pool') ? (await import('../emit/pool.ts')).poolFiles() : [];
}

async function runnerFiles(job: Job, planned: Planned): Promise<readonly OutputFile[]> {
  if (!job.emit.includes('runner')) return [];
  const { renderRunner } = await import('../runner/render.ts');
  const { base: name, render, runnerWeights: weights } = job;
  return renderRunner(planned, { name, arena: render.arena ?? 'static', weights });
}

/** A planned job with its files. */
export interface Output extends PlannedJob {
  readonly files: readonly OutputFile[];
}

/** Throws E_USAGE when two jobs would write different texts to one file. */
export function refuseCollisions(outputs: readonly Output[]): void {
  const owners = new Map<string, { readonly model: string; readonly text: OutputFile['text'] }>();
  for (const { job, files } of outputs) {
    const model = job.given.models.join(' + ');
    for (const { name, text } of files) {
      const path = join(job.out, name);
      const owner = owners.get(path);
      if (owner !== undefined && !isSame(owner.text, text)) {
        fail('E_USAGE', `${owner.model} and ${model} would both write ${path}`, {
          hint: 'give each model its own "out", or its own "name" for the C',
        });
      }
      owners.set(path, { model, text });
    }
  }
}

/** Part by part: one may be longer than a string can be. */
function isSame(a: OutputFile['text'], b: OutputFile['text']): boolean {
  const others = partsOf(b);
  for (const part of partsOf(a)) {
    const other = others.next();
    if (other.done === true || Buffer.compare(part, other.value) !== 0) return false;
  }
  return others.next().done === true;
}

export interface Written {
  /** The files of each output. */
  readonly files: readonly (readonly FileStatus[])[];
  /** Depfiles and stamps. */
  readonly markers: readonly FileStatus[];
}

/**
 * Brings the files of all jobs up to date, and after them, where the jobs `passed`, depfiles and stamps: either all of
 * them or none. Throws E_WRITE.
 */
export function writeOutputs(
  outputs: readonly Output[],
  passed: boolean,
  at: (path: string) => string,
): Written {
  const files = outputs.map(({ job, files }) =>
    files.map(({ name, text }) => ({ name: join(job.out, name), text })),
  );
  const markers = passed ? [...depfilesOf(outputs), ...stampsOf(outputs)] : [];
  const all = [...files.flat(), ...markers];
  const statuses = writeAll(all.map(({ name, ...file }) => ({ ...file, path: at(name) })));
  let next = 0;
  const told = ({ name }: { readonly name: string }): FileStatus => ({ name, status: statuses[next++]! });
  return { files: files.map((list) => list.map(told)), markers: markers.map(told) };
}

/** Jobs that share a depfile share its rule: all their files depend on all that they were made from. */
function depfilesOf(outputs: readonly Output[]): readonly TextFile[] {
  return distinct(outputs.map(({ job }) => job.depfile)).map((depfile) => {
    const sharing = outputs.filter(({ job }) => job.depfile === depfile);
    const made = sharing.flatMap(({ job, files }) =>
      job.stamp === undefined ? files.map(({ name }) => join(job.out, name)) : [job.stamp],
    );
    const needs = sharing.flatMap(({ job, planned }) => prerequisites(job, planned.externalFiles));
    return { name: depfile, text: depfileText(distinct(made).map(slashed), needs.map(slashed)) };
  });
}

/** Newer than everything that is written before them, as make and ninja ask. */
function stampsOf(outputs: readonly Output[]): readonly (TextFile & { readonly touch: true })[] {
  return distinct(outputs.map(({ job }) => job.stamp)).map((name) => ({ name, text: '', touch: true }));
}

function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}
