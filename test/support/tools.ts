/** External programs that tests drive: compilers, QEMU, make. Where one is missing, a test says so and is skipped; with CI=true it fails. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Finished {
  /** Exit status; a signal counts as 128. */
  readonly status: number;
  /** stdout and stderr. */
  readonly output: string;
}

/** The reason to skip a test that needs these programs, or undefined when all are there. Throws when CI must have them. */
export function missing(...programs: readonly string[]): string | undefined {
  const absent = programs.filter((program) => !onPath(program));
  if (absent.length === 0) return undefined;
  const reason = `not installed: ${absent.join(', ')} (scripts/install-toolchain.sh installs them)`;
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  return reason;
}

/** What has not ended by then hangs: a compiler takes seconds, and many times that on a machine with other work. */
const HANGS = 600_000;

/** Runs a program without a shell. */
export function run(program: string, args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: HANGS, maxBuffer: 1 << 24 };
    execFile(program, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : 128;
      resolve({ status, output: stdout + stderr });
    }).stdin?.end();
  });
}

/** Runs jobs two at a time, in order. */
export async function twoAtATime<T, R>(items: readonly T[], job: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await job(items[i]!);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
