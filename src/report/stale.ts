/** What --check found to be stale, as a diff from what is on the disk to what would be written. */
import type { Paint } from './paint.ts';
import { counted, printable } from './text.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface StaleText {
  readonly path: string;
  /** undefined: there is no such file. */
  readonly found: string | undefined;
  readonly wanted: string;
}

/** Lines shown of one file, unless all are wanted. */
const SHOWN = 40;

/** A unified diff per file; of a file that does not exist nothing is shown unless `all`. */
export function staleText(files: readonly StaleText[], paint: Paint, all: boolean): string {
  return files
    .filter(({ found }) => all || found !== undefined)
    .map((file) => fileDiff(file, paint, all))
    .join('');
}

function fileDiff({ path, found, wanted }: StaleText, paint: Paint, all: boolean): string {
  const lines = unifiedDiff({ oldName: path, newName: path, old: found, new: wanted });
  const shown = all || lines.length <= SHOWN + 2 ? lines : lines.slice(0, SHOWN + 2);
  const rest = lines.length - shown.length;
  const more =
    rest === 0 ? '' : `${paint.faint(`${counted(rest, 'more line')} of this diff; --verbose shows all`)}\n`;
  return shown.map((line) => `${coloured(line, paint)}\n`).join('') + more;
}

function coloured(line: string, paint: Paint): string {
  const text = printable(line);
  if (/^(---|\+\+\+) /.test(line)) return paint.strong(text);
  if (line.startsWith('@@')) return paint.advice(text);
  if (line.startsWith('-')) return paint.bad(text);
  return line.startsWith('+') ? paint.good(text) : text;
}
