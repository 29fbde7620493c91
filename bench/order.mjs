// Bundles and runs bench/order/main.ts; `--write` puts the table into docs/order.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'node_modules/.cache/memplan');
mkdirSync(out, { recursive: true });
const outfile = join(out, 'bench-order.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['bench/order/main.ts'],
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outfile,
});
const run = spawnSync(process.execPath, [outfile, root, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = run.status ?? 1;
