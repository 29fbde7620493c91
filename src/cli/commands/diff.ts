/** memplan diff <old> <new>: what grew between two plans. */
import { parsePlan } from '../../plan/read.ts';
import { diffPlans } from '../../report/diff.ts';
import { diffText } from '../../report/diff-text.ts';
import { jsonText } from '../../report/json.ts';
import type { Context } from '../context.ts';
import { readTextFile } from '../files.ts';
import type { Invocation } from '../program.ts';

export function command({ operands }: Invocation, context: Context): number {
  const [before, after] = operands.map((path) => parsePlan(readTextFile(context.at(path)), path));
  const diff = diffPlans(before!, after!);
  if (context.json) context.out(jsonText(diff));
  else context.tell(diffText(diff, context.outPaint, context.columns, context.verbose));
  return 0;
}
