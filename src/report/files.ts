/** Which files were written, and which were already what they should be. */
import type { Paint } from './paint.ts';
import { printable } from './text.ts';

export interface FileStatus {
  /** As the user would type it. */
  readonly name: string;
  readonly status: 'written' | 'unchanged' | 'current' | 'stale';
}

/** One line per file. */
export function filesText(files: readonly FileStatus[], paint: Paint): string {
  const colours = {
    written: paint.good,
    unchanged: paint.faint,
    current: paint.good,
    stale: paint.bad,
  };
  return files
    .map(({ name, status }) => `  ${colours[status](status.padEnd(9))}  ${printable(name)}\n`)
    .join('');
}
