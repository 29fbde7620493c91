/** Looks plans up by name: what the other checks stand on. */
import type { Plan, PlanBuffer, PlanStep, PlanTensor } from '../plan/types.ts';

/** Tensors and buffers of a plan by the names that its steps use. */
export interface Index {
  readonly plan: Plan;
  /** Steps, or 1 for a plan without any: live ranges end at or before it. */
  readonly end: number;
  readonly tensor: (model: number, name: string) => PlanTensor | undefined;
  readonly buffer: (id: number) => PlanBuffer | undefined;
  /** The tensors that say they lie in a buffer. */
  readonly members: (buffer: number) => readonly PlanTensor[];
  /** Following `aliasOf` from the tensor comes to no end. */
  readonly inRing: (tensor: PlanTensor) => boolean;
  /** One past the last step of the bodies of the control-flow node at `step`; `step + 1` for any other node. */
  readonly bodiesEnd: (step: number) => number;
  /** The step that writes a tensor, or whose scratch it is; -1 for what is there before the first; undefined when nothing writes it. */
  readonly writer: (tensor: PlanTensor) => number | undefined;
  readonly isOutput: (tensor: PlanTensor) => boolean;
  readonly isInput: (tensor: PlanTensor) => boolean;
  /** Must still be there after the last step. */
  readonly survives: (tensor: PlanTensor) => boolean;
}

export function indexPlan(plan: Plan): Index {
  const tensors = perModel<PlanTensor>();
  for (const tensor of plan.tensors) tensors.of(tensor.model).set(tensor.name, tensor);
  const ends = plan.steps.map((_, step) => bodiesEnd(plan.steps, step));
  const buffers = new Map(plan.buffers.map((buffer) => [buffer.id, buffer]));
  const members = new Map<number | null, PlanTensor[]>();
  for (const tensor of plan.tensors) {
    const known = members.get(tensor.buffer);
    if (known === undefined) members.set(tensor.buffer, [tensor]);
    else known.push(tensor);
  }
  const inputs = plan.models.map((model) => new Set(model.inputs));
  const outputs = plan.models.map((model) => new Set(model.outputs));
  const writers = perModel<number>();
  for (const { step, model, writes, scratch = [] } of plan.steps) {
    const written = writers.of(model);
    for (const names of [writes, scratch]) {
      for (const name of names) if (!written.has(name)) written.set(name, step);
    }
  }
  const { preserveInputs, asyncIo, keep } = plan.assumptions;
  const kept = new Set(keep);
  const isInput = ({ model, name }: PlanTensor): boolean => inputs[model]?.has(name) === true;
  const isOutput = ({ model, name }: PlanTensor): boolean => outputs[model]?.has(name) === true;
  return {
    plan,
    end: Math.max(1, plan.steps.length),
    tensor: tensors.get,
    buffer: (id) => buffers.get(id),
    inRing: ringFinder(({ model, aliasOf }) => tensors.get(model, aliasOf ?? '')),
    bodiesEnd: (step) => ends[step]!,
    members: (buffer) => members.get(buffer) ?? [],
    writer: (tensor) =>
      isInput(tensor) || tensor.role === 'state' ? -1 : writers.get(tensor.model, tensor.name),
    isInput,
    isOutput,
    survives: (tensor) =>
      isOutput(tensor) || kept.has(tensor.name) || ((preserveInputs || asyncIo) && isInput(tensor)),
  };
}

/** Values by model and name: names are unique within a model. */
function perModel<T>() {
  const maps: Map<string, T>[] = [];
  return {
    get: (model: number, name: string): T | undefined => maps[model]?.get(name),
    of: (model: number): Map<string, T> => (maps[model] ??= new Map()),
  };
}

function bodiesEnd(steps: readonly PlanStep[], step: number): number {
  const { model, path } = steps[step]!;
  let end = step + 1;
  while (end < steps.length && steps[end]!.model === model && isDeeper(steps[end]!.path, path)) end++;
  return end;
}

/** True when `inner` belongs to a body that was entered at a step with path `outer`. */
export function isDeeper(inner: string, outer: string): boolean {
  return outer === '' ? inner !== '' : inner.startsWith(`${outer}/`);
}

/** Remembers what has an end, so that long chains are followed once. */
function ringFinder(next: (tensor: PlanTensor) => PlanTensor | undefined): (tensor: PlanTensor) => boolean {
  const ending = new Set<PlanTensor>();
  return (tensor) => {
    const path = new Set<PlanTensor>();
    let at: PlanTensor | undefined = tensor;
    for (; at !== undefined && !ending.has(at); at = at.aliasOf === null ? undefined : next(at)) {
      if (path.has(at)) return true;
      path.add(at);
    }
    for (const passed of path) ending.add(passed);
    return false;
  };
}
