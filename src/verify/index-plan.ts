/** Looks plans up by name: what the other checks stand on. */
import type {
  Assumptions,
  Plan,
  PlanBuffer,
  PlanConstant,
  PlanStep,
  PlanTensor,
  TensorName,
} from '../plan/types.ts';
import { type Chains, chainsOf } from './chains.ts';

/** Tensors and buffers of a plan by the names that its steps use. */
export interface Index {
  readonly plan: Plan;
  /** Steps, or 1 for a plan without any: live ranges end at or before it. */
  readonly end: number;
  readonly tensor: (model: number, name: string) => PlanTensor | undefined;
  readonly buffer: (id: BufferId) => PlanBuffer | undefined;
  /** The tensor whose bytes it shares, according to `aliasOf`. */
  readonly source: (tensor: PlanTensor) => PlanTensor | undefined;
  /** The tensors that say they lie in a buffer. */
  readonly members: (buffer: number) => readonly PlanTensor[];
  /** The weights that say their copy lies in a buffer. */
  readonly copied: (buffer: number) => readonly PlanConstant[];
  /** The steps that read the copy of a weight. */
  readonly readers: (weight: PlanConstant) => readonly PlanStep[];
  /** Following `aliasOf` from the tensor comes to no end. */
  readonly inRing: (tensor: PlanTensor) => boolean;
  readonly uses: (step: number) => Uses;
  /** Names in steps that are not in the plan. */
  readonly strangers: readonly { readonly step: PlanStep; readonly name: TensorName['tensor'] }[];
  /** One past the last step of the bodies of the control-flow node at `step`; `step + 1` for any other node. */
  readonly bodiesEnd: (step: number) => number;
  /**
   * The step that writes a tensor, or whose scratch it is; the one before the first of its model for what is there when
   * the model starts; undefined when nothing writes it.
   */
  readonly writer: (tensor: PlanTensor) => number | undefined;
  readonly chains: Chains;
  readonly isOutput: (tensor: PlanTensor) => boolean;
  readonly isInput: (tensor: PlanTensor) => boolean;
  /** Must still be there after the last step of its model. */
  readonly survives: (tensor: PlanTensor) => boolean;
  /** Must still be there after other models of its part have run. */
  readonly stays: (tensor: PlanTensor) => boolean;
  /** How a tensor is kept from run to run: as a state, or as the new value that a run makes of one. */
  readonly state: (tensor: PlanTensor) => 'shared' | 'copied' | 'kept' | 'new' | undefined;
  /** Steps [first, end) of its own model before it is made anew: what was held of the last run may go then. */
  readonly mayForget: (tensor: PlanTensor, first: number, end: number) => boolean;
  /** The tensor that is handed over as this input. */
  readonly handed: (input: PlanTensor) => PlanTensor | undefined;
  /** The first step of the last model that is handed the tensor, or undefined. */
  readonly handedAt: (tensor: PlanTensor) => number | undefined;
  /** The steps of a model, and of the models that it takes turns with. */
  readonly stretch: (model: number) => Stretch;
  readonly part: (model: number) => PartStretch;
  /** What holds for a model. */
  readonly assumptions: (model: number) => Assumptions;
}

/** As tensors and weights name their buffer; of those that have none nothing is found. */
type BufferId = number | null | undefined;

/** Steps [first, end). */
export interface Stretch {
  readonly first: number;
  readonly end: number;
}

export interface PartStretch extends Stretch {
  readonly models: readonly number[];
  readonly order: 'any' | 'sequence';
}

/** The tensors that a step names, each looked up once; what is not in the plan is left out. */
export interface Uses {
  readonly reads: readonly PlanTensor[];
  readonly writes: readonly PlanTensor[];
  readonly scratch: readonly PlanTensor[];
}

