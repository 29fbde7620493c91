/** What compares with an earlier plan: --baseline and --max-growth. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import { percent } from '../percent.ts';
import type { Plan } from '../plan/types.ts';
import { settingsThatDiffer, settingText } from '../report/differences.ts';
import { bytesText } from '../report/text.ts';

/** E_GROWTH when the arenas take more than `maxGrowth` percent above those of the baseline. */
export function growthFaults(plan: Plan, baseline: Plan, maxGrowth: number): readonly Diagnostic[] {
  const before = baseline.totals.arenaBytes;
  const now = plan.totals.arenaBytes;
  const allowed = Math.floor(before * (1 + maxGrowth / 100));
  if (now <= allowed) return [];
  const text =
    `The arena has grown from ${bytesText(before)} to ${bytesText(now)}, by ${bytesText(now - before)} ` +
    `(${percent(now - before, before)}); ${maxGrowth} % are allowed.`;
  return [diagnostic('E_GROWTH', text, { hint: 'memplan diff OLD NEW shows what grew' })];
}

/** W_BASELINE when the baseline was planned otherwise: what has grown may not be the model. */
export function baselineWarnings(plan: Plan, baseline: Plan, file: string): readonly Diagnostic[] {
  const differences = settingsThatDiffer(baseline, plan);
  if (differences.length === 0) return [];
  const text = `${file} was planned otherwise, so the comparison says little: ${differences.map(settingText).join('; ')}.`;
  return [diagnostic('W_BASELINE', text, { hint: 'make the baseline anew with the options of this run' })];
}
