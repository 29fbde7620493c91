/** One line per model after a run over several. */

import { percent } from '../percent.ts';
import type { RunResult } from './gates.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { grouped, printable } from './text.ts';

export function overviewText(results: readonly RunResult[], paint: Paint): string {
  const rows = results.map(({ file, target, plan, diagnostics }): Cell[] => {
    const codes = [...new Set(diagnostics.filter(({ kind }) => kind === 'error').map(({ code }) => code))];
    const verdict: Cell =
      codes.length === 0 ? { text: 'ok', colour: paint.good } : { text: codes.join(', '), colour: paint.bad };
    const bytes = plan === undefined ? '' : grouped(plan.totals.arenaBytes);
    return [printable(file), printable(target), bytes, plan === undefined ? '' : shareText(plan), verdict];
  });
  const head = ['model', 'target', 'arena', '', ''].map((text) => ({ text, colour: paint.heading }));
  return `${table([head, ...rows], ['left', 'left', 'right', 'left', 'left']).join('\n')}\n`;
}

function shareText({ regions }: NonNullable<RunResult['plan']>): string {
  return regions
    .map(({ name, used, capacity }) =>
      capacity === null ? printable(name) : `${percent(used, capacity)} of ${printable(name)}`,
    )
    .join(', ');
}
