/** The text of --help, from the option table: examples first, commands next, then the options by purpose. */
import { wrapped } from '../report/text.ts';
import type { CommandName } from './option-types.ts';
import { describe, optionsOf } from './options.ts';

export interface CommandRow {
  readonly name: Exclude<CommandName, 'plan'>;
  /** In commander's notation. */
  readonly operands: string;
  readonly about: string;
  readonly example: string;
}

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'solve',
    operands: '<problem.csv>',
    about: 'plan a bare list of buffers',
    example: 'memplan solve problem.csv --capacity 1M --out solution.csv',
  },
  {
    name: 'verify',
    operands: '<plan.json|solution.csv>',
    about: "check somebody's plan",
    example: 'memplan verify plan.json',
  },
  {
    name: 'check-elf',
    operands: '<firmware.elf>',
    about: 'whether the linker put the arenas where the plan needs them',
    example: 'memplan check-elf firmware.elf --plan plan.json',
  },
  {
    name: 'diff',
    operands: '<old-plan.json> <new-plan.json>',
    about: 'what grew',
    example: 'memplan diff main/plan.json plan.json',
  },
  {
    name: 'explain',
    operands: '<models...>',
    about: 'why a tensor lies where it lies, or what would lower the peak',
    example: 'memplan explain model.onnx --target stm32h743 --tensor conv1/out',
  },
  {
    name: 'shapes',
    operands: '<model.onnx>',
    about: 'the shape of every tensor, with symbols where the model leaves them open',
    example: 'memplan shapes model.onnx --dim batch=1',
  },
  {
    name: 'targets',
    operands: '[name]',
    about: 'the built-in chips, or the memories of one',
    example: 'memplan targets stm32h743',
  },
  {
    name: 'ops',
    operands: '[name]',
    about: 'the known operators, or one of them',
    example: 'memplan ops Conv',
  },
  {
    name: 'init',
    operands: '<models...>',
    about: 'write a first memplan.config.json for these models',
    example: 'memplan init model.onnx --target stm32h743',
  },
  {
    name: 'completions',
    operands: '<shell>',
    about: 'print a completion script for bash, zsh or fish',
    example: 'source <(memplan completions bash)',
  },
];

export const ABOUT =
  'memplan plans the working memory of a neural network for a real chip, proves the plan, and writes C that firmware compiles.';

export const EXAMPLES: readonly (readonly [command: string, about: string])[] = [
  ['memplan model.onnx --target stm32h743', 'plan, and write tensor_memory_pool.h, .c'],
  ['memplan model.onnx --target stm32h743 --budget 256K', 'fail the build when it needs more'],
  ['memplan model.onnx --target cortex-m4 --dim batch=1', 'give an open dimension a size'],
  ['memplan model.onnx --target chip.json --out src/gen', 'a chip of your own'],
  ['memplan kws.onnx vww.onnx --target stm32h743', 'two models that take turns in one arena'],
  ['memplan model.onnx --target stm32h743 --emit html', 'the memory over the steps, as a page'],
  ['memplan targets stm32h743', 'the memories of a chip'],
];

const TERM_WIDTH = 30;
const MAX_COLUMNS = 100;

/** The whole help of a command, never wider than 100 columns. */
export function helpText(command: CommandName, columns?: number): string {
  // A terminal that does not know its width says 0.
  const width = Math.max(48, Math.min(columns || 80, MAX_COLUMNS));
  const row = COMMANDS.find(({ name }) => name === command);
  const head = row === undefined ? mainHead(width) : commandHead(row);
  const groups = optionsOf(command).map(
    ({ title, rows }) =>
      `${title}:\n${rows.map((option) => entry(option.flags, describe(option), width)).join('')}`,
  );
  const help = entry('-h, --help', 'print this help', width);
  const last = row === undefined ? help + entry('--version', 'print the version', width) : help;
  return `${[head, ...groups].join('\n')}${last}`;
}

function mainHead(width: number): string {
  const wide = EXAMPLES.every(([command, about]) => 2 + command.length + 3 + about.length <= width);
  const longest = Math.max(...EXAMPLES.map(([command]) => command.length));
  const examples = EXAMPLES.map(([command, about]) =>
    wide ? `  ${command.padEnd(longest)}   ${about}\n` : `  ${command}\n      ${about}\n`,
  );
  const commands = COMMANDS.map(({ name, operands, about }) => entry(`${name} ${operands}`, about, width));
  return [
    lines(ABOUT, width, 0),
    `Examples:\n${examples.join('')}`,
    'Usage:\n  memplan <model.onnx> --target <name|file.json> [options]\n',
    `Commands:\n${commands.join('')}`,
  ].join('\n');
}

function commandHead({ name, operands, about, example }: CommandRow): string {
  return `Example:\n  ${example}\n\nUsage:\n  memplan ${name} ${operands} [options]\n\n  ${about}\n`;
}

/** A term and its description, the description wrapped in its own column. */
function entry(term: string, about: string, width: number): string {
  const text = lines(about, width - TERM_WIDTH - 2, TERM_WIDTH + 2);
  const label = `  ${term}`;
  if (label.length + 2 > TERM_WIDTH + 2) return `${label}\n${text}`;
  return label.padEnd(TERM_WIDTH + 2) + text.trimStart();
}

function lines(text: string, columns: number, indent: number): string {
  return wrapped(text, columns)
    .map((line) => `${' '.repeat(indent)}${line}\n`)
    .join('');
}
