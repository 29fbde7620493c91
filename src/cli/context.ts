/** What every command is given: paths, streams with their colours, and how much to say. */

import type { Diagnostic } from '../errors.ts';
import type { Observe } from '../observe.ts';
import { formatDiagnostics } from '../report/diagnostics.ts';
import type { Paint } from '../report/paint.ts';
import { paintFor } from './color.ts';
import { type Io, pathIn } from './io.ts';
import type { RawOptions } from './program.ts';
import { watched } from './progress.ts';

export interface Context {
  /** Where a path leads that was given on the command line. */
  readonly at: (path: string) => string;
  /** Writes a result to stdout. */
  readonly out: (text: string) => void;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
  /** Writes what people read: to stdout, or to stderr where stdout is a JSON document; nothing with --quiet. */
  readonly tell: (text: string) => void;
  /** Warnings and notes, as far as they are wanted. */
  readonly diagnose: (diagnostics: readonly Diagnostic[]) => void;
  /** Does something that may take long, and says so on a terminal. */
  readonly watched: <T>(title: string, work: (observe: Observe | undefined) => T) => T;
  /** Where a CI service collects the summaries of a job. */
  readonly jobSummary: string | undefined;
  /** Colours of stdout and of stderr. */
  readonly outPaint: Paint;
  readonly errPaint: Paint;
  /** Columns that a report on stdout may use. */
  readonly columns: number;
  /** stdout is a terminal. */
  readonly terminal: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** A width that reads well where the output goes to a file, a pipe, or a terminal that does not know its own (0). */
const DEFAULT_COLUMNS = 100;

export async function contextFor(options: RawOptions, io: Io): Promise<Context> {
  const asked = typeof options.color === 'boolean' ? options.color : undefined;
  const errPaint = await paintFor(asked, io, io.stderr);
  const quiet = options.quiet === true;
  const verbose = options.verbose === true;
  const json = options.json === true;
  const out = (text: string) => void io.stdout.write(text);
  const err = (text: string) => void io.stderr.write(text);
  return {
    at: pathIn(io.cwd),
    out,
    err,
    tell: quiet ? () => {} : json ? err : out,
    diagnose: (diagnostics) => {
      const shown = quiet ? diagnostics.filter(({ kind }) => kind === 'error') : diagnostics;
      err(formatDiagnostics(shown, errPaint, verbose));
    },
    watched: (title, work) => watched(io, quiet ? undefined : title, work),
    jobSummary: io.env.GITHUB_STEP_SUMMARY,
    outPaint: await paintFor(asked, io, io.stdout),
    errPaint,
    columns: Math.max(40, io.stdout.columns || DEFAULT_COLUMNS),
    terminal: io.stdout.isTTY === true,
    json,
    quiet,
    verbose,
  };
}
