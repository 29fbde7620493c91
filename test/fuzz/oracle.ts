/** Runs many models in onnxruntime, in processes of their own: one that aborts costs its model and no other. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, '..', '..', '.cache/oracle/node_modules/onnxruntime-node');

export type Outcome =
  | { readonly outputs: Readonly<Record<string, readonly [type: string, shape: readonly number[]]>> }
  | { readonly error: string };

export function runAll(paths: readonly string[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  while (outcomes.length < paths.length) {
    const child = spawnSync(process.execPath, [join(here, 'run.cjs'), folder], {
      encoding: 'utf8',
      input: paths.slice(outcomes.length).join('\n'),
      maxBuffer: 1 << 28,
    });
    const lines = child.stdout.split('\n').filter(Boolean);
    outcomes.push(...lines.map((line) => JSON.parse(line) as Outcome));
    if (outcomes.length < paths.length) {
      outcomes.push({ error: `onnxruntime ended with ${child.signal ?? child.status}` });
    }
  }
  return outcomes;
}
