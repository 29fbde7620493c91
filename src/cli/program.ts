/** The commander program, built from the option table; it only says what was asked for. */
import { Command, CommanderError, Option } from 'commander';
import { diagnostic, MemplanError } from '../errors.ts';
import { COMMANDS, helpText } from './help.ts';
import type { CommandName, OptionRow } from './option-types.ts';
import { optionsOf } from './options.ts';

/** Raw values as commander leaves them, by camel-cased name of the option. */
export type RawOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface Invocation {
  readonly command: CommandName;
  readonly operands: readonly string[];
  readonly options: RawOptions;
}

/** Where help is printed, and how wide it may be. */
export interface HelpOutput {
  readonly write: (text: string) => void;
  readonly columns: number | undefined;
}

/**
 * What the command line asks for; undefined when it was help or the version, which have been printed.
 * Throws E_USAGE.
 */
export function parseCommandLine(
  argv: readonly string[],
  version: string,
  help: HelpOutput,
): Invocation | undefined {
  let invocation: Invocation | undefined;
  const program = rootCommand(argv, version, help, (asked) => {
    invocation = asked;
  });
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw usageError(error, argv);
  }
  return invocation;
}

type Found = (asked: Invocation) => void;

/** Of the commands it has those that `argv` names: to set up all of them takes longer than to plan a small model. */
function rootCommand(argv: readonly string[], version: string, help: HelpOutput, found: Found): Command {
  const program = new Command('memplan')
    .argument('[models...]')
    .version(version, '--version')
    .enablePositionalOptions()
    .helpCommand(true)
    .exitOverride()
    .configureOutput({ writeOut: help.write, writeErr: () => {}, outputError: () => {} })
    .configureHelp({ formatHelp: () => helpText('plan', help.columns) })
    .action((operands: string[]) => found({ command: 'plan', operands, options: given(program) }));
  addOptions(program, 'plan');
  for (const { name, operands } of COMMANDS.filter(({ name }) => argv.includes(name))) {
    const command = new Command(name)
      .copyInheritedSettings(program)
      .configureHelp({ formatHelp: () => helpText(name, help.columns) })
      .arguments(operands);
    command.action(() => {
      const options = { ...given(command), ...inherited(program, command) };
      found({ command: name, operands: command.args, options });
    });
    addOptions(command, name);
    program.addCommand(command);
  }
  return program;
}

/** What stands on the command line; not what commander assumes without it. */
function given(command: Command): RawOptions {
  const options = Object.entries(command.opts<RawOptions>());
  return Object.fromEntries(options.filter(([name]) => command.getOptionValueSource(name) === 'cli'));
}

/** Options given before the name of the command, which must be options of the command as well. */
function inherited(program: Command, command: Command): RawOptions {
  const found: Record<string, RawOptions[string]> = {};
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== 'cli') continue;
    // --config and --no-config are one value: which of the two was given?
    if (option.negate !== (program.getOptionValue(name) === false)) continue;
    if (!command.options.some((own) => own.attributeName() === name)) {
      throw usage(
        `${option.long} is no option of memplan ${command.name()}`,
        `memplan ${command.name()} --help`,
      );
    }
    found[name] = program.getOptionValue(name);
  }
  return found;
}

function addOptions(command: Command, name: CommandName): void {
  for (const { rows } of optionsOf(name)) {
    for (const row of rows) command.addOption(option(row));
  }
}

function option(row: OptionRow): Option {
  const made = new Option(row.flags);
  if (row.repeat) {
    made.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return made;
}

/** Commander says `error: unknown option '--aling'\n(Did you mean --align?)`. */
function usageError(error: CommanderError, argv: readonly string[]): MemplanError {
  const [text = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const guess = /\(Did you mean (.*)\?\)/.exec(rest.join(' '))?.[1];
  return usage(text, guess === undefined ? helpOf(argv) : `did you mean ${guess}?`);
}

/** How to ask for help with the command that `argv` names: its first word that is no option. */
function helpOf(argv: readonly string[]): string {
  const word = argv.find((text) => !text.startsWith('-'));
  return COMMANDS.some(({ name }) => name === word) ? `memplan ${word} --help` : 'memplan --help';
}

function usage(text: string, hint: string): MemplanError {
  return new MemplanError([diagnostic('E_USAGE', text, { hint })]);
}
