// Files beyond memory: what models of 2 GB, of 100 MB of floats, and of 50,000 to 200,000 nodes cost over an empty node.
// `--write` puts the table of all into docs/large.md; any other word picks the models whose names hold it.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chain, head, info, int, node, PREFIX, string, write } from './model-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'bin/memplan.js');
const folder = mkdtempSync(join(tmpdir(), 'memplan-bench-read-'));

/** One MatMul whose weight of `bytes` bytes (field 4: float_data, 9: raw_data) is a hole in the file. */
function weights(name, field, bytes) {
  const columns = bytes / 4 / 64;
  const tensor = [int(1, 64), int(1, columns), int(2, 1), string(8, 'w'), head(field, bytes)];
  const before = Buffer.concat([
    node('MatMul', ['x', 'w'], 'y'),
    info(11, 'x', [1, 64]),
    info(12, 'y', [1, columns]),
  ]);
  const tensorHead = Buffer.concat(tensor);
  const tensorLength = tensorHead.length + bytes;
  const start = Buffer.concat([before, head(5, tensorLength), tensorHead]);
  const whole = Buffer.concat([PREFIX, head(7, start.length + bytes), start]);
  return write(folder, name, whole, whole.length + bytes);
}

/** Wall and processor seconds and the largest resident set of one process; Linux tells the last. */
function measure(args) {
  const usage = join(folder, 'usage.json');
  const probe = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(usage)},
    JSON.stringify(process.resourceUsage())))`;
  const hook = join(folder, 'probe.cjs');
  const handle = openSync(hook, 'w');
  writeSync(handle, probe);
  closeSync(handle);
  const start = process.hrtime.bigint();
  const run = spawnSync(process.execPath, ['--require', hook, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  if (run.status !== 0) throw new Error(`exit ${run.status}: node ${args.join(' ')}\n${run.stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 };
}

const empty = measure(['-e', '0']);
let faults = 0;
const rows = [
  '| file | job | processor | clock | memory | limit |',
  '| --- | --- | ---: | ---: | ---: | --- |',
];

function show(name, job, args, limit) {
  const { wall, cpu, rss } = measure(args);
  const [seconds, megabytes] = [cpu - empty.cpu, rss - empty.rss];
  const over = limit !== undefined && (seconds > limit.seconds || megabytes > limit.megabytes);
  if (over) faults++;
  const bound = limit ? `at most ${limit.seconds} s and ${limit.megabytes} MB${over ? ': MISSED' : ''}` : '';
  const times = [seconds, wall - empty.wall].map((time) => `${time.toFixed(2)} s`);
  rows.push(`| ${[name, job, ...times, `${megabytes.toFixed(0)} MB`, bound].join(' | ')} |`);
  console.log(
    `${name.padEnd(20)} ${job.padEnd(7)} cpu ${seconds.toFixed(2).padStart(6)} s   wall ` +
      `${(wall - empty.wall).toFixed(2).padStart(6)} s   peak ${megabytes.toFixed(0).padStart(5)} MB   ${bound}`,
  );
}

const WEIGHTS = { seconds: 1, megabytes: 150 };
const NODES = { seconds: 8, megabytes: 1024 };
const [only = ''] = process.argv.slice(2).filter((word) => word !== '--write');

try {
  console.log(
    `node ${process.version}; over an empty node (${empty.wall.toFixed(2)} s, ${empty.rss.toFixed(0)} MB)`,
  );
  const models = [
    { make: () => weights('2 GB raw_data', 9, 2 ** 31 - 2 ** 20), limit: WEIGHTS },
    { make: () => weights('100 MB float_data', 4, 100 * 2 ** 20), limit: WEIGHTS },
    { make: () => chain(folder, 50_000) },
    { make: () => chain(folder, 100_000) },
    { make: () => chain(folder, 200_000), limit: NODES },
  ];
  for (const { make, limit } of models) {
    const { name, path } = make();
    if (name.includes(only)) {
      const out = join(folder, 'out');
      show(name, 'shapes', [bin, 'shapes', path, '--quiet'], limit);
      show(name, 'plan', [bin, path, '--target', 'cortex-a53', '--out', out], limit);
    }
    rmSync(path);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (process.argv.includes('--write') && only === '') {
  const file = join(root, 'docs/large.md');
  const mark = '<!-- table: npm run bench:read -- --write -->';
  const [before] = readFileSync(file, 'utf8').split(mark);
  writeFileSync(file, `${before}${mark}\n\n${rows.join('\n')}\n`);
}
process.exitCode = faults === 0 ? 0 : 1;
