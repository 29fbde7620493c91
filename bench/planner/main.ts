/** The planner's figures in one table. Run it with `npm run bench:planner`; name sections to run some of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBufferList } from '../../src/planner/csv.ts';
import { solve } from '../../src/planner/solve.ts';
import type { Problem, Solution } from '../../src/planner/types.ts';
import { branchyNetwork, longChain, randomTraffic, trainingStep } from './generate.ts';
import { median, timed, wholeProcess, yardstick } from './measure.ts';
import { caseRows, modelRows } from './models.ts';
import { IDEALLOC, IDEALLOC_SOURCE, MINIMALLOC_MS, MINIMALLOC_SOURCE, OPEN_PEAKS } from './peers.ts';

const [root = '.', ...wanted] = process.argv.slice(2);
const shared = process.env.MEMPLAN_SHARED ?? join(root, '..', 'shared');
const data = join(shared, 'data/planning');

function readList(file: string): Problem {
  return parseBufferList(readFileSync(join(data, file), 'utf8'), file).problem;
}

function lists(folder: string): readonly string[] {
  return readdirSync(join(data, folder))
    .filter((file) => file.endsWith('.csv'))
    .sort();
}

function row(...cells: readonly (string | number)[]): void {
  const widths = [34, 12, 14, 14, 10, 12];
  console.log(
    cells
      .map((cell, k) => (k === 0 ? `${cell}`.padEnd(widths[0]!) : `${cell}`.padStart(widths[k] ?? 12)))
      .join(' '),
  );
}

const ratio = (solution: Solution): string => (solution.bytes / solution.lowerBound).toFixed(4);

function summary(name: string, problems: readonly Problem[]): void {
  const runs = problems.map((problem) => timed(() => solve(problem)));
  const proved = runs.filter((run) => run.result.optimal).length;
  const times = runs.map((run) => run.ms);
  row(
    name,
    `${proved}/${runs.length}`,
    `${median(times).toFixed(1)} ms`,
    `${Math.max(...times).toFixed(0)} ms`,
  );
}

function sectionModels(): void {
  row('models, default settings', 'steps', 'bytes', 'lower bound', 'proved', 'CPU');
  const rows = modelRows(root, shared);
  for (const { name, steps, bytes, bound, optimal, planning } of rows) {
    row(name, steps, bytes, bound, optimal ? 'yes' : 'no', `${planning.toFixed(0)} ms`);
  }
  const proved = rows.filter(({ optimal }) => optimal).length;
  const times = rows.map(({ planning }) => planning);
  const most = `most ${Math.max(...times).toFixed(0)} ms`;
  row('all', `${proved}/${rows.length}`, '', '', `median ${median(times).toFixed(0)} ms`, most);
}

function sectionCases(): void {
  row('cases with known optima', 'proved');
  for (const { policy, count, proved } of caseRows(shared)) row(policy, `${proved}/${count}`);
}

function sectionSmall(): void {
  row('small published problems', 'proved', 'median', 'max');
  const text = readFileSync(join(data, 'small.json'), 'utf8');
  const small = JSON.parse(text) as Record<string, { buffers: [number, number, number][] }>;
  const problems = Object.values(small).map(({ buffers }) => ({
    buffers: buffers.map(([first, last, bytes], i) => ({
      id: `${i}`,
      first,
      end: last + 1,
      bytes,
      alignment: 1,
    })),
  }));
  summary(`${problems.length} problems`, problems);
}

function sectionGlow(): void {
  row('real traces (Glow)', 'proved', 'median', 'max');
  const files = lists('glow');
  summary(
    `${files.length} traces`,
    files.map((file) => readList(`glow/${file}`)),
  );
}

function sectionNas(): void {
  row('branchy networks', 'proved', 'median', 'max');
  for (const [from, to] of [
    [40, 150],
    [150, 300],
    [300, 600],
  ] as const) {
    const problems = Array.from({ length: 1000 }, (_, k) =>
      branchyNetwork(k, from + ((k * 7919) % (to - from + 1))),
    );
    summary(`1000 of ${from} to ${to} tensors`, problems);
  }
}

function sectionMinimalloc(): void {
  const preload = join(root, 'bench/planner/cpu-at-exit.cjs');
  const bin = join(root, 'bin/memplan.js');
  const empty = median([1, 2, 3].map(() => wholeProcess(preload, ['-e', '0']).ms));
  row('hard sets, whole process', 'exit', 'CPU', 'peer', 'empty node', `${empty.toFixed(0)} ms`);
  let [own, peer] = [0, 0];
  const run = (name: string, file: string, capacity: number): number => {
    const args = [bin, 'solve', join(data, 'minimalloc', file), '--capacity', `${capacity}`];
    const runs = [1, 2, 3].map(() => wholeProcess(preload, args));
    const ms = median(runs.map((r) => r.ms));
    row(name, runs[0]!.status, `${ms.toFixed(0)} ms`, name.length === 1 ? `${MINIMALLOC_MS[name]} ms` : '');
    return ms;
  };
  for (const file of lists('minimalloc').filter((f) => f.includes('1048576'))) {
    own += run(file[0]!, file, 1048576);
    peer += MINIMALLOC_MS[file[0]!]!;
  }
  row('sum', '', `${own.toFixed(0)} ms`, `${peer} ms`, MINIMALLOC_SOURCE);
  run('C at its bound 1039360', 'C.1048576.csv', 1039360);
}

function sectionIdealloc(): void {
  row('idealloc data', 'buffers', 'ratio', 'CPU', 'by', IDEALLOC_SOURCE);
  let total = 0;
  for (const name of Object.keys(IDEALLOC)) {
    const problem = readList(`idealloc/${name}.csv`);
    const { ms, result } = timed(() => solve(problem));
    total += ms;
    const [peerRatio, seconds] = IDEALLOC[name]!;
    row(
      name,
      problem.buffers.length,
      ratio(result),
      `${ms.toFixed(0)} ms`,
      result.strategy,
      `${peerRatio}, ${seconds} s`,
    );
  }
  row('sum', '', '', `${total.toFixed(0)} ms`, '', `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
}

function sectionScale(): void {
  row('synthetic', 'buffers', 'ratio', 'CPU', 'by');
  for (const count of [10_000, 100_000, 1_000_000]) {
    for (const [name, make] of [
      ['chain', longChain],
      ['training', trainingStep],
      ['random', randomTraffic],
    ] as const) {
      const problem = make(1, count);
      const { ms, result } = timed(() => solve(problem));
      row(name, count, ratio(result), `${ms.toFixed(0)} ms`, result.strategy);
    }
  }
}

function sectionOpen(): void {
  row('open sets, default effort', 'peak', 'proved bound', 'CPU', 'known');
  for (const [name, known] of Object.entries(OPEN_PEAKS)) {
    const { ms, result } = timed(() => solve(readList(`minimalloc/${name}.1048576.csv`)));
    row(name, result.bytes, result.lowerBound, `${ms.toFixed(0)} ms`, known);
  }
}

const sections: Readonly<Record<string, () => void>> = {
  models: sectionModels,
  cases: sectionCases,
  small: sectionSmall,
  glow: sectionGlow,
  nas: sectionNas,
  minimalloc: sectionMinimalloc,
  idealloc: sectionIdealloc,
  scale: sectionScale,
  open: sectionOpen,
};

console.log(
  `node ${process.version}; yardstick (2e8 integer steps): ${yardstick().toFixed(0)} ms; times are user CPU`,
);
if (!existsSync(data)) console.log(`no buffer lists at ${data}: set MEMPLAN_SHARED`);
for (const name of wanted.length > 0 ? wanted : Object.keys(sections)) {
  console.log('');
  const section = sections[name];
  if (section === undefined)
    console.log(`no section '${name}'; there are ${Object.keys(sections).join(', ')}`);
  else if (name === 'minimalloc' && !existsSync(join(root, 'dist')))
    console.log('minimalloc: run npm run build first');
  else if (existsSync(data) || name === 'nas' || name === 'scale') section();
}