export function indexPlan(plan: Plan): Index {
  const tensors = perModel<PlanTensor>();
  for (const tensor of plan.tensors) tensors.of(tensor.model).set(tensor.name, tensor);
  const strangers: Index['strangers'][number][] = [];
  const uses = plan.steps.map((step): Uses => {
    const { model, reads, writes, scratch = NOTHING } = step;
    const found = (names: readonly string[]): readonly PlanTensor[] => {
      if (names.length === 0) return NOTHING;
      const named = names.map((name) => tensors.get(model, name));
      if (named.every(isThere)) return named;
      named.forEach((tensor, at) => {
        if (tensor === undefined) strangers.push({ step, name: names[at]! });
      });
      return named.filter(isThere);
    };
    return { reads: found(reads), writes: found(writes), scratch: found(scratch) };
  });
  const ends = plan.steps.map((_, step) => bodiesEnd(plan.steps, step));
  const buffers = new Map<BufferId, PlanBuffer>(plan.buffers.map((buffer) => [buffer.id, buffer]));
  const members = new Map<number | null, PlanTensor[]>();
  for (const tensor of plan.tensors) listed(members, tensor.buffer).push(tensor);
  const inputs = plan.models.map((model) => new Set(model.inputs));
  const outputs = plan.models.map((model) => new Set(model.outputs));
  const writers = perModel<number>();
  for (const { step, model, writes, scratch = [] } of plan.steps) {
    const written = writers.of(model);
    for (const names of [writes, scratch]) {
      for (const name of names) if (!written.has(name)) written.set(name, step);
    }
  }
  const assumed = plan.models.map((model) => ({ ...plan.assumptions, ...model.assumptions }));
  const assumptions = (model: number): Assumptions => assumed[model] ?? plan.assumptions;
  const kept = assumed.map(({ keep }) => new Set(keep));
  const isInput = ({ model, name }: PlanTensor): boolean => inputs[model]?.has(name) === true;
  const isOutput = ({ model, name }: PlanTensor): boolean => outputs[model]?.has(name) === true;
  const isPort = (tensor: PlanTensor): boolean => isInput(tensor) || isOutput(tensor);
  const { stretch, part } = stretchesOf(plan);
  const sharing = sharingOf(plan, stretch);
  const states = statesIn(plan);
  const source = ({ model, aliasOf }: PlanTensor): PlanTensor | undefined => tensors.get(model, aliasOf);
  const writer = (tensor: PlanTensor): number | undefined =>
    isInput(tensor) ? stretch(tensor.model).first - 1 : writers.get(tensor.model, tensor.name);
  return {
    plan,
    end: Math.max(1, plan.steps.length),
    tensor: tensors.get,
    buffer: (id) => buffers.get(id),
    source,
    inRing: ringFinder(source),
    uses: (step) => uses[step]!,
    strangers,
    bodiesEnd: (step) => ends[step]!,
    members: (buffer) => members.get(buffer) ?? [],
    ...weightsOf(plan),
    writer,
    chains: chainsOf({ tensors: plan.tensors, source, writer }),
    isInput,
    isOutput,
    survives: (tensor) => {
      const state = states.get(tensor.model, tensor.name);
      // Of a place that both share the new value is what lasts.
      if (state !== undefined) return state !== 'shared';
      if (isOutput(tensor) || kept[tensor.model]?.has(tensor.name)) return true;
      const { preserveInputs, asyncIo } = assumptions(tensor.model);
      return (preserveInputs || asyncIo) && isInput(tensor);
    },
    state: ({ model, name }) => states.get(model, name),
    mayForget: (tensor, first, end) => {
      if (sharing.holds.get(tensor.model, tensor.name) !== true) return false;
      const own = stretch(tensor.model);
      const born = isInput(tensor) ? own.first : (writers.get(tensor.model, tensor.name) ?? own.first);
      return part(tensor.model).order === 'any' && own.first <= first && end <= born;
    },
    stays: (tensor) =>
      (states.get(tensor.model, tensor.name) ?? 'shared') !== 'shared' ||
      sharing.holds.get(tensor.model, tensor.name) === true ||
      (assumptions(tensor.model).asyncIo && isPort(tensor)),
    handed: (input) => {
      const from = sharing.handed.get(input.model, input.name);
      return from && tensors.get(from.model, from.tensor);
    },
    handedAt: ({ model, name }) => sharing.handedAt.get(model, name),
    ...{ stretch, part, assumptions },
  };
}

