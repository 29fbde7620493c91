/** Questions to the option table. */
import { OPTION_GROUPS } from './option-table.ts';
import type { CommandName, OptionGroup, OptionRow } from './option-types.ts';

/** The options of one command, in the order of the help. */
export function optionsOf(command: CommandName): readonly OptionGroup[] {
  return OPTION_GROUPS.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => row.commands.includes(command)),
  })).filter(({ rows }) => rows.length > 0);
}

/** `--input-shape` of `--input-shape <name:sizes>`. */
export function longFlag(row: OptionRow): string {
  return /--[a-z-]+/.exec(row.flags)?.[0] ?? row.flags;
}

/** `--no-views` is `views`, `--input-shape` is `inputShape`: as in commander, and in the configuration file. */
export function keyOf(row: OptionRow): string {
  return longFlag(row)
    .replace(/^--(no-)?/, '')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What the help says about an option: its sentence and its values. */
export function describe({ about, values }: OptionRow): string {
  return values === undefined ? about : `${about}: ${values.join(', ')}`;
}
