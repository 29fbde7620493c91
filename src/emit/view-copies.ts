/** The views of weights that are copied to RAM before the first run. */
import type { Plan } from '../plan/types.ts';
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
  const P = plan.models[model]!.cPrefix;
  return plan.constants
    .filter((constant) => constant.model === model && constant.buffer !== undefined)
    .map(({ name, type, shape, bytes, buffer }, index): CopyView => {
      const { offset, region } = buffers.get(buffer!)!;
      const { array, indexMacro } = regionOf.get(region)!;
      return {
        macro: `${P}_COPY_${index}`,
        about: `${commentText(name)}: ${type}[${shape.join(',')}]`,
        index: unsigned(index),
        offset: unsigned(offset),
        size: unsigned(bytes),
        ...{ array, indexMacro },
      };
    });
}
