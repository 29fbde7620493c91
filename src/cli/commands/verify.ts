/** memplan verify <plan.json | solution.csv>: the independent checker on somebody's plan. */
import { fail } from '../../errors.ts';
import { parsePlan } from '../../plan/read.ts';
import { parseBufferList } from '../../planner/csv.ts';
import { jsonText } from '../../report/json.ts';
import { counted } from '../../report/text.ts';
import { type Verdict, verdict, verdictText } from '../../report/verdict.ts';
import { verifyPlan } from '../../verify/verify.ts';
import type { Context } from '../context.ts';
import { readTextFile } from '../files.ts';
import type { Invocation } from '../program.ts';
import { solutionFaults } from '../solution.ts';
import { parseSize } from '../values.ts';

interface VerifyOptions {
  readonly problem?: string;
  readonly capacity?: string;
}

export function command({ operands, options }: Invocation, context: Context): number {
  const [file = ''] = operands;
  const text = readTextFile(context.at(file));
  const isPlan = /\.json$/i.test(file) || /^\s*[{[]/.test(text);
  const { found, checked } = isPlan
    ? checkPlan(text, file, options)
    : checkSolution(text, file, options, context);
  context.diagnose(found.faults);
  if (context.json) context.out(jsonText(found));
  else context.tell(verdictText(found, checked, context.outPaint));
  return found.ok ? 0 : 1;
}

interface Checked {
  readonly found: Verdict;
  readonly checked: string;
}

function checkPlan(text: string, file: string, { problem, capacity }: VerifyOptions): Checked {
  const [flag] =
    Object.entries({ '--problem': problem, '--capacity': capacity }).find(([, given]) => given) ?? [];
  if (flag !== undefined) {
    fail('E_USAGE', `${flag} belongs to a solution in CSV; ${file} is a plan`, {
      hint: `memplan verify ${file}`,
    });
  }
  const plan = parsePlan(text, file);
  const { steps, tensors, buffers } = plan;
  return {
    found: verdict(file, verifyPlan(plan)),
    checked: `${counted(steps.length, 'step')}, ${counted(tensors.length, 'tensor')}, ${counted(buffers.length, 'buffer')}`,
  };
}

function checkSolution(text: string, file: string, options: VerifyOptions, { at }: Context): Checked {
  const { problem: problemFile } = options;
  const capacity = options.capacity === undefined ? undefined : parseSize('--capacity', options.capacity);
  const solution = parseBufferList(text, file);
  const problem =
    problemFile === undefined ? undefined : parseBufferList(readTextFile(at(problemFile)), problemFile);
  return {
    found: verdict(file, solutionFaults(solution, problem, capacity, file)),
    checked: counted(solution.problem.buffers.length, 'buffer'),
  };
}
