/** Names that are unique in a plan of several models: `kws:conv1`, as users type them. */
import type { Plan, PlanBody, PlanStep } from './types.ts';

type Named = Pick<Plan, 'models' | 'steps' | 'tensors' | 'buffers' | 'constants' | 'peak' | 'assumptions'> &
  Partial<Pick<Plan, 'run' | 'declined' | 'states'>>;

const known = new WeakMap<object, object>();

/**
 * The plan with every tensor and node called after its model as well, so that a name alone says what is meant: for
 * reports, which look things up by name. A plan of one model is returned as it is.
 */
export function qualified<T extends Named>(plan: T): T {
  if (plan.models.length < 2) return plan;
  const done = (known.get(plan) as T | undefined) ?? renamed(plan);
  known.set(plan, done);
  // Asked again, it stays as it is.
  known.set(done, done);
  return done;
}

/** The files of a plan: of buckets the one that all of them are. */
export function modelFiles({ models, buckets }: Pick<Plan, 'models' | 'buckets'>): readonly string[] {
  return buckets === undefined ? models.map(({ file }) => file) : [models[0]!.file];
}

/** The name of a model where no other is called so, else its place. */
export function modelLabel({ models }: Pick<Plan, 'models'>, index: number): string {
  const { name } = models[index]!;
  return models.filter((other) => other.name === name).length === 1 ? name : `#${index}`;
}

function renamed<T extends Named>(plan: T): T {
  const labels = plan.models.map((_, index) => modelLabel(plan, index));
  const one = (model: number, name: string): string => `${labels[model]}:${name}`;
  const all = (model: number, names: readonly string[]) => names.map((name) => one(model, name));
  const body = (model: number, { path, inputs, outputs }: PlanBody): PlanBody => {
    return { path, inputs: all(model, inputs), outputs: all(model, outputs) };
  };
  const step = ({ bodies, scratch, ...rest }: PlanStep): PlanStep => ({
    ...rest,
    node: one(rest.model, rest.node),
    fused: all(rest.model, rest.fused),
    reads: all(rest.model, rest.reads),
    writes: all(rest.model, rest.writes),
    ...(bodies && { bodies: bodies.map((inner) => body(rest.model, inner)) }),
    ...(scratch && { scratch: all(rest.model, scratch) }),
  });
  return {
    ...plan,
    models: plan.models.map((model, i) => ({
      ...model,
      inputs: all(i, model.inputs),
      outputs: all(i, model.outputs),
    })),
    steps: plan.steps.map(step),
    tensors: plan.tensors.map((tensor) => ({
      ...tensor,
      name: one(tensor.model, tensor.name),
      aliasOf: tensor.aliasOf === null ? null : one(tensor.model, tensor.aliasOf),
    })),
    buffers: plan.buffers.map((buffer) => ({
      ...buffer,
      tensors: buffer.tensors.map((name, i) => one(buffer.models?.[i] ?? 0, name)),
    })),
    constants: plan.constants.map((constant) => ({ ...constant, name: one(constant.model, constant.name) })),
    peak: {
      ...plan.peak,
      tensors: plan.peak.tensors.map((name, i) => one(plan.peak.models?.[i] ?? 0, name)),
    },
    ...(plan.run && {
      run: {
        ...plan.run,
        holds: plan.run.holds.map(({ model, tensor }) => ({ model, tensor: one(model, tensor) })),
        links: plan.run.links.map(({ from, to }) => ({
          from: { ...from, tensor: one(from.model, from.tensor) },
          to: { ...to, tensor: one(to.model, to.tensor) },
        })),
      },
    }),
    ...(plan.states && {
      states: plan.states.map((state) => ({
        ...state,
        tensor: one(state.model, state.tensor),
        from: state.from === null ? null : one(state.model, state.from),
      })),
    }),
    ...(plan.declined && {
      declined: plan.declined.map((sharing) => ({
        ...sharing,
        tensor: one(sharing.model, sharing.tensor),
        source: one(sharing.model, sharing.source),
        blocker: sharing.blocker === null ? null : one(sharing.model, sharing.blocker),
      })),
    }),
    assumptions: {
      ...plan.assumptions,
      keep: plan.models.flatMap(({ assumptions }, i) => all(i, assumptions?.keep ?? plan.assumptions.keep)),
    },
  };
}
