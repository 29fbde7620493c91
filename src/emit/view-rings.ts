/** The view of inputs with several places: which is read, which is filled, and what lies in them besides. */
import type { Plan, PlanTensor } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { unsigned } from './literals.ts';
import type { RegionView, RingView } from './view-types.ts';

/** In the order in which the inputs were named. */
export function ringViews(
  plan: Plan,
  regionOf: ReadonlyMap<string, RegionView>,
  tensorMacro: (tensor: PlanTensor) => string,
): readonly RingView[] {
  return (plan.states ?? []).flatMap(({ model, tensor: name, places, stride }): RingView[] => {
    if (places === undefined || stride === undefined) return [];
    const tensor = plan.tensors.find((t) => t.model === model && t.name === name)!;
    const { cPrefix, inputs } = plan.models[model]!;
    const position = inputs.indexOf(name);
    const { array, indexMacro, macro } = regionOf.get(tensor.region!)!;
    const inside = plan.tensors.filter(({ buffer }) => buffer === tensor.buffer);
    return [
      {
        macro: `${cPrefix}_INPUT_${position}`,
        helper: `${cPrefix.toLowerCase()}_input_${position}`,
        about: commentText(name),
        places: unsigned(places),
        stride: unsigned(stride),
        tensorMacro: tensorMacro(tensor),
        regionMacro: macro,
        ...{ array, indexMacro },
        indexes: inside.map((one) => `${plan.models[one.model]!.cPrefix}_I_${one.c}`),
      },
    ];
  });
}
