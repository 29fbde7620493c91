/** The manual page man/memplan.1, from the same tables as --help. */
import { ABOUT, COMMANDS, EXAMPLES } from '../src/cli/help.ts';
import { OPTION_GROUPS } from '../src/cli/option-table.ts';
import type { CommandName, OptionRow } from '../src/cli/option-types.ts';
import { describe } from '../src/cli/options.ts';

const EXIT_STATUS: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'Planned, checked, and it fits.'],
  [
    '1',
    'A gate failed: over the region or a budget, grown too much, a stale file with --check, a fault found by verify, no plan within the capacity of solve.',
  ],
  [
    '2',
    'It could not work: usage, an unreadable or unsupported model, a wrong configuration, rules that contradict each other.',
  ],
  ['130', 'Interrupted.'],
];

const FILES: readonly (readonly [file: string, meaning: string])[] = [
  [
    'memplan.config.json',
    'Settings of a project, looked for in the working directory and above; flags go before them. "memplan" in package.json is the same.',
  ],
];

const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  ['NO_COLOR, FORCE_COLOR, TERM', 'Whether to colour, unless --color or --no-color says.'],
  ['GITHUB_STEP_SUMMARY', 'The file that --report github appends its report to.'],
];

export function manPage(): string {
  return [
    '.\\" Generated from the option table by scripts/man-page.ts.',
    '.TH MEMPLAN 1 "" memplan "User Commands"',
    '.SH NAME',
    `memplan \\- plan the working memory of neural networks for real chips`,
    '.SH SYNOPSIS',
    ...synopsis('\\fImodel.onnx\\fR ... \\fB\\-\\-target\\fR \\fIname\\fR|\\fIfile.json\\fR'),
    ...COMMANDS.flatMap(({ name, operands }) => ['.br', ...synopsis(`\\fB${name}\\fR ${roff(operands)}`)]),
    '.SH DESCRIPTION',
    roff(ABOUT),
    '.SH COMMANDS',
    ...COMMANDS.flatMap(({ name, operands, about }) => entry(`${name} ${operands}`, sentence(about))),
    '.SH OPTIONS',
    ...OPTION_GROUPS.flatMap(({ title, rows }) => [`.SS "${roff(title)}"`, ...rows.flatMap(option)]),
    '.SH "EXIT STATUS"',
    ...EXIT_STATUS.flatMap(([code, meaning]) => entry(code, meaning)),
    '.SH FILES',
    ...FILES.flatMap(([file, meaning]) => entry(file, meaning)),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, meaning]) => entry(name, meaning)),
    '.SH EXAMPLES',
    ...EXAMPLES.flatMap(([command, about]) => entry(command, sentence(about))),
    '',
  ].join('\n');
}

function synopsis(rest: string): string[] {
  return [`\\fBmemplan\\fR ${rest} [\\fIoptions\\fR]`];
}

function option(row: OptionRow): string[] {
  const others = row.commands.filter((name) => name !== 'plan');
  return entry(row.flags, sentence(describe(row)) + only(row.commands, others));
}

/** Options of the main job need no word; those of other commands alone say which. */
function only(commands: readonly CommandName[], others: readonly CommandName[]): string {
  return commands.includes('plan') ? '' : ` (${others.join(', ')})`;
}

function entry(term: string, text: string): string[] {
  return ['.TP', `\\fB${roff(term)}\\fR`, roff(text)];
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? '' : '.'}`;
}

/** Backslashes and hyphens are escaped, and a line may not begin with a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
