/** Adds a plan up. */
import type { Plan, PlanTotals } from './types.ts';

/** `complete`: the scratch of every step is known. */
export function totalsOf(
  plan: Pick<Plan, 'models' | 'steps' | 'tensors' | 'buffers' | 'regions' | 'constants'> & {
    readonly buckets: Plan['buckets'] | undefined;
  },
  complete: boolean,
): PlanTotals {
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  /** Buckets take turns in the same inputs and outputs, so the largest counts. */
  const ofAll = plan.buckets === undefined ? sum : (list: readonly number[]) => Math.max(0, ...list);
  const ports = new Set(plan.models.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]));
  const bytes = new Map<string, number>();
  for (const list of [plan.constants, plan.tensors]) {
    for (const { model, name, bytes: size } of list) if (ports.has(name)) bytes.set(`${model}:${name}`, size);
  }
  const portBytes = (side: 'inputs' | 'outputs'): number =>
    ofAll(plan.models.map((model, at) => sum(model[side].map((name) => bytes.get(`${at}:${name}`) ?? 0))));
  const copies = plan.buffers.filter(({ kind }) => kind === 'copy');
  return {
    arenaBytes: sum(plan.regions.map(({ used }) => used)),
    lowerBoundBytes: sum(plan.regions.map(({ lowerBound }) => lowerBound)),
    optimal: plan.regions.every(({ optimal }) => optimal),
    noReuseBytes: sum(plan.buffers.map(({ bytes }) => bytes)),
    weightBytes: sum(plan.constants.map(({ bytes, flashBytes = bytes }) => flashBytes)),
    ...(copies.length > 0 && { copyBytes: sum(copies.map(({ bytes }) => bytes)) }),
    scratchBytes: plan.steps.reduce((most, { scratchBytes }) => Math.max(most, scratchBytes), 0),
    inputBytes: portBytes('inputs'),
    outputBytes: portBytes('outputs'),
    complete,
  };
}
