/** --scale-input: plans the model once per resolution, and prints what each takes. */
import { basename } from 'node:path';
import { MemplanError } from '../errors.ts';
import { planModel } from '../pipeline.ts';
import { jsonText } from '../report/json.ts';
import { type SweepRow, sweepDocument, sweepText } from '../report/sweep.ts';
import type { Context } from './context.ts';
import type { Job } from './job.ts';

/**
 * Exit code 0 when a resolution fits, 1 when all that can be planned are too large. Throws what is wrong with the
 * first when none can be planned: it is then no matter of the resolution.
 */
export function sweep({ request, given, scales }: Job, context: Context): number {
  const rows = scales.map((factor): SweepRow => {
    try {
      const title = `${given.models[0]} x ${factor}`;
      const { plan } = context.watched(title, (observe) =>
        planModel({ ...request, scaleInput: factor }, observe),
      );
      return { factor, plan };
    } catch (error) {
      if (!(error instanceof MemplanError) || error.code === 'E_INTERNAL') throw error;
      return { factor, faults: error.diagnostics };
    }
  });
  const [first] = rows;
  if (first !== undefined && rows.every((row) => 'faults' in row)) {
    const [fault, ...others] = 'faults' in first ? first.faults : [];
    if (fault !== undefined) throw new MemplanError([fault, ...others]);
  }
  if (context.json) context.out(jsonText(sweepDocument(rows)));
  else context.tell(sweepText(basename(given.models[0]!), rows, context.outPaint, context.columns));
  return rows.some((row) => 'plan' in row && row.plan.fits) ? 0 : 1;
}
