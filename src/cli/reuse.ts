/** memplan explain MODEL --reuse: plans the request, and then each single change of it. */
import { planModel } from '../pipeline.ts';
import type { PlanRequest } from '../plan/request.ts';
import { jsonText } from '../report/json.ts';
import { reuseText } from '../report/reuse-text.ts';
import { reuseReport } from '../reuse/reuse.ts';
import type { Context } from './context.ts';

/** Returns exit code 0 whether the plan fits or not: gates are for the main job. `given`: the models as typed. */
export function tellReuse(request: PlanRequest, given: readonly string[], context: Context): number {
  const { json, out, outPaint, columns, verbose } = context;
  const report = reuseReport(request, (one, option) => {
    const title = `${given.join(' + ')}${option === undefined ? '' : ` ${option}`}`;
    return context.watched(title, (observe) => planModel(one, observe));
  });
  out(json ? jsonText(report) : reuseText(report, outPaint, columns, verbose));
  return 0;
}
