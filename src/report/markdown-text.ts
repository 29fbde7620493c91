/** Names and words as Markdown holds them. */
import { printable } from './text.ts';

/** A name in backticks; a name with backticks gets a longer fence. */
export function code(name: string): string {
  const text = printable(name).replace(/\|/g, '\\|');
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? fence + text + fence : `${fence} ${text} ${fence}`;
}

/** Plain words in a table cell or paragraph. */
export function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>|#]/g, '\\$&');
}