const NOTHING: readonly never[] = [];

function weightsOf({ constants, steps }: Plan): Pick<Index, 'copied' | 'readers'> {
  const copied = new Map<BufferId, PlanConstant[]>();
  for (const constant of constants) {
    if (constant.buffer !== undefined) listed(copied, constant.buffer).push(constant);
  }
  const readers = perModel<PlanStep[]>();
  for (const step of steps) {
    for (const name of step.weights ?? NOTHING) listed(readers.of(step.model), name).push(step);
  }
  return {
    copied: (buffer) => copied.get(buffer) ?? NOTHING,
    readers: ({ model, name }) => readers.get(model, name) ?? NOTHING,
  };
}

/** The list of a key, which begins empty. */
function listed<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: V[] = [];
  lists.set(key, list);
  return list;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** A single model has the whole axis. */
function stretchesOf({ steps, models, run }: Plan): Pick<Index, 'stretch' | 'part'> {
  const end = Math.max(1, steps.length);
  const own = models.map((_, model): Stretch => {
    if (run === undefined) return { first: 0, end };
    const first = steps.find((step) => step.model === model)?.step ?? 0;
    return { first, end: (steps.findLast((step) => step.model === model)?.step ?? 0) + 1 };
  });
  const stretch = (model: number): Stretch => own[model] ?? { first: 0, end };
  const parts = run?.parts ?? [{ models: models.map((_, model) => model), order: 'any' as const }];
  const partOf = new Map<number, PartStretch>();
  for (const { models: inside, order } of parts) {
    const first = inside.reduce((least, model) => Math.min(least, stretch(model).first), end);
    const last = inside.reduce((most, model) => Math.max(most, stretch(model).end), 0);
    for (const model of inside) partOf.set(model, { models: inside, order, first, end: last });
  }
  return {
    stretch,
    part: (model) => partOf.get(model) ?? { models: [model], order: 'any', ...stretch(model) },
  };
}

/** The new value of a copied state is an output like any other. */
function statesIn(plan: Plan) {
  const states = perModel<'shared' | 'copied' | 'kept' | 'new'>();
  for (const { model, tensor, from, how } of plan.states ?? []) {
    states.of(model).set(tensor, how);
    if (how === 'shared' && from !== tensor) states.of(model).set(from, 'new');
  }
  return states;
}

function sharingOf({ run }: Plan, stretch: Index['stretch']) {
  const holds = perModel<boolean>();
  const handed = perModel<TensorName>();
  const handedAt = perModel<number>();
  for (const { model, tensor } of run?.holds ?? []) holds.of(model).set(tensor, true);
  for (const { from, to } of run?.links ?? []) {
    handed.of(to.model).set(to.tensor, from);
    const known = handedAt.get(from.model, from.tensor) ?? 0;
    handedAt.of(from.model).set(from.tensor, Math.max(known, stretch(to.model).first));
  }
  return { holds, handed, handedAt };
}

/** Values by model and name: names are unique within a model, and nothing has the name null. */
function perModel<T>() {
  const maps: Map<string | null, T>[] = [];
  return {
    get: (model: number, name: string | null): T | undefined => maps[model]?.get(name),
    of: (model: number): Map<string | null, T> => (maps[model] ??= new Map()),
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
    for (; at !== undefined && !ending.has(at); at = next(at)) {
      if (path.has(at)) return true;
      path.add(at);
    }
    for (const passed of path) ending.add(passed);
    return false;
  };
}
