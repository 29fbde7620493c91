/** The views of weights that are copied to RAM before the first run. */
import type { Plan, PlanConstant } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { unsigned } from './literals.ts';
import type { CopyView, RegionView } from './view-types.ts';

/** The copies of one model, in the order of plan.json's constants. */
export function copyViews(
  plan: Plan,
  model: number,
  regionOf: ReadonlyMap<string, RegionView>,
): readonly CopyView[] {
  if (plan.steps.some(({ weights }) => weights !== undefined)) return [];
  const buffers = new Map(plan.buffers.map((buffer) => [buffer.id, buffer]));
  return copiedConstants(plan, model).map(({ name, type, shape, bytes, buffer }, index): CopyView => {
    const { offset, region } = buffers.get(buffer!)!;
    const { array, indexMacro } = regionOf.get(region)!;
    return {
      macro: copyMacro(plan, model, index),
      about: `${commentText(name)}: ${type}[${shape.join(',')}]`,
      index: unsigned(index),
      offset: unsigned(offset),
      size: unsigned(bytes),
      ...{ array, indexMacro },
    };
  });
}

/** The weights of one model that have a copy, in the order of plan.json's constants, which numbers the copies. */
export function copiedConstants({ constants }: Plan, model: number): readonly PlanConstant[] {
  return constants.filter((constant) => constant.model === model && constant.buffer !== undefined);
}

/** `KWS_COPY_0`: what the names of a copy begin with. */
export function copyMacro({ models }: Plan, model: number, copy: number): string {
  return `${models[model]!.cPrefix}_COPY_${copy}`;
}
