/** Operators as text: what memplan knows about each of them. */
import type { Arity, OpRow } from '../ops/types.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { counted } from './text.ts';

/** One operator, as JSON shows it. */
export interface OpFacts {
  readonly op: string;
  readonly domain: string;
  readonly since: readonly number[];
  readonly until: number | null;
  readonly inputs: Arity;
  readonly outputs: Arity;
  readonly folds: boolean;
  readonly views: boolean;
  /** Copies can be elided: parts that lie in place from the start, or stay there. */
  readonly elides: boolean;
  readonly inPlace: readonly number[];
}

export function opFacts(row: OpRow): OpFacts {
  return {
    op: row.op,
    domain: row.domain ?? '',
    since: row.since,
    until: row.until ?? null,
    inputs: row.inputs,
    outputs: row.outputs,
    folds: row.fold !== undefined,
    views: row.views !== undefined,
    elides: row.splits !== undefined || row.joins !== undefined,
    inPlace: row.inPlace ?? [],
  };
}

export const OP_COLUMNS = ['operator', 'inputs', 'outputs', 'shares', 'folds', 'opset versions'] as const;

/** What stands in the columns, in the terminal and in docs/operators.md. */
export function opCells(op: OpFacts): readonly string[] {
  return [
    op.domain === '' ? op.op : `${op.domain}:${op.op}`,
    arity(op.inputs),
    arity(op.outputs),
    sharing(op),
    op.folds ? 'yes' : '',
    versions(op),
  ];
}

/** One line per operator, sorted by domain and name. */
export function opList(ops: readonly OpFacts[], paint: Paint): string {
  const head = OP_COLUMNS.map((text) => ({ text, colour: paint.heading }));
  const cells: Cell[][] = [head, ...ops.map((op) => [...opCells(op)])];
  const sides = ['left', 'right', 'right', 'left', 'left', 'left'] as const;
  return `${table(cells, sides).join('\n')}\n${counted(ops.length, 'operator')}\n`;
}

/** Sorted by domain and name, by code unit. */
export function sortedOps(ops: readonly OpFacts[]): readonly OpFacts[] {
  return [...ops].sort((a, b) => compare(a.domain, b.domain) || compare(a.op, b.op));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function arity([least, most]: Arity): string {
  if (least === most) return String(least);
  return Number.isFinite(most) && most < 2 ** 31 - 1 ? `${least}-${most}` : `${least}+`;
}

function sharing({ views, elides, inPlace }: OpFacts): string {
  if (views) return 'view';
  if (elides) return 'elided copy';
  return inPlace.length > 0 ? `in-place (input ${inPlace.join(' or ')})` : '';
}

function versions({ since, until }: OpFacts): string {
  return since.join(', ') + (until === null ? '' : `; removed in ${until}`);
}
