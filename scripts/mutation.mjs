// Mutation tests of the checker and of the bounds: `npm run mutation [FILE...]`, all of them by default.
// Stryker is installed into a folder of its own (it is no dependency): 140 packages that only this script needs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '9.6.1';
const root = join(fileURLToPath(import.meta.url), '../..');
const folder = join(root, '.cache/mutation');

/** Runs a program in the root with its output shown; its exit code. */
function run(program, args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  return spawnSync(program, args, options).status ?? 1;
}

const manifest = join(folder, 'node_modules/@stryker-mutator/vitest-runner/package.json');
if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== VERSION) {
  mkdirSync(folder, { recursive: true });
  // Without peers, so that the runner finds the vitest of the project, which is also what the tests import.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  if (run('npm', ['install', '--prefix', folder, ...flags, ...packages]) !== 0) process.exit(1);
}

const checker = readdirSync(join(root, 'src/verify')).map((file) => `src/verify/${file}`);
const planner = ['src/planner/bound.ts', 'src/planner/check.ts'];
const all = [...checker, ...planner, 'src/order/bound.ts', 'src/lifetime/least.ts'];
const asked = process.argv.slice(2);
let failed = 0;
for (const file of asked.length > 0 ? asked : all) {
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const [path] = file.split(':');
  const env = { MUTATED: path };
  failed +=
    run(process.execPath, [stryker, 'run', 'stryker.config.mjs', '--mutate', file], env) === 0 ? 0 : 1;
}
process.exitCode = failed > 0 ? 1 : 0;
