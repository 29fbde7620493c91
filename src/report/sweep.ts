/** The table of --scale-input: one plan per resolution. */
import type { Diagnostic } from '../errors.ts';
import { percent } from '../percent.ts';
import type { Plan } from '../plan/types.ts';
import { estimateSentence } from './figures.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { grouped, printable, scaled, sizeText, wrapped } from './text.ts';

/** What became of one resolution. */
export type SweepRow = { readonly factor: number } & (
  | { readonly plan: Plan }
  | { readonly faults: readonly Diagnostic[] }
);

export interface SweepDocument {
  readonly schema: 1;
  readonly sweep: readonly SweepEntry[];
}

interface SweepEntry {
  readonly factor: number;
  /** Null where the model cannot have this resolution. */
  readonly inputs: readonly { readonly name: string; readonly shape: readonly number[] }[] | null;
  readonly fits: boolean | null;
  readonly arenaBytes: number | null;
  readonly lowerBoundBytes: number | null;
  readonly optimal: boolean | null;
  readonly weightBytes: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function sweepDocument(rows: readonly SweepRow[]): SweepDocument {
  return { schema: 1, sweep: rows.map(entryOf) };
}

function entryOf(row: SweepRow): SweepEntry {
  if ('faults' in row) {
    const nothing = { inputs: null, fits: null, arenaBytes: null, lowerBoundBytes: null, optimal: null };
    return { factor: row.factor, ...nothing, weightBytes: null, diagnostics: row.faults };
  }
  const { plan, factor } = row;
  const { arenaBytes, lowerBoundBytes, optimal, weightBytes } = plan.totals;
  return {
    ...{ factor, inputs: inputsOf(plan), fits: plan.fits },
    ...{ arenaBytes, lowerBoundBytes, optimal, weightBytes },
    diagnostics: plan.diagnostics,
  };
}

function inputsOf({ tensors }: Plan): { name: string; shape: readonly number[] }[] {
  return tensors.filter(({ role }) => role === 'input').map(({ name, shape }) => ({ name, shape }));
}

/** The table as text; below it why a resolution cannot be planned. Ends with a newline. */
export function sweepText(file: string, rows: readonly SweepRow[], paint: Paint, columns: number): string {
  const planned = rows.flatMap((row) => ('plan' in row ? [row.plan] : []));
  const [first] = planned;
  const target = first === undefined ? '' : ` on ${paint.heading(printable(first.target.id))}`;
  const assumed = first && estimateSentence({ ...first, assumptions: withoutScale(first) });
  const head: Cell[] = ['  scale', 'inputs', 'arena', '', ''].map((text) => ({ text, colour: paint.faint }));
  const reasons = rows.flatMap((row) =>
    'faults' in row ? wrapped(`${row.factor}: ${row.faults[0]!.text}`, columns - 2) : [],
  );
  return `${[
    `${paint.heading(printable(file))}${target}`,
    paint.caution('  ESTIMATE for other resolutions: nothing is written'),
    ...(assumed === undefined ? [] : [paint.caution(`  ${assumed}`)]),
    ...table([head, ...rows.map((row) => cellsOf(row, paint))], ['right', 'left', 'right', 'right', 'left']),
    ...(reasons.length === 0 ? [] : ['', ...reasons.map((line) => `  ${line}`)]),
  ].join('\n')}\n`;
}

function withoutScale({ assumptions }: Plan): Plan['assumptions'] {
  const { scaleInput: _, ...others } = assumptions;
  return others;
}

function cellsOf(row: SweepRow, paint: Paint): Cell[] {
  const factor = `  ${row.factor}`;
  if ('faults' in row) return [factor, '', '', '', { text: 'cannot be planned', colour: paint.bad }];
  const { plan } = row;
  const { arenaBytes } = plan.totals;
  const inputs = inputsOf(plan).map(({ name, shape }) => `${printable(name)} [${shape.join(',')}]`);
  return [factor, inputs.join(', '), grouped(arenaBytes), scaled(arenaBytes), verdict(plan, paint)];
}

function verdict({ fits, regions }: Plan, paint: Paint): Cell {
  const [region] = regions;
  if (region === undefined || region.capacity === null) return '';
  const name = printable(region.name);
  return fits
    ? { text: `${percent(region.used, region.capacity)} of ${name}`, colour: paint.good }
    : { text: `DOES NOT FIT into ${sizeText(region.capacity)} of ${name}`, colour: paint.bad };
}
