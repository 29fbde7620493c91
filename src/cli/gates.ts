/** The gate that compares with an earlier plan: --baseline and --max-growth. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { Plan } from '../plan/types.ts';
import { bytesText, percent } from '../report/text.ts';

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
