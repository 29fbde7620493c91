/** The view of weights that are brought for their steps: what, where to, from which step on, and for which step. */
import { isStaged, neededFrom } from '../plan/stages.ts';
import type { Plan, PlanBuffer } from '../plan/types.ts';
import { unsigned } from './literals.ts';
import { type CopiedConstant, copiedConstants, copyMacro, sourceMacro } from './view-copies.ts';
import type { RegionView, StagesView } from './view-types.ts';

/** A weight that is brought for its steps. */
export interface StagedWeight {
  readonly constant: CopiedConstant;
  /** Its place, from the step during which it comes; the same as `needed`: before it. */
  readonly buffer: PlanBuffer;
  /** The first step that needs it. */
  readonly needed: number;
  /** Bytes of the lines of the cache that it has for itself; 0 where there is no cache. */
  readonly lines: number;
}

/** In the order of plan.json's constants, which is that of the sources; none where nothing is brought. */
export function stagedWeights(plan: Plan): readonly StagedWeight[] {
  if (!isStaged(plan)) return [];
  const needed = neededFrom(plan.steps);
  const cached = new Set(plan.cache?.flatMap(({ at, tensor }) => (at === 'before-bring' ? [tensor] : [])));
  const buffers = new Map(plan.buffers.map((one) => [one.id, one]));
  return copiedConstants(plan, 0).map((constant) => {
    const buffer = buffers.get(constant.buffer)!;
    const lines = cached.has(constant.name) ? buffer.bytes : 0;
    return { constant, buffer, needed: needed.get(constant.name)!, lines };
  });
}

/** Null where nothing is brought. */
export function stagesView(plan: Plan, regionOf: ReadonlyMap<string, RegionView>): StagesView | null {
  const staged = stagedWeights(plan);
  if (staged.length === 0) return null;
  const isCached = staged.some(({ lines }) => lines > 0);
  const rows = staged.map(({ constant, buffer, needed, lines }) => {
    const macro = copyMacro(plan, constant);
    return {
      about: sourceMacro(plan, constant),
      row: [
        `${macro}_OFFSET`,
        `${macro}_SIZE`,
        unsigned(buffer.first),
        unsigned(needed),
        regionOf.get(buffer.region)!.indexMacro,
        ...(isCached ? [unsigned(lines)] : []),
      ].join(', '),
    };
  });
  return { cached: isCached, rows };
}
