/** memplan diff <old> <new>: what grew between two plans, and with --max-growth whether that is too much. */
import { join } from 'node:path';
import { type TextFile, writeFiles } from '../../emit/write.ts';
import { type Diagnostic, diagnostic } from '../../errors.ts';
import { parsePlan } from '../../plan/read.ts';
import { type DiffDocument, diffPlans } from '../../report/diff.ts';
import { diffMarkdown } from '../../report/diff-markdown.ts';
import { diffText } from '../../report/diff-text.ts';
import { filesText } from '../../report/files.ts';
import { githubAnnotations } from '../../report/github.ts';
import { jsonText } from '../../report/json.ts';
import { checkOptions } from '../check-options.ts';
import type { Context } from '../context.ts';
import { faults } from '../faults.ts';
import { appendTextFile, readTextFile } from '../files.ts';
import { growthFaults } from '../gates.ts';
import type { Invocation } from '../program.ts';
import { parsePercent, parseSet } from '../values.ts';

interface DiffOptions {
  readonly maxGrowth?: string;
  readonly emit?: string;
  readonly out?: string;
  readonly report?: readonly string[];
}

const MAKE_ONE = 'memplan model.onnx --target CHIP --emit json --out DIR writes DIR/plan.json';

export function command(invocation: Invocation, context: Context): number {
  const { operands } = invocation;
  const { maxGrowth, emit, out, report }: DiffOptions = invocation.options;
  const found = faults();
  checkOptions(invocation, found);
  if (out !== undefined && emit === undefined) {
    found.add(
      diagnostic('E_USAGE', '--out without --emit: no file was asked for', { hint: '--emit json,md' }),
    );
  }
  found.finish();
  const [before, after] = operands.map((path) => parsePlan(readTextFile(context.at(path), MAKE_ONE), path));
  const diff = diffPlans(before!, after!);
  const grown =
    maxGrowth === undefined ? [] : growthFaults(after!, before!, parsePercent('--max-growth', maxGrowth));
  if (context.json) context.out(jsonText(diff));
  else context.tell(diffText(diff, context.outPaint, context.columns, context.verbose));
  if (emit !== undefined) writeReports(diff, parseSet('--emit', emit), out ?? '.', context);
  if (report === undefined) context.diagnose(grown);
  else tellGithub(diff, grown, operands[1]!, context);
  return grown.length > 0 ? 1 : 0;
}

/** By what --emit calls them. */
const REPORTS: Readonly<Record<string, (diff: DiffDocument) => TextFile>> = {
  json: (diff) => ({ name: 'diff.json', text: jsonText(diff) }),
  md: (diff) => ({ name: 'diff.md', text: diffMarkdown(diff) }),
};

function writeReports(diff: DiffDocument, kinds: readonly string[], out: string, context: Context): void {
  const files = kinds.map((kind) => REPORTS[kind]!(diff));
  const statuses = writeFiles(context.at(out), files);
  const paint = context.json ? context.errPaint : context.outPaint;
  context.tell(
    filesText(
      statuses.map(({ name, status }) => ({ name: join(out, name), status })),
      paint,
    ),
  );
}

function tellGithub(diff: DiffDocument, grown: readonly Diagnostic[], file: string, context: Context): void {
  context.err(githubAnnotations(grown, file));
  if (context.jobSummary !== undefined) appendTextFile(context.jobSummary, diffMarkdown(diff));
}
