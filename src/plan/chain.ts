/** Tells plans whose steps have but one order. */
import type { PlanStep } from './types.ts';

/** Each step reads what the one before it has written, so that there is no other order. */
export function isChain(steps: readonly PlanStep[]): boolean {
  return steps.every(({ reads }, i) => i === 0 || steps[i - 1]!.writes.some((name) => reads.includes(name)));
}
