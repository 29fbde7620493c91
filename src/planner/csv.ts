/** Buffer lists as CSV: reads a problem or a solution, and repeats a problem with its offsets. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { type CsvRecord, csvLine, readRecords } from './csv-records.ts';
import type { Buffer, Gap, Problem } from './types.ts';

export interface BufferList {
  readonly problem: Problem;
  /** Column names as written. */
  readonly header: readonly string[];
  /** The cells of each buffer as written, to be repeated in a solution. */
  readonly rows: readonly (readonly string[])[];
}

const REQUIRED = ['id', 'lower', 'upper', 'size'] as const;
const OPTIONAL = ['alignment', 'offset', 'gaps'] as const;
type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number];

/**
 * Reads a buffer list. Columns are found by name, in any order: `id`, `lower`, `upper` (half-open), `size`;
 * optional `alignment` (default 1), `offset` (pinned there), `gaps` (`l-u` or `l-u:from-to`, separated by spaces).
 * Other columns are kept. `name` is the file's name for messages.
 * Throws E_CSV with every fault, each naming its line and column.
 */
export function parseBufferList(text: string, name = 'the buffer list'): BufferList {
  const { records, fault } = readRecords(text);
  if (fault !== undefined)
    throw new MemplanError([diagnostic('E_CSV', `${name}, line ${fault.line}: ${fault.text}.`)]);
  const [head, ...body] = records;
  if (head === undefined) {
    const hint = `The first line names the columns: ${REQUIRED.join(',')}.`;
    throw new MemplanError([diagnostic('E_CSV', `${name} is empty.`, { hint })]);
  }
  const columns = findColumns(head, name);
  const faults: Diagnostic[] = [];
  const lines = new Map<string, number>();
  const buffers = body.map((record) => {
    const report = (column: string, text: string): void => {
      faults.push(diagnostic('E_CSV', `${name}, line ${record.line}, column '${column}': ${text}.`));
    };
    if (record.cells.length !== head.cells.length) {
      const text = `${record.cells.length} cells, the header has ${head.cells.length} columns`;
      faults.push(diagnostic('E_CSV', `${name}, line ${record.line}: ${text}.`));
      return emptyBuffer;
    }
    const buffer = readBuffer((column) => record.cells[columns.get(column) ?? -1], report);
    const earlier = lines.get(buffer.id);
    if (earlier !== undefined) report('id', `'${buffer.id}' stands in line ${earlier} already`);
    lines.set(buffer.id, record.line);
    return buffer;
  });
  const [first, ...others] = faults;
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return { problem: { buffers }, header: head.cells, rows: body.map((record) => record.cells) };
}

/** The problem's columns and rows with the `offset` column filled in (added at the end when there is none). */
export function formatSolution(list: BufferList, offsets: ArrayLike<number>): string {
  const at = list.header.findIndex((title) => title.trim() === 'offset');
  const fill = (cells: readonly string[], value: string): readonly string[] =>
    at < 0 ? [...cells, value] : cells.with(at, value);
  const lines = [csvLine(fill(list.header, 'offset'))];
  list.rows.forEach((cells, i) => {
    lines.push(csvLine(fill(cells, String(offsets[i]))));
  });
  return lines.join('');
}

const emptyBuffer: Buffer = { id: '', first: 0, end: 1, bytes: 0, alignment: 1 };

function findColumns(head: CsvRecord, name: string): ReadonlyMap<Column, number> {
  const titles = head.cells.map((cell) => cell.trim());
  const faults: Diagnostic[] = [];
  const columns = new Map<Column, number>();
  for (const column of [...REQUIRED, ...OPTIONAL]) {
    const at = titles.indexOf(column);
    if (at >= 0) columns.set(column, at);
    if (at >= 0 && titles.lastIndexOf(column) !== at) {
      faults.push(diagnostic('E_CSV', `${name}, line ${head.line}: column '${column}' stands there twice.`));
    }
  }
  for (const column of REQUIRED) {
    if (columns.has(column)) continue;
    const hint = `The first line names the columns: ${REQUIRED.join(',')}; optional ${OPTIONAL.join(', ')}.`;
    faults.push(diagnostic('E_CSV', `${name}, line ${head.line}: column '${column}' is missing.`, { hint }));
  }
  const [first, ...others] = faults;
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return columns;
}

type Report = (column: string, text: string) => void;

function readBuffer(cell: (column: Column) => string | undefined, report: Report): Buffer {
  const number = (column: Column, least: number): number => {
    const value = wholeNumber(cell(column)!);
    if (value === undefined)
      report(column, `'${cell(column)}' is not a whole number of at least ${least} and below 2^53`);
    else if (value < least) report(column, `${value} is below ${least}`);
    else return value;
    return Number.NaN;
  };
  const present = (column: Column): boolean => (cell(column) ?? '').trim() !== '';
  const first = number('lower', 0);
  const end = number('upper', 0);
  const bytes = number('size', 0);
  const alignment = present('alignment') ? number('alignment', 1) : 1;
  if (end <= first)
    report('upper', `the live range [${first}, ${end}) is empty; upper is the first step after it`);
  const offset = present('offset') ? number('offset', 0) : undefined;
  const gaps = present('gaps') ? readGaps(cell('gaps')!, { first, end, bytes }, report) : undefined;
  return { id: cell('id')!, first, end, bytes, alignment, offset, gaps };
}

function readGaps(
  text: string,
  buffer: Pick<Buffer, 'first' | 'end' | 'bytes'>,
  report: Report,
): readonly Gap[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const match = /^(\d+)-(\d+)(?::(\d+)-(\d+))?$/.exec(word);
      if (match === null) report('gaps', `'${word}' is not of the form l-u or l-u:from-to`);
      const [first, end] = [Number(match?.[1]), Number(match?.[2])];
      const [from, to] = [Number(match?.[3] ?? 0), Number(match?.[4] ?? buffer.bytes)];
      if (first >= end || from >= to) report('gaps', `'${word}' is empty`);
      if (first < buffer.first || end > buffer.end) report('gaps', `'${word}' reaches beyond the live range`);
      if (to > buffer.bytes) report('gaps', `'${word}' reaches beyond the size ${buffer.bytes}`);
      return { first, end, from, to };
    });
}

/** Decimal digits only: no sign, no exponent, no fraction, at most 2^53 - 1. */
function wholeNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isSafeInteger(value) ? value : undefined;
}
