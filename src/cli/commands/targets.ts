/** memplan targets [name]: the built-in chips, or what is known about one of them. */
import { jsonText } from '../../report/json.ts';
import { targetList, targetText } from '../../report/targets.ts';
import { listTargets, loadTarget } from '../../target/load.ts';
import type { Context } from '../context.ts';
import type { Invocation } from '../program.ts';
import { targetPath } from '../request.ts';

export function command({ operands }: Invocation, context: Context): number {
  const { out, outPaint, columns, json, at } = context;
  const [name] = operands;
  if (name === undefined) {
    const targets = listTargets().map(loadTarget);
    out(json ? jsonText({ schema: 1, targets }) : targetList(targets, outPaint));
  } else {
    const target = loadTarget(targetPath(name, at));
    out(json ? jsonText(target) : targetText(target, outPaint, columns));
  }
  return 0;
}
