/** --watch: plans again whenever a file changes that the result depends on. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemplanError } from '../errors.ts';
import { counted } from '../report/text.ts';
import { CONFIG_FILE } from './config/find.ts';
import type { Context } from './context.ts';
import { readJobs } from './jobs.ts';
import { isPlanned } from './outcome.ts';
import { prerequisites } from './prerequisites.ts';
import type { Invocation } from './program.ts';
import { runJobs } from './run-jobs.ts';

/** Files are looked at this often: that works on every file system, and for editors that replace files. */
const POLL_MS = 100;
/** A file counts as written when it has not changed for so long. */
const SETTLE_MS = 50;
const CLEAR = '\u001b[2J\u001b[3J\u001b[H';

/** Never resolves: Ctrl-C ends it. Throws what is wrong with the command line itself. */
export async function watch(invocation: Invocation, context: Context): Promise<never> {
  const seen = new Map<string, string>();
  let files: readonly string[] = [];
  for (;;) {
    for (const path of files) seen.set(path, signature(path));
    files = await runOnce(invocation, context, files);
    for (const path of files) if (!seen.has(path)) seen.set(path, signature(path));
    context.err(`${context.errPaint.faint(`watching ${counted(files.length, 'file')}; Ctrl-C ends`)}\n`);
    while (files.every((path) => signature(path) === seen.get(path))) await sleep(POLL_MS);
    await settled(files);
    if (context.terminal) context.out(CLEAR);
  }
}

/** Plans once and says which files that depended on, as paths of the file system; `before` are those of the last run. */
async function runOnce(
  invocation: Invocation,
  context: Context,
  before: readonly string[],
): Promise<readonly string[]> {
  const files = new Set(before.length > 0 ? before : firstFiles(invocation, context));
  try {
    const jobs = await readJobs(invocation, context);
    for (const job of jobs) for (const path of prerequisites(job, [])) files.add(context.at(path));
    const { outcomes } = await runJobs(jobs, context);
    const read = outcomes.flatMap((outcome) =>
      prerequisites(outcome.job, isPlanned(outcome) ? outcome.planned.externalFiles : []),
    );
    for (const path of read) files.add(context.at(path));
  } catch (error) {
    const onlyFiles = error instanceof MemplanError && (before.length > 0 || error.code !== 'E_USAGE');
    if (!onlyFiles) throw error;
    context.diagnose(error.diagnostics);
  }
  return [...files];
}

/** What is worth watching even when the first run fails: a configuration that may be written, and the models. */
function firstFiles({ operands, options }: Invocation, { at }: Context): readonly string[] {
  const { config } = options;
  const settings = config === false ? [] : [typeof config === 'string' ? config : CONFIG_FILE];
  return [...operands, ...settings].map(at);
}

/** Changes whenever the file does. */
function signature(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

async function settled(files: readonly string[]): Promise<void> {
  const now = () => files.map(signature).join('\n');
  for (let last = ''; last !== now(); await sleep(SETTLE_MS)) last = now();
}
