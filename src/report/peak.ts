/** The peak of a plan: its step, and what is live there, adding up to the peak. */
import type { Plan } from '../plan/types.ts';
import { type LiveBuffer, liveAt, liveName } from './live.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { counted, grouped, shortened, stepText, typeText } from './text.ts';

const SHOWN = 8;

/** The peak step and its live buffers, adding up to the arena; the largest only, unless `all`. */
export function peakLines(plan: Plan, paint: Paint, columns: number, all: boolean): string[] {
  const { step } = plan.peak;
  const live = liveAt(plan, step).filter(({ bytes }) => bytes > 0);
  if (live.length === 0) return [`${paint.heading('peak')}: nothing is ever live`];
  const total = live.reduce((sum, { bytes }) => sum + bytes, 0);
  const shown = all || live.length <= SHOWN + 1 ? live : live.slice(0, SHOWN);
  const rest = live.slice(shown.length);
  const rows: Cell[][] = shown.map((entry) => ['   ', grouped(entry.bytes), ...describe(entry, columns)]);
  if (rest.length > 0) {
    const bytes = rest.reduce((sum, entry) => sum + entry.bytes, 0);
    rows.push(['   ', grouped(bytes), counted(rest.length, 'more buffer'), '--verbose shows all']);
  }
  rows.push(['   ', { text: grouped(total), colour: paint.strong }, 'live']);
  const unused = plan.totals.arenaBytes - total;
  if (unused > 0) {
    const others = [
      ...((plan.run?.parts.length ?? 1) > 1 ? ['parts'] : []),
      ...(plan.regions.length > 1 ? ['regions'] : []),
    ];
    const [what, elsewhere] =
      others.length === 0
        ? ['unused', '']
        : ['not live', `, and ${others.join(' and ')} that are fuller later or earlier`];
    rows.push(['   ', grouped(unused), `${what} at this step`, `alignment and gaps${elsewhere}`]);
    rows.push(['   ', grouped(plan.totals.arenaBytes), 'arena']);
  }
  const where =
    plan.steps.length === 0 ? '' : ` at step ${step}, ${shortened(stepText(plan, step), columns - 20)}`;
  return [paint.heading('peak') + where, ...table(rows, ['left', 'right', 'left', 'left'])];
}

/** The name of the buffer's largest tensor, and its type and shape with what shares the bytes. */
function describe(entry: LiveBuffer, columns: number): [string, string] {
  const { tensors } = entry;
  const [main] = tensors;
  const room = Math.max(12, Math.floor((columns - 24) / 2));
  if (main === undefined) return [shortened(liveName(entry), room), ''];
  const share = tensors.length > 1 ? `, shared by ${counted(tensors.length, 'tensor')}` : '';
  return [shortened(liveName(entry), room), `${typeText(main)}${share}`];
}

/** One sentence for messages: `conv2/out 24,576, conv1/out 18,432, 3 more 1,024`. */
export function liveSentence(plan: Plan, step: number, most = 3): string {
  const live = liveAt(plan, step).filter(({ bytes }) => bytes > 0);
  const parts = live.slice(0, most).map((entry) => `${liveName(entry)} ${grouped(entry.bytes)}`);
  const rest = live.slice(most).reduce((sum, { bytes }) => sum + bytes, 0);
  return [...parts, ...(rest > 0 ? [`${live.length - most} more ${grouped(rest)}`] : [])].join(', ');
}
