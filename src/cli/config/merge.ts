/** Options over options: flags over those of a model, those of a model over what all models share. */
import type { RawOptions } from '../program.ts';
import { formOf } from './forms.ts';
import { configRows } from './keys.ts';

/**
 * `above` goes before `below`. What is given by name (`dim`, `budget`, ...) is merged name by name; everything else is
 * replaced.
 */
export function mergeOptions(below: RawOptions, above: RawOptions): RawOptions {
  const rows = configRows();
  const merged: Record<string, RawOptions[string]> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const row = rows.get(key);
    const form = row === undefined ? undefined : formOf(row);
    const old = merged[key];
    const byName = form?.kind === 'pairs' && Array.isArray(value) && Array.isArray(old);
    merged[key] = byName ? mergePairs(old, value, form.separator) : value;
  }
  return merged;
}

function mergePairs(
  below: readonly string[],
  above: readonly string[],
  separator: string,
): readonly string[] {
  const nameOf = (text: string) => text.slice(0, Math.max(0, text.lastIndexOf(separator)));
  const replaced = new Set(above.map(nameOf));
  return [...below.filter((text) => !replaced.has(nameOf(text))), ...above];
}
