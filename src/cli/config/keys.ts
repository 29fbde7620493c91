/** The keys of a configuration file: the options of the main job that belong to a project. */
import type { OptionRow } from '../option-types.ts';
import { keyOf, optionsOf } from '../options.ts';

/** By key, in the order of the help. */
export function configRows(): ReadonlyMap<string, OptionRow> {
  const rows = optionsOf('plan')
    .flatMap((group) => group.rows)
    .filter(({ perRun }) => perRun !== true);
  return new Map(rows.map((row) => [keyOf(row), row]));
}
