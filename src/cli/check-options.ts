/** Checks raw option values against the option table: known values, values to come, syntax. */
import { type Diagnostic, diagnostic, fail } from '../errors.ts';
import type { Faults } from './faults.ts';
import type { OptionRow } from './option-types.ts';
import { longFlag, optionsOf } from './options.ts';
import type { Invocation } from './program.ts';
import { parseList } from './values.ts';

/** Adds a fault for every value that is wrong (E_USAGE) or not built yet (E_NOT_BUILT). */
export function checkOptions({ command, options }: Invocation, found: Faults): void {
  for (const { rows } of optionsOf(command)) {
    for (const row of rows) {
      const given = options[attribute(row)];
      for (const text of Array.isArray(given) ? given : [given]) {
        if (typeof text === 'string') found.attempt(() => checkValue(row, text, found), undefined);
      }
    }
  }
}

/** `input-shape` becomes `inputShape`, as in commander. */
function attribute(row: OptionRow): string {
  return longFlag(row)
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function checkValue(row: OptionRow, text: string, found: Faults): void {
  const flag = longFlag(row);
  row.syntax?.(flag, text);
  if (row.later) found.add(notBuilt(flag, text, []));
  const values = row.values ?? [];
  if (values.length === 0) return;
  for (const item of row.list ? parseList(flag, text) : [text]) {
    if (!values.includes(item)) fail('E_USAGE', `${flag}: "${item}" is none of ${values.join(', ')}`);
    if (row.built?.includes(item) === false) found.add(notBuilt(flag, item, row.built));
  }
}

function notBuilt(flag: string, value: string, built: readonly string[]): Diagnostic {
  const hint = built.length === 0 ? `leave ${flag} out` : `${flag} ${built.join(', ')}`;
  return diagnostic('E_NOT_BUILT', `${flag} ${value} is understood, but not built yet`, { hint });
}
