/** The answer of `memplan solve` as text and as JSON. */

import { percent } from '../percent.ts';
import type { Problem, Solution } from '../planner/types.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { bytesText, counted, grouped, printable, scaled } from './text.ts';

export interface SolutionDocument {
  readonly bytes: number;
  readonly lowerBound: number;
  /** No plan is smaller. */
  readonly optimal: boolean;
  /** The question is settled: with a capacity whether a plan fits, else which plan is the smallest. */
  readonly proved: boolean;
  readonly strategy: string;
  readonly nodes: number;
  readonly offsets: Readonly<Record<string, number>>;
  /** Buffers that cannot fit together, where that is what makes it impossible. */
  readonly infeasible: readonly string[] | null;
}

export function solutionDocument(
  { buffers }: Problem,
  solution: Solution,
  capacity: number | undefined,
): SolutionDocument {
  const { bytes, lowerBound, optimal, strategy, nodes, offsets } = solution;
  const settled = capacity !== undefined && (bytes <= capacity || lowerBound > capacity);
  return {
    bytes,
    lowerBound,
    optimal,
    proved: capacity === undefined ? optimal : settled,
    strategy,
    nodes,
    offsets: Object.fromEntries(buffers.map(({ id }, index) => [id, offsets[index]!])),
    infeasible: null,
  };
}

export function solutionText(
  name: string,
  problem: Problem,
  document: SolutionDocument,
  capacity: number | undefined,
  paint: Paint,
): string {
  const { bytes, lowerBound, optimal, strategy, nodes } = document;
  const fits = capacity === undefined || bytes <= capacity;
  const quality = optimal
    ? 'proved optimal'
    : `at most ${percent(bytes - lowerBound, lowerBound)} above the optimum`;
  const steps = nodes === 0 ? '' : `, ${counted(nodes, 'search step')}`;
  const rows: Cell[][] = [
    row('arena', bytes, { text: quality, colour: optimal ? paint.good : paint.caution }, paint),
    row('lower bound', lowerBound, 'no plan is smaller', paint),
  ];
  if (capacity !== undefined) {
    const verdict = fits
      ? { text: 'fits', colour: paint.good }
      : { text: `DOES NOT FIT: ${grouped(bytes - capacity)} too many`, colour: paint.bad };
    rows.push(row('capacity', capacity, verdict, paint));
  }
  const head = `${paint.heading(printable(name))}: ${counted(problem.buffers.length, 'buffer')}, strategy ${strategy}${steps}`;
  return `${[head, ...table(rows, ['left', 'right', 'right', 'left'])].join('\n')}\n`;
}

function row(label: string, bytes: number, remark: Cell, paint: Paint): Cell[] {
  return [
    `  ${label}`,
    { text: bytesText(bytes), colour: paint.strong },
    { text: scaled(bytes), colour: paint.faint },
    remark,
  ];
}
