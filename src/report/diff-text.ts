/** The difference of two plans for a terminal. */
import type { Change, DiffDocument, PeakPlace, TensorChange } from './diff.ts';
import { settingText } from './differences.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { counted, grouped, percent, printable, shortened, wrapped } from './text.ts';

const SHOWN = 20;

/** `all` shows every tensor, not the largest changes alone. */
export function diffText(diff: DiffDocument, paint: Paint, columns: number, all: boolean): string {
  const lines = [
    headText(diff, paint),
    ...table(figureRows(diff, paint), ['left', 'right', 'right', 'right', 'right']),
    ...settingLines(diff),
    ...peakLines(diff, columns),
    ...tensorLines(diff.tensors, paint, columns, all),
  ];
  return `${lines.join('\n')}\n`;
}

function headText({ models, targets, same }: DiffDocument, paint: Paint): string {
  const name = (files: readonly string[], target: string) =>
    `${files.map(printable).join(' + ')} on ${target}`;
  const [old, now] = [name(models.old, targets.old), name(models.new, targets.new)];
  if (same) return `${paint.heading(now)}: the plans are the same`;
  return old === now ? paint.heading(now) : `${paint.heading(old)} -> ${paint.heading(now)}`;
}

function figureRows(diff: DiffDocument, paint: Paint): Cell[][] {
  const named: [string, Change][] = [
    ['arena', diff.arena],
    ...(diff.regions.length > 1 ? diff.regions.map((r): [string, Change] => [printable(r.name), r]) : []),
    ['lower bound', diff.lowerBound],
    ['without reuse', diff.noReuse],
    ['weights', diff.weights],
    ['kernel scratch', diff.scratch],
  ];
  const head = ['', 'old', 'new', 'change', ''].map((text) => ({ text, colour: paint.faint }));
  return [
    head,
    ...named.map(([label, figure]): Cell[] => [
      `  ${label}`,
      bytesOr(figure === diff.scratch ? 'not counted' : '-', figure.old),
      bytesOr(figure === diff.scratch ? 'not counted' : '-', figure.new),
      changeCell(figure.change, paint),
      figure.change === 0 || !figure.old ? '' : percent(Math.abs(figure.change), figure.old),
    ]),
  ];
}

/** The options that differ: what has grown may not be the model. */
function settingLines({ settings }: DiffDocument): string[] {
  return settings.map((one) => `  planned otherwise: ${settingText(one)}`);
}

const MOST_AT_PEAK = 6;

function peakLines({ peak }: DiffDocument, columns: number): string[] {
  const place = ({ step, node, bytes }: PeakPlace) =>
    `step ${step}${node === null ? '' : ` (${printable(node)})`} with ${grouped(bytes)}`;
  const [old, now] = [place(peak.old), place(peak.new)];
  return [
    ...(old === now ? [`  peak unchanged: ${now}`] : [`  peak was ${old}`, `  peak is ${now}`]),
    ...namedLines('joined the peak', peak.entered, columns),
    ...namedLines('left the peak', peak.left, columns),
  ];
}

function namedLines(label: string, names: readonly string[], columns: number): string[] {
  if (names.length === 0) return [];
  const room = Math.max(16, Math.floor(columns / 3));
  const shown = names.slice(0, MOST_AT_PEAK).map((name) => shortened(printable(name), room));
  const more = names.length > shown.length ? [`${names.length - shown.length} more`] : [];
  return wrapped(`${label}: ${[...shown, ...more].join(', ')}`, columns - 4).map((line) => `  ${line}`);
}

function tensorLines(
  tensors: readonly TensorChange[],
  paint: Paint,
  columns: number,
  all: boolean,
): string[] {
  if (tensors.length === 0) return ['', 'no tensor changed its size, shape or sharing'];
  const shown = all ? tensors : largest(tensors);
  const rows = shown.map((tensor): Cell[] => [
    '  ',
    changeCell(tensor.change, paint),
    shortened(printable(tensor.name), Math.max(16, columns - 60)),
    `${shapes(tensor)}${hows(tensor)}`,
    tensor.atPeak ? { text: 'at the peak', colour: paint.caution } : '',
  ]);
  const rest = tensors.length - shown.length;
  return [
    '',
    `${counted(tensors.length, 'tensor')} changed`,
    ...table(rows, ['left', 'right', 'left', 'left', 'left']),
    ...(rest > 0 ? [`  and ${grouped(rest)} more (--verbose shows all)`] : []),
  ];
}

/** The largest changes in either direction, still by growth. */
function largest(tensors: readonly TensorChange[]): readonly TensorChange[] {
  const ranked = [...tensors].sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const chosen = new Set(ranked.slice(0, SHOWN));
  return tensors.filter((tensor) => chosen.has(tensor));
}

function shapes({ oldShape, newShape }: TensorChange): string {
  if (oldShape === null) return `new [${newShape!.join(',')}]`;
  if (newShape === null) return `gone [${oldShape.join(',')}]`;
  const [old, now] = [`[${oldShape.join(',')}]`, `[${newShape.join(',')}]`];
  return old === now ? now : `${old} -> ${now}`;
}

function hows({ oldHow, newHow }: TensorChange): string {
  return oldHow === null || newHow === null || oldHow === newHow ? '' : `, ${oldHow} -> ${newHow}`;
}

function bytesOr(absent: string, bytes: number | null): string {
  return bytes === null ? absent : grouped(bytes);
}

function changeCell(change: number, paint: Paint): Cell {
  if (change === 0) return '0';
  return change > 0
    ? { text: `+${grouped(change)}`, colour: paint.bad }
    : { text: `-${grouped(-change)}`, colour: paint.good };
}
