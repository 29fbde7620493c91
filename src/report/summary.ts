/** The terminal report of the main job: what it takes, how good that is, where the peak lies. */
import { modelFiles, qualified } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import { estimateSentence, type Figure, figures, scaledFigure, sizesSentence } from './figures.ts';
import type { Colour, Paint } from './paint.ts';
import { peakLines } from './peak.ts';
import { type Cell, columnWidths, table } from './table.ts';
import { grouped, printable, wrapped } from './text.ts';

export interface SummaryOptions {
  readonly paint: Paint;
  /** Columns of the terminal. */
  readonly columns: number;
  /** Every buffer at the peak, not the largest alone. */
  readonly all?: boolean;
}

/** The report as text that ends with a newline. */
export function summary(given: Plan, { paint, columns, all = false }: SummaryOptions): string {
  const plan = qualified(given);
  const lines = [
    ...headLines(plan, paint, columns),
    ...figureLines(figures(plan), paint, columns),
    '',
    ...peakLines(plan, paint, columns, all),
  ];
  return `${lines.join('\n')}\n`;
}

function headLines(plan: Plan, paint: Paint, columns: number): string[] {
  const models = modelFiles(plan).map(printable).join(' + ');
  const estimate = estimateSentence(plan);
  const failed = plan.diagnostics.filter(({ kind }) => kind === 'error').map(({ code }) => code);
  return [
    `${paint.heading(models)} on ${paint.heading(printable(plan.target.id))} (${printable(plan.target.core)})`,
    ...(estimate === undefined ? [] : [paint.caution(`  ${estimate}`)]),
    ...wrapped(sizesSentence(plan), columns - 2).map((line) => `  ${line}`),
    ...(failed.length > 0 ? [paint.bad(`  gate failed: ${[...new Set(failed)].join(', ')}`)] : []),
  ];
}

const GAP = 2;
const NARROWEST_REMARK = 30;
const BELOW = '      ';
const plainText: Colour = (text) => text;

/** Label, bytes, KiB and remark in columns; where that is too wide the remark goes below. */
function figureLines(rows: readonly Figure[], paint: Paint, columns: number): string[] {
  const colours = { good: paint.good, bad: paint.bad, caution: paint.caution, plain: plainText };
  const unit: Cell[] = ['', { text: 'bytes', colour: paint.faint }, ''];
  const cells = rows.map(({ label, bytes, tone }): Cell[] => [
    `  ${label}`,
    typeof bytes === 'number'
      ? { text: grouped(bytes), colour: tone === 'bad' ? paint.bad : paint.strong }
      : bytes,
    { text: scaledFigure(bytes), colour: paint.faint },
  ]);
  const start = columnWidths(cells).reduce((sum, column) => sum + column + GAP, 0);
  const beside = columns - start >= NARROWEST_REMARK;
  const room = beside ? columns - start : columns - BELOW.length;
  const lines = rows.flatMap(({ remark, tone }, index): Cell[][] => {
    const colour = colours[tone];
    const parts = remark === '' ? [] : wrapped(remark, room).map((text) => ({ text, colour }));
    const [first = '', ...others] = parts;
    if (beside) return [[...cells[index]!, first], ...others.map((part) => ['', '', '', part])];
    return [cells[index]!, ...parts.map(({ text }) => [{ text: BELOW + text, colour }])];
  });
  return table([unit, ...lines], ['left', 'right', 'right', 'left'], GAP);
}
