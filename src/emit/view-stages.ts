/** The view of weights that are brought for their steps: what, where to, from which step on, and for which step. */
import type { Plan } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { unsigned } from './literals.ts';
import type { RegionView, StagesView } from './view-types.ts';

/** Null where nothing is brought. In the order of plan.json's constants, which is that of the sources. */
export function stagesView(plan: Plan, regionOf: ReadonlyMap<string, RegionView>): StagesView | null {
  const first = new Map<string, number>();
  for (const { step, weights = [] } of plan.steps) {
    for (const name of weights) if (!first.has(name)) first.set(name, step);
  }
  if (first.size === 0) return null;
  const buffers = new Map(plan.buffers.map((one) => [one.id, one]));
  const rows = plan.constants
    .filter(({ name, buffer }) => buffer !== undefined && first.has(name))
    .map(({ name, type, shape, bytes, buffer }) => {
      const copy = buffers.get(buffer!)!;
      return {
        about: `${commentText(name)}: ${type}[${shape.join(',')}]`,
        row: [
          unsigned(copy.offset),
          unsigned(bytes),
          unsigned(copy.first),
          unsigned(first.get(name)!),
          regionOf.get(copy.region)!.indexMacro,
        ].join(', '),
      };
    });
  return { count: unsigned(rows.length), rows };
}
