// Bundles and runs bench/planner/main.ts; arguments are passed on: names of sections to run (all by default).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'node_modules/.cache/memplan');
mkdirSync(out, { recursive: true });
// Where the bundle looks for built-in targets.
cpSync(join(root, 'src/target/data'), join(out, 'targets'), { recursive: true });
const outfile = join(out, 'bench-planner.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['bench/planner/main.ts'],
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outfile,
});
const run = spawnSync(process.execPath, [outfile, root, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = run.status ?? 1;
