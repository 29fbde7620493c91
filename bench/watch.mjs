// How long --watch takes from a change of the model to the new plan. `npm run build` comes first.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const rounds = Number(process.env.ROUNDS ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'memplan-bench-'));
/** Models of about the same size, in turn. */
const MODELS = ['kws-int8/kws-int8.onnx', 'kws/kws.onnx'].map((file) => join(root, 'examples', file));

copyFileSync(MODELS[0], join(folder, 'net.onnx'));
const args = [join(root, 'bin/memplan.js'), 'net.onnx', '--target', 'stm32h743', '--watch', '--out', 'out'];
const child = spawn(process.execPath, args, { cwd: folder });
let told = () => {};
child.stderr.on('data', (text) => {
  if (String(text).includes('watching')) told();
});
/** Resolves when the program has planned and waits. */
const waits = () =>
  new Promise((resolve) => {
    told = resolve;
  });

try {
  await waits();
  const times = [];
  for (let round = 1; round <= rounds; round++) {
    // Files are looked at ten times a second: a change comes at any moment in between.
    await new Promise((resolve) => setTimeout(resolve, 50 + ((round * 37) % 100)));
    const start = performance.now();
    copyFileSync(MODELS[round % 2], join(folder, 'net.onnx'));
    await waits();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [median, most] = [times[times.length >> 1], times.at(-1)].map((ms) => ms.toFixed(0));
  console.log(
    `--watch, keyword spotter: planned again after ${median} ms (median of ${rounds}), at most ${most} ms`,
  );
} finally {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
}
