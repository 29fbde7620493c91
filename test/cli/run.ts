/** Runs a command line inside the test, with streams that are kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../src/main.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Working directory. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Columns of a terminal with colours; without it both streams are pipes. */
  readonly terminal?: number;
  /** True: somebody wants the best plan so far. */
  readonly interrupted?: () => boolean;
}

export async function cli(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = '.', env = {}, terminal, interrupted } = options;
  const text = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (part: string) => {
      text[name] += part;
    },
    ...(terminal === undefined ? {} : { isTTY: true, columns: terminal, hasColors: () => true }),
  });
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') };
  const code = await run(argv, { ...streams, env, cwd, interrupted });
  return { code, ...text };
}

/** An empty folder that is gone after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memplan test '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
