/** Runs one command line. Everything it touches of the outside world comes in through `io`. */
import manifest from '../package.json' with { type: 'json' };
import { type Context, contextFor } from './cli/context.ts';
import type { Io } from './cli/io.ts';
import type { CommandName } from './cli/option-types.ts';
import { type Invocation, parseCommandLine } from './cli/program.ts';
import { diagnostic, MemplanError } from './errors.ts';
import { errorDocument } from './report/error.ts';
import { jsonText } from './report/json.ts';

export type { Io } from './cli/io.ts';

/** Runs a command and says with which code the process should end. */
type Command = (invocation: Invocation, context: Context) => number | Promise<number>;

/** Each command loads only what it needs. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<{ readonly command: Command }>>> = {
  plan: () => import('./cli/commands/plan.ts'),
  solve: () => import('./cli/commands/solve.ts'),
  verify: () => import('./cli/commands/verify.ts'),
  'check-elf': () => import('./cli/commands/check-elf.ts'),
  diff: () => import('./cli/commands/diff.ts'),
  explain: () => import('./cli/commands/explain.ts'),
  shapes: () => import('./cli/commands/shapes.ts'),
  targets: () => import('./cli/commands/targets.ts'),
  ops: () => import('./cli/commands/ops.ts'),
  init: () => import('./cli/commands/init.ts'),
  completions: () => import('./cli/commands/completions.ts'),
};

/**
 * Runs `memplan <argv>`. Resolves to the exit code: 0 planned and fits, 1 a gate failed, 2 could not work.
 * Never rejects, and prints a stack trace only with --debug.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let invocation: Invocation | undefined;
  try {
    invocation = parseCommandLine(argv, manifest.version, {
      write: (text) => io.stdout.write(text),
      columns: io.stdout.columns,
    });
    if (invocation === undefined) return 0;
    const { command } = await COMMANDS[invocation.command]();
    return await command(invocation, await contextFor(invocation.options, io));
  } catch (error) {
    return await report(error, invocation?.options ?? guessOptions(argv), io);
  }
}

/** What can still be told from a command line that could not be parsed. */
function guessOptions(argv: readonly string[]): Invocation['options'] {
  const given = (flag: string) => argv.includes(flag);
  const color = given('--no-color') ? false : given('--color') ? true : undefined;
  return { json: given('--json'), debug: given('--debug'), color };
}

async function report(error: unknown, options: Invocation['options'], io: Io): Promise<number> {
  const known = error instanceof MemplanError ? error : internal(error);
  const context = await contextFor(options, io);
  if (Array.isArray(options.report) && options.report.includes('github')) {
    const { githubAnnotations } = await import('./report/github.ts');
    context.err(githubAnnotations(known.diagnostics, null));
  } else {
    context.diagnose(known.diagnostics);
  }
  if (options.debug === true && error instanceof Error) context.err(`${error.stack}\n`);
  if (context.json) context.out(jsonText(errorDocument(known)));
  return known.exitCode;
}

/** A fault of memplan itself. */
function internal(error: unknown): MemplanError {
  const text = error instanceof Error ? error.message : String(error);
  return new MemplanError([
    diagnostic('E_INTERNAL', text, { hint: 'run it again with --debug and report what it prints' }),
  ]);
}
