/** memplan solve <problem.csv>: plans a bare list of buffers. */
import { basename, dirname } from 'node:path';
import { writeFiles } from '../../emit/write.ts';
import { diagnostic } from '../../errors.ts';
import { createLookout } from '../../observe.ts';
import { formatSolution, parseBufferList } from '../../planner/csv.ts';
import { type Reached, solve } from '../../planner/solve.ts';
import { filesText } from '../../report/files.ts';
import { jsonText } from '../../report/json.ts';
import { type SolutionDocument, solutionDocument, solutionText } from '../../report/solution.ts';
import { bytesText } from '../../report/text.ts';
import { checkOptions } from '../check-options.ts';
import type { Context } from '../context.ts';
import { faults } from '../faults.ts';
import { readTextFile } from '../files.ts';
import type { Invocation } from '../program.ts';
import { parseCount, parseSize } from '../values.ts';

interface SolveOptions {
  readonly capacity?: string;
  readonly out?: string;
  readonly strategy?: string;
  readonly effort?: string;
}

export function command(invocation: Invocation, context: Context): number {
  const options: SolveOptions = invocation.options;
  const [file = ''] = invocation.operands;
  const { capacity, effort } = readNumbers(invocation, options);
  const list = parseBufferList(readTextFile(context.at(file)), basename(file));
  const { solution, diagnostics } = context.watched(file, (watch) => {
    const { ends, diagnostics } = createLookout(watch);
    const observe = (reached: Reached) => ends({ doing: 'packing', ...reached });
    const asked = { capacity, effort, strategy: options.strategy, observe };
    return { solution: solve(list.problem, asked), diagnostics: diagnostics() };
  });
  const document = solutionDocument(list.problem, solution, capacity);
  const fits = capacity === undefined || solution.bytes <= capacity;
  context.diagnose(fits ? diagnostics : [tooSmall(document, capacity), ...diagnostics]);
  if (context.json) context.out(jsonText(document));
  else context.tell(solutionText(basename(file), list.problem, document, capacity, context.outPaint));
  if (fits && options.out !== undefined) {
    const path = context.at(options.out);
    const text = formatSolution(list, solution.offsets);
    const files = writeFiles(dirname(path), [{ name: basename(path), text }]);
    context.tell(
      filesText(
        files.map((written) => ({ ...written, name: options.out! })),
        context.outPaint,
      ),
    );
  }
  return fits ? 0 : 1;
}

function readNumbers(invocation: Invocation, { capacity, effort }: SolveOptions) {
  const found = faults();
  checkOptions(invocation, found);
  const read = <T>(text: string | undefined, parse: (text: string) => T): T | undefined =>
    text === undefined ? undefined : found.attempt(() => parse(text), undefined);
  const numbers = {
    capacity: read(capacity, (text) => parseSize('--capacity', text)),
    effort: read(effort, (text) => parseCount('--effort', text, 1)),
  };
  found.finish();
  return numbers;
}

function tooSmall({ bytes, lowerBound }: SolutionDocument, capacity: number) {
  const refuted = lowerBound > capacity;
  const text = refuted
    ? `no plan can fit into ${bytesText(capacity)}: ${bytesText(lowerBound)} are live at one step`
    : `no plan was found for ${bytesText(capacity)}; the smallest found takes ${bytesText(bytes)}, ` +
      `the lower bound is ${bytesText(lowerBound)}`;
  return diagnostic('E_OVER_CAPACITY', text, refuted ? {} : { hint: 'a larger --effort searches longer' });
}
