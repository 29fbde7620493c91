/** The view of weights that are brought for their steps: what, where to, from which step on, and for which step. */
import { neededFrom } from '../plan/stages.ts';
import type { Plan } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { unsigned } from './literals.ts';
import type { RegionView, StagesView } from './view-types.ts';

/** Null where nothing is brought. In the order of plan.json's constants, which is that of the sources. */
export function stagesView(plan: Plan, regionOf: ReadonlyMap<string, RegionView>): StagesView | null {
  const needed = neededFrom(plan.steps);
  if (needed.size === 0) return null;
  const cached = new Set(plan.cache?.flatMap(({ at, tensor }) => (at === 'before-bring' ? [tensor] : [])));
  const buffers = new Map(plan.buffers.map((one) => [one.id, one]));
  const rows = plan.constants
    .filter(({ name, buffer }) => buffer !== undefined && needed.has(name))
    .map(({ name, type, shape, bytes, buffer }) => {
      const copy = buffers.get(buffer!)!;
      return {
        about: `${commentText(name)}: ${type}[${shape.join(',')}]`,
        row: [
          unsigned(copy.offset),
          unsigned(bytes),
          unsigned(copy.first),
          unsigned(needed.get(name)!),
          regionOf.get(copy.region)!.indexMacro,
          // Whole lines, which the copy has for itself.
          ...(cached.size === 0 ? [] : [unsigned(cached.has(name) ? copy.bytes : 0)]),
        ].join(', '),
      };
    });
  return { count: unsigned(rows.length), cached: cached.size > 0, rows };
}
