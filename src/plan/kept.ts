/** Why tensors stay: `assumptions.keep` holds what --keep names and what states keep alike. */
import type { Plan } from './types.ts';

type Kept = Pick<Plan, 'assumptions' | 'states'>;

/** Tensors that stay because --keep says so. */
export function keptByName({ assumptions: { keep }, states = [] }: Kept): readonly string[] {
  const others = new Set(states.flatMap(({ tensor, from }) => [tensor, ...(from === null ? [] : [from])]));
  return keep.filter((name) => !others.has(name));
}

/** Values that are kept from run to run (--state), and what a run makes of them. */
export function keptAsState({ states = [] }: Kept): readonly string[] {
  return states
    .filter(({ places }) => places === undefined)
    .flatMap(({ tensor, from }) => [tensor, ...(from === null ? [] : [from])]);
}

/** Inputs with several places (--buffers). */
export function keptInPlaces({
  states = [],
}: Kept): readonly { readonly tensor: string; readonly places: number }[] {
  return states.flatMap(({ tensor, places }) => (places === undefined ? [] : [{ tensor, places }]));
}
