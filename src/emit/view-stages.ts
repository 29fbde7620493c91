/** The view of weights that are brought for their steps: what, where to, from which step on, and for which step. */
import { neededFrom } from '../plan/stages.ts';
import type { Plan } from '../plan/types.ts';
import { unsigned } from './literals.ts';
import { copiedConstants, copyMacro, sourceMacro } from './view-copies.ts';
import type { RegionView, StagesView } from './view-types.ts';

/** Weights are brought for their steps. There is one model then. */
export function isStaged({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(({ weights }) => weights !== undefined);
}

/** Null where nothing is brought. In the order of plan.json's constants, which is that of the sources. */
export function stagesView(plan: Plan, regionOf: ReadonlyMap<string, RegionView>): StagesView | null {
  if (!isStaged(plan)) return null;
  const needed = neededFrom(plan.steps);
  const cached = new Set(plan.cache?.flatMap(({ at, tensor }) => (at === 'before-bring' ? [tensor] : [])));
  const buffers = new Map(plan.buffers.map((one) => [one.id, one]));
  const rows = copiedConstants(plan, 0).map((constant) => {
    const { name, buffer } = constant;
    const { region, first, bytes } = buffers.get(buffer)!;
    const macro = copyMacro(plan, constant);
    return {
      about: sourceMacro(plan, constant),
      row: [
        `${macro}_OFFSET`,
        `${macro}_SIZE`,
        unsigned(first),
        unsigned(needed.get(name)!),
        regionOf.get(region)!.indexMacro,
        // Whole lines, which the copy has for itself.
        ...(cached.size === 0 ? [] : [unsigned(cached.has(name) ? bytes : 0)]),
      ].join(', '),
    };
  });
  return { cached: cached.size > 0, rows };
}
