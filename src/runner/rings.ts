/** Inputs with several places (--buffers), of which a run reads the current one. */
import type { Plan } from '../plan/types.ts';

export interface Ring {
  /** `KWS_INPUT_0` */
  readonly macro: string;
  readonly region: string;
  /** C: bytes from the first place to the current one. */
  readonly shift: string;
}

/** By buffer, which the input shares with its views alone: they move along with it. */
export function ringsOf(plan: Plan, model: number): ReadonlyMap<number | null, Ring> {
  const { cPrefix, inputs } = plan.models[model]!;
  return new Map(
    (plan.states ?? []).flatMap((state) => {
      if (state.model !== model || state.places === undefined) return [];
      const tensor = plan.tensors.find((one) => one.model === model && one.name === state.tensor)!;
      const position = inputs.indexOf(state.tensor);
      const macro = `${cPrefix}_INPUT_${position}`;
      const shift = `((size_t)${cPrefix.toLowerCase()}_input_${position}_at * ${macro}_STRIDE)`;
      return [[tensor.buffer, { macro, region: tensor.region!, shift }] as const];
    }),
  );
}
