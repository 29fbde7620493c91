/** The views of values that are kept from run to run: where they lie, what they begin with, what is copied. */
import type { Plan, PlanState, PlanTensor } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { unsigned } from './literals.ts';
import type { RegionView, StateView } from './view-types.ts';

/** The states of one model, in the order in which they were named. */
export function stateViews(
  plan: Plan,
  model: number,
  regionOf: ReadonlyMap<string, RegionView>,
  tensorMacro: (tensor: PlanTensor) => string,
): readonly StateView[] {
  const own = (plan.states ?? []).filter((state) => state.model === model && state.places === undefined);
  const find = (name: string) => plan.tensors.find((t) => t.model === model && t.name === name)!;
  const P = plan.models[model]!.cPrefix;
  return own.map((state, index): StateView => {
    const tensor = find(state.tensor);
    const from = state.how === 'copied' ? find(state.from!) : undefined;
    const fill = fillOf(tensor);
    return {
      macro: `${P}_STATE_${index}`,
      about: aboutState(state),
      tensorMacro: tensorMacro(tensor),
      array: regionOf.get(tensor.region!)!.array,
      fill: unsigned(fill),
      copied: from !== undefined,
      fromMacro: from === undefined ? '' : tensorMacro(from),
      fromArray: from === undefined ? '' : regionOf.get(from.region!)!.array,
    };
  });
}

/** The byte that stands for zero: of quantised 8-bit values the zero point. */
function fillOf({ type, quant }: PlanTensor): number {
  const [zero = 0, ...others] = quant?.zeroPoint ?? [];
  const same = others.every((other) => other === zero);
  return (type === 'int8' || type === 'uint8') && same ? zero & 0xff : 0;
}

function aboutState({ tensor, from, how }: PlanState): string {
  const name = commentText(tensor);
  if (from === null) return `${name}: its bytes stay from run to run`;
  const next = commentText(from);
  return how === 'shared'
    ? `${name}: each run leaves ${next} in its place`
    : `${name}: ${next} is to be copied there after each run`;
}
