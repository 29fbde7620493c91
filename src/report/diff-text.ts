/** The difference of two plans for a terminal. */
import type { DiffDocument, TensorChange } from './diff.ts';
import { changeText, diffFigures, diffTitles, largestChanges, peakPlaceText, signed } from './diff-parts.ts';
import { settingText } from './differences.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { counted, grouped, printable, shortened, wrapped } from './text.ts';

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

function headText(diff: DiffDocument, paint: Paint): string {
  const titles = diffTitles(diff).map(([files, target]) => paint.heading(`${files} on ${target}`));
  return diff.same ? `${titles.at(-1)}: the plans are the same` : titles.join(' -> ');
}

function figureRows(diff: DiffDocument, paint: Paint): Cell[][] {
  const head = ['', 'old', 'new', 'change', ''].map((text) => ({ text, colour: paint.faint }));
  return [
    head,
    ...diffFigures(diff).map(({ label, old, new: now, change, share }): Cell[] => [
      `  ${label}`,
      old,
      now,
      changeCell(change, paint),
      share,
    ]),
  ];
}

/** The options that differ: what has grown may not be the model. */
function settingLines({ settings }: DiffDocument): string[] {
  return settings.map((one) => `  planned otherwise: ${settingText(one)}`);
}

const MOST_AT_PEAK = 6;

function peakLines({ peak }: DiffDocument, columns: number): string[] {
  const [old, now] = [peakPlaceText(peak.old), peakPlaceText(peak.new)];
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
  const shown = all ? tensors : largestChanges(tensors);
  const rows = shown.map((tensor): Cell[] => [
    '  ',
    changeCell(tensor.change, paint),
    shortened(printable(tensor.name), Math.max(16, columns - 60)),
    changeText(tensor),
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

function changeCell(change: number, paint: Paint): Cell {
  if (change === 0) return '0';
  return { text: signed(change), colour: change > 0 ? paint.bad : paint.good };
}
