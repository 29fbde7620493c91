/** What the main job prints about one plan and its files. */
import type { Plan } from '../plan/types.ts';
import { filesText } from '../report/files.ts';
import { summary } from '../report/summary.ts';
import type { Checked } from './check.ts';
import type { Context } from './context.ts';
import type { Output } from './outputs.ts';

export async function tellPlan(delivered: Output & Checked, context: Context): Promise<void> {
  const { job, planned, statuses, stale } = delivered;
  const { json, verbose, tell } = context;
  const paint = json ? context.errPaint : context.outPaint;
  if (!json) await tellReport(planned.plan, job.map, context);
  tell(filesText(statuses, paint));
  if (stale.length === 0) return;
  const { staleText } = await import('../report/stale.ts');
  tell(`\n${staleText(stale, paint, verbose)}`);
}

async function tellReport(plan: Plan, map: boolean, context: Context): Promise<void> {
  const { outPaint: paint, columns, verbose: all, tell } = context;
  tell(summary(plan, { paint, columns, all }));
  if (all) {
    const { tensorsText } = await import('../report/tensors.ts');
    tell(`\n${tensorsText(plan, paint, columns)}`);
  }
  if (all && plan.fusion !== undefined) {
    const { fusionsText } = await import('../report/fusions.ts');
    tell(`\n${fusionsText(plan, paint, columns)}`);
  }
  if (all && plan.declined !== undefined) {
    const { declinedText } = await import('../report/declined.ts');
    tell(`\n${declinedText(plan, paint, columns)}`);
  }
  if (map) {
    const { mapText } = await import('../report/map.ts');
    tell(`\n${mapText(plan, paint, columns)}`);
  }
  tell('\n');
}
