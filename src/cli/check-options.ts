/** Checks raw option values against the option table: known values, syntax. */
import { fail } from '../errors.ts';
import type { Faults } from './faults.ts';
import type { OptionRow } from './option-types.ts';
import { keyOf, longFlag, optionsOf } from './options.ts';
import type { Invocation } from './program.ts';
import { parseList } from './values.ts';

/** Adds a fault for every value that is wrong (E_USAGE). */
export function checkOptions({ command, options }: Invocation, found: Faults): void {
  for (const { rows } of optionsOf(command)) {
    for (const row of rows) {
      const given = options[keyOf(row)];
      for (const text of Array.isArray(given) ? given : [given]) {
        if (typeof text === 'string') checkValue(row, longFlag(row), text, found);
      }
    }
  }
}

/** Adds the faults of one value (E_USAGE). `label` is how messages call the option. */
export function checkValue(row: OptionRow, label: string, text: string, found: Faults): void {
  found.attempt(() => {
    row.syntax?.(label, text);
    const values = row.values ?? [];
    if (values.length === 0) return;
    for (const item of row.list ? parseList(label, text) : [text]) {
      const word = row.withFile ? item.replace(/=.*$/s, '') : item;
      if (!values.includes(word)) fail('E_USAGE', `${label}: "${item}" is none of ${values.join(', ')}`);
    }
  }, undefined);
}
