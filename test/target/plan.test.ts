/** A small model is planned for every built-in target, whatever is known about its memories. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../src/main.ts';
import type { Plan } from '../../src/plan/types.ts';
import { listTargets, loadTarget } from '../../src/target/load.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const model = join(root, 'examples', 'kws-int8', 'kws-int8.onnx');
const out = mkdtempSync(join(tmpdir(), 'memplan-every-target-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

it.each(listTargets())('%s', async (id) => {
  const said = { stdout: '', stderr: '' };
  const stream = (of: keyof typeof said) => ({
    write(text: string) {
      said[of] += text;
    },
  });
  const io = { stdout: stream('stdout'), stderr: stream('stderr'), env: {}, cwd: out };
  expect({
    code: await run([model, '--target', id, '--kernels', 'none', '--json'], io),
    ...said,
  }).toMatchObject({
    code: 0,
  });
  const { fits, regions, totals } = JSON.parse(said.stdout) as Plan;
  const target = loadTarget(id);
  const main = target.regions.find((r) => r.name === target.main)!;
  expect(fits).toBe(true);
  expect(regions).toMatchObject([{ name: main.name, origin: main.origin, capacity: main.size }]);
  // Two layers of 25 x 5 x 64 bytes: 8,000 is a multiple of every alignment that targets recommend.
  expect(totals.arenaBytes).toBe(16_000);
});
