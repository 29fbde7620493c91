/** onnxruntime-node as an oracle, where `scripts/install-oracle.sh` has put it: runs models in a process of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = join(root, '.cache/oracle/node_modules/onnxruntime-node');

/** The reason to print when the oracle is missing. */
export const ORACLE_MISSING = 'onnxruntime-node is not there: run scripts/install-oracle.sh';

/** Whether models can be run. With CI=true a missing oracle is a failure. */
export function hasOracle(): boolean {
  const found = existsSync(folder);
  if (!found && process.env.CI === 'true') throw new Error(ORACLE_MISSING);
  return found;
}

export interface RunTensor {
  readonly type: string;
  readonly shape: readonly number[];
  /** The first elements, at most 2,000. */
  readonly elements: readonly number[];
}

export interface Run {
  readonly inputs: Readonly<Record<string, RunTensor>>;
  readonly outputs: Readonly<Record<string, RunTensor>>;
}

/**
 * Runs each model file without optimisations on inputs spread over [-1, 1) (int8: over its range) and returns its
 * graph inputs and outputs.
 */
export function runModels(paths: readonly string[]): readonly Run[] {
  const script = join(root, 'test/support/oracle-run.cjs');
  const run = spawnSync(process.execPath, [script, folder, ...paths], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(`the oracle failed (${run.status ?? run.signal}): ${run.stderr}`);
  return JSON.parse(run.stdout) as Run[];
}

/** A model file and what to feed it: known elements, or as many of `fill`. */
export interface Job {
  readonly model: string;
  readonly inputs: readonly {
    readonly name: string;
    readonly type: string;
    readonly shape: readonly number[];
    readonly values?: readonly string[];
    readonly fill: number;
  }[];
}

export interface JobResult {
  /** Types and shapes of the outputs; undefined where the run failed. */
  readonly outputs?: Readonly<Record<string, { readonly type: string; readonly shape: readonly number[] }>>;
  readonly error?: string;
}

/** Runs each job without optimisations; `file` is where the jobs are left for the process. */
export function runJobs(jobs: readonly Job[], file: string): readonly JobResult[] {
  writeFileSync(file, JSON.stringify(jobs));
  const script = join(root, 'test/support/oracle-job.cjs');
  const run = spawnSync(process.execPath, [script, folder, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`the oracle failed (${run.status ?? run.signal}): ${run.stderr}`);
  return JSON.parse(run.stdout) as JobResult[];
}
