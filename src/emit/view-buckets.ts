/** The view of buckets: which sizes each is for, and where its inputs and outputs lie. */
import type { Plan, PlanTensor } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { cNames } from './identifiers.ts';
import { unsigned } from './literals.ts';
import { sizesText } from './prose.ts';
import type { BucketsView, RegionView } from './view-types.ts';

/** Null for a plan without buckets. */
export function bucketsView(
  plan: Plan,
  P: string,
  regionOf: ReadonlyMap<string, RegionView>,
  tensorMacro: (tensor: PlanTensor) => string,
): BucketsView | null {
  const { buckets } = plan;
  if (buckets === undefined) return null;
  const names = buckets[0]!.sizes.map(({ name }) => name);
  const fields = cNames(names).map((c) => `dim_${c}`);
  const holds = fields.map((field) => `${field} <= ${P.toLowerCase()}_buckets[i].${field}`);
  const places = (model: number, ports: readonly string[]): readonly string[] =>
    ports.map((name) => placeOf(plan, { model, name }, { P, regionOf, tensorMacro }));
  return {
    count: unsigned(buckets.length),
    dims: fields.map((field, i) => ({ field, about: commentText(names[i]!) })),
    parameters: fields.map((field) => `uint32_t ${field}`).join(', '),
    holds: fields.length === 1 ? holds[0]! : holds.map((one) => `(${one})`).join(' && '),
    list: plan.models.map((model, i) => ({
      macro: `${model.cPrefix}_BUCKET`,
      p: model.cPrefix.toLowerCase(),
      index: unsigned(i),
      about: commentText(sizesText(buckets[i]!)),
      sizes: buckets[i]!.sizes.map(({ size }) => unsigned(size)).join(', '),
      firstStep: `${model.cPrefix}_FIRST_STEP`,
      stepCount: `${model.cPrefix}_STEP_COUNT`,
      firstTensor: unsigned(plan.tensors.findIndex((tensor) => tensor.model === i)),
      tensorCount: unsigned(plan.tensors.filter((tensor) => tensor.model === i).length),
      inputs: places(i, model.inputs),
      outputs: places(i, model.outputs),
    })),
    anyInputs: plan.models[0]!.inputs.length > 0,
    anyOutputs: plan.models[0]!.outputs.length > 0,
    inputCount: unsigned(plan.models[0]!.inputs.length),
    outputCount: unsigned(plan.models[0]!.outputs.length),
  };
}

/** Offset, size and region of a graph input or output: a row of the C type. */
function placeOf(
  { tensors, constants }: Plan,
  at: { readonly model: number; readonly name: string },
  names: {
    readonly P: string;
    readonly regionOf: ReadonlyMap<string, RegionView>;
    readonly tensorMacro: (tensor: PlanTensor) => string;
  },
): string {
  const is = (one: { readonly model: number; readonly name: string }) =>
    one.model === at.model && one.name === at.name;
  const tensor = tensors.find(is);
  if (tensor === undefined || tensor.region === null) {
    const bytes = tensor?.bytes ?? constants.find(is)?.bytes ?? 0;
    return `0u, ${unsigned(bytes)}, ${names.P}_NO_REGION`;
  }
  const macro = names.tensorMacro(tensor);
  return `${macro}_OFFSET, ${macro}_SIZE, ${names.regionOf.get(tensor.region)!.indexMacro}`;
}
