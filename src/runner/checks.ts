/** What the check build of a runner knows: when each tensor's bytes are alive, by arena. */
import { unsigned } from '../emit/literals.ts';
import type { Plan, PlanTensor } from '../plan/types.ts';
import { arenaArray } from './addresses.ts';
import type { CheckView } from './view-types.ts';

export function checkViews(plan: Plan): readonly CheckView[] {
  const P = plan.models[0]!.cPrefix;
  const byName = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]));
  return plan.regions.map((region) => {
    const spans = plan.tensors.flatMap((tensor, index) =>
      tensor.region === region.name && tensor.bytes > 0
        ? [spanText(`${P}_T_${tensor.c}`, tensor, index, byName.get(tensor.aliasOf ?? ''))]
        : [],
    );
    return {
      array: arenaArray(P.toLowerCase(), region.c),
      size: region.used === 0 ? '0u' : `${P}_R_${region.c}_SIZE`,
      name: region.c.toLowerCase(),
      spans,
      spanCount: unsigned(spans.length),
    };
  });
}

/** Braces of a memplan_span. `source`: what the tensor shares bytes with. */
function spanText(macro: string, tensor: PlanTensor, index: number, source: PlanTensor | undefined): string {
  // The part that a Split need not copy out; the whole of a Concat comes after its parts.
  const isPart = tensor.how === 'elided' && source !== undefined && source.first < tensor.first;
  const kind = tensor.role === 'input' ? 'GIVEN' : tensor.how === 'view' || isPart ? 'VIEW' : 'MADE';
  const range = [tensor.first, tensor.end, index].map(unsigned).join(', ');
  return `{${macro}_OFFSET, ${macro}_SIZE, ${range}, MEMPLAN_SPAN_${kind}}`;
}
