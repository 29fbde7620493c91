/** The peaks of the orders of steps in one table. Run it with `npm run bench:order`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemplanError } from '../../src/errors.ts';
import type { TypedGraph } from '../../src/graph/types.ts';
import { none } from '../../src/kernels/none.ts';
import { buildBuffers } from '../../src/lifetime/buffers.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import type { LifetimeOptions } from '../../src/lifetime/types.ts';
import { type OrderModel, orderModel } from '../../src/order/model.ts';
import { orderSteps } from '../../src/order/solve.ts';
import { lowerBound } from '../../src/planner/bound.ts';
import { backwardSearch, breadthFirst, depthFirst } from './peers.ts';
import { cellSubjects, modelSubjects, type Subject } from './subjects.ts';

const [root = '.', ...flags] = process.argv.slice(2);

/** The defaults of the command line, without alignment: the table compares live bytes. */
const OPTIONS: LifetimeOptions = {
  ...{ align: 1, alignExactly: true, sizeRound: 1, io: 'arena', asyncIo: false, preserveInputs: false },
  ...{ keep: new Set(), views: true, inPlace: true, inPlaceInputs: true },
};
/** Sets of tensors that the search of Liberis and Lane may look at. */
const BACKWARD_SETS = 20_000;

interface Row {
  readonly name: string;
  readonly steps: number;
  readonly file: number;
  readonly depthFirst: number;
  readonly breadthFirst: number;
  /** undefined: too many sets. */
  readonly backward: number | undefined;
  readonly minPeak: number;
  readonly lowerBound: number;
  readonly ms: number;
}

/** undefined: there is one order only, or the model cannot be planned. */
function rowOf({ name, graph }: Subject): Row | undefined {
  const schedule = scheduleSteps(graph);
  const model = orderModel(graph, schedule, OPTIONS, none, 'ideal');
  const real = (order: readonly number[]): number => peakOf(graph, model, order);
  const start = process.cpuUsage();
  const found = orderSteps(model.problem);
  const ms = process.cpuUsage(start).user / 1000;
  if (found.only) return undefined;
  const file = real([...model.nodes.keys()]);
  const backward = backwardSearch(model.problem, BACKWARD_SETS);
  return {
    name,
    steps: model.nodes.length,
    file,
    depthFirst: real(depthFirst(model.problem)),
    breadthFirst: real(breadthFirst(model.problem)),
    backward: backward && real(backward),
    minPeak: Math.min(file, real(found.order)),
    lowerBound: found.lowerBound,
    ms,
  };
}

/** Live bytes of the buffers that are really built for this order. */
function peakOf(graph: TypedGraph, { nodes }: OrderModel, order: readonly number[]): number {
  const steps = new Set(nodes);
  const others = graph.nodes.filter((node) => !steps.has(node));
  const ordered = { ...graph, nodes: [...others, ...order.map((step) => nodes[step]!)] };
  const { buffers } = buildBuffers(ordered, scheduleSteps(ordered), OPTIONS, none);
  return lowerBound({ buffers }).bytes;
}

const saving = (from: number, to: number): string => `${(((from - to) / from) * 100).toFixed(1)} %`;
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function line(row: Row): string {
  const cells = [
    row.name,
    row.steps,
    row.file,
    row.depthFirst,
    row.breadthFirst,
    row.backward ?? 'too many sets',
    row.minPeak,
    saving(row.file, row.minPeak),
    row.minPeak === row.lowerBound ? 'yes' : `at least ${row.lowerBound}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function table(title: string, rows: readonly Row[]): readonly string[] {
  const proved = rows.filter(({ minPeak, lowerBound: least }) => minPeak === least).length;
  const over = (peak: (row: Row) => number | undefined): string => {
    const known = rows.filter((row) => peak(row) !== undefined);
    const share = mean(known.map((row) => peak(row)! / row.minPeak - 1));
    return `${(share * 100).toFixed(1)} % (${known.length})`;
  };
  return [
    `### ${title}`,
    '',
    `Proved for ${proved} of ${rows.length}. Above the order found, on average (over so many rows): the order of the`,
    `file ${over((r) => r.file)}, depth-first ${over((r) => r.depthFirst)}, breadth-first ${over((r) => r.breadthFirst)},`,
    `Liberis and Lane ${over((r) => r.backward)}.`,
    '',
    '| | steps | file | depth-first | breadth-first | Liberis and Lane | min-peak | saves | proved |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows.map(line),
    '',
  ];
}

function rowsOf(subjects: readonly Subject[]): readonly Row[] {
  return subjects.flatMap((subject) => {
    try {
      const row = rowOf(subject);
      if (row === undefined) return [];
      console.log(`${line(row)} ${row.ms.toFixed(0)} ms`);
      return [row];
    } catch (error) {
      if (error instanceof MemplanError) return [];
      throw error;
    }
  });
}

const cells = rowsOf(cellSubjects());
const models = rowsOf(modelSubjects(root));
const lines = [...table('Random cells', cells), ...table('Real models with branches', models)];
console.log(lines.join('\n'));
const times = [...cells, ...models].map(({ ms }) => ms).sort((a, b) => a - b);
console.log(`CPU ms: median ${times[times.length >> 1]!.toFixed(0)}, most ${times.at(-1)!.toFixed(0)}`);
if (flags.includes('--write')) {
  const file = join(root, 'docs/order.md');
  const mark = '<!-- table: npm run bench:order -- --write -->';
  const [head] = readFileSync(file, 'utf8').split(mark);
  writeFileSync(file, `${head}${mark}\n\n${lines.join('\n')}`);
}
