/** memplan diff <old> <new>: what grew between two plans, and with --max-growth whether that is too much. */
import { parsePlan } from '../../plan/read.ts';
import { diffPlans } from '../../report/diff.ts';
import { diffText } from '../../report/diff-text.ts';
import { jsonText } from '../../report/json.ts';
import type { Context } from '../context.ts';
import { readTextFile } from '../files.ts';
import { growthFaults } from '../gates.ts';
import type { Invocation, RawOptions } from '../program.ts';
import { parsePercent } from '../values.ts';

const MAKE_ONE = 'memplan model.onnx --target CHIP --emit json --out DIR writes DIR/plan.json';

export function command(invocation: Invocation, context: Context): number {
  const { operands, options } = invocation;
  const allowed = readMaxGrowth(options.maxGrowth);
  const [before, after] = operands.map((path) => parsePlan(readTextFile(context.at(path), MAKE_ONE), path));
  const diff = diffPlans(before!, after!);
  if (context.json) context.out(jsonText(diff));
  else context.tell(diffText(diff, context.outPaint, context.columns, context.verbose));
  const faults = allowed === undefined ? [] : growthFaults(after!, before!, allowed);
  context.diagnose(faults);
  return faults.length > 0 ? 1 : 0;
}

/** Without --max-growth nothing is gated. */
function readMaxGrowth(text: RawOptions[string]): number | undefined {
  return typeof text === 'string' ? parsePercent('--max-growth', text) : undefined;
}
