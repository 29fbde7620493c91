/** What can be completed, from the option table: the same for every shell. */
import { COMMANDS } from '../help.ts';
import type { CommandName, OptionRow } from '../option-types.ts';
import { longFlag, optionsOf } from '../options.ts';

/** What may follow an option. */
export type Argument =
  | { readonly kind: 'none' }
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'target' | 'file' | 'folder' }
  /** Something that cannot be listed; `name` says what. */
  | { readonly kind: 'free'; readonly name: string };

export interface OptionWord {
  readonly long: string;
  readonly short: string | undefined;
  readonly about: string;
  readonly repeat: boolean;
  readonly argument: Argument;
}

export interface CommandWord {
  readonly name: CommandName;
  readonly about: string;
  readonly options: readonly OptionWord[];
  /** What its operands are. */
  readonly operands: Argument;
}

const OPERANDS: Readonly<Partial<Record<CommandName, Argument>>> = {
  targets: { kind: 'target' },
  ops: { kind: 'free', name: 'operator' },
  completions: { kind: 'values', values: ['bash', 'zsh', 'fish'] },
};

const HELP: OptionWord = {
  long: '--help',
  short: '-h',
  about: 'print this help',
  repeat: false,
  argument: { kind: 'none' },
};

/** The main job first. */
export function commandWords(): readonly CommandWord[] {
  const plan = { name: 'plan' as const, about: 'plan models' };
  return [plan, ...COMMANDS].map(({ name, about }) => ({
    name,
    about,
    options: [...optionsOf(name).flatMap(({ rows }) => rows.map(optionWord)), HELP],
    operands: OPERANDS[name] ?? { kind: 'file' },
  }));
}

/** Names of the commands that stand on the command line. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.map(({ name }) => name);

function optionWord(row: OptionRow): OptionWord {
  return {
    long: longFlag(row),
    short: /^-\w(?=,)/.exec(row.flags)?.[0],
    about: row.about,
    repeat: row.repeat === true,
    argument: argumentOf(row),
  };
}

function argumentOf(row: OptionRow): Argument {
  const placeholder = /<(.*)>/.exec(row.flags)?.[1];
  if (placeholder === undefined) return { kind: 'none' };
  if (row.values !== undefined) return { kind: 'values', values: row.values };
  if (row.path === 'target') return { kind: 'target' };
  if (placeholder === 'dir') return { kind: 'folder' };
  if (row.path === 'file' || /file|json|csv/.test(placeholder)) return { kind: 'file' };
  return { kind: 'free', name: placeholder };
}
