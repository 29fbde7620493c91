/** Which step writes each tensor and which read it, for reports that say so about all of them. */
import type { Plan, PlanStep, PlanTensor } from '../plan/types.ts';

export interface Usage {
  /** undefined: a graph input. */
  readonly writer: PlanStep | undefined;
  readonly readers: readonly PlanStep[];
}

const UNUSED: Usage = { writer: undefined, readers: [] };

/** One walk over the steps; then each question takes one look. */
export function usageOf({ steps }: Plan): (tensor: Pick<PlanTensor, 'model' | 'name'>) => Usage {
  const found = new Map<string, { writer: PlanStep | undefined; readers: PlanStep[] }>();
  const entry = (model: number, name: string) => {
    const key = `${model}:${name}`;
    let usage = found.get(key);
    if (usage === undefined) {
      usage = { writer: undefined, readers: [] };
      found.set(key, usage);
    }
    return usage;
  };
  for (const step of steps) {
    for (const name of [...step.writes, ...(step.scratch ?? [])]) entry(step.model, name).writer ??= step;
    for (const name of step.reads) entry(step.model, name).readers.push(step);
  }
  return ({ model, name }) => found.get(`${model}:${name}`) ?? UNUSED;
}
