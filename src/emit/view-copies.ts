/** The views of weights that are copied to RAM: before the first run, or for their steps. */
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
  const copied = copiedConstants(plan, model);
  if (copied.length === 0) return [];
  const buffers = new Map(plan.buffers.map((buffer) => [buffer.id, buffer]));
  return copied.map((constant, index): CopyView => {
    const { name, type, shape, bytes } = constant;
    const { offset, region, alignment } = buffers.get(constant.buffer)!;
    const { array, macro, indexMacro } = regionOf.get(region)!;
    return {
      macro: copyMacro(plan, constant),
      sourceMacro: sourceMacro(plan, constant),
      about: `${commentText(name)}: ${type}[${shape.join(',')}]`,
      index: String(index),
      offset: unsigned(offset),
      size: unsigned(bytes),
      alignment: unsigned(alignment),
      regionMacro: macro,
      ...{ array, indexMacro },
    };
  });
}

/** A weight with a copy. */
export type CopiedConstant = PlanConstant & { readonly buffer: number; readonly c: string };

/** The weights of one model that have a copy, in the order of plan.json's constants, which is that of the sources. */
export function copiedConstants({ constants }: Plan, model: number): readonly CopiedConstant[] {
  return constants.filter(
    (constant): constant is CopiedConstant => constant.model === model && constant.buffer !== undefined,
  );
}

/** `KWS_W_conv1_weight`: what the numbers of a copy begin with. */
export function copyMacro({ models }: Plan, { model, c }: CopiedConstant): string {
  return `${models[model]!.cPrefix}_W_${c}`;
}

/** `KWS_SOURCE_conv1_weight`: its place among the sources. */
export function sourceMacro({ models }: Plan, { model, c }: CopiedConstant): string {
  return `${models[model]!.cPrefix}_SOURCE_${c}`;
}
