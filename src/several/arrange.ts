/** Which models take turns, which run at the same time, and what they hand over and hold. */
import { diagnostic, fail, MemplanError } from '../errors.ts';
import type { Graph } from '../graph/types.ts';
import type { Model } from '../model/types.ts';
import type { PlanRequest } from '../plan/request.ts';
import type { PlanBucket } from '../plan/types.ts';
import { inBuckets } from './buckets.ts';
import { findModel, findTensor, type NamedModel } from './names.ts';
import { scopeRequests } from './scope.ts';
import type { Link, Part, TensorAt } from './types.ts';

/** Models in the order in which they stand on the axis of steps: those of a part side by side. */
export interface Arranged {
  readonly models: readonly {
    readonly model: Model;
    /** With the options that are meant for this model, and the tensors to keep for others. */
    readonly request: PlanRequest;
    /** Place among the models of the request. */
    readonly given: number;
  }[];
  readonly parts: readonly Part[];
  /** Tensors by index in the graphs as they were read. */
  readonly holds: readonly TensorAt[];
  readonly links: readonly Link[];
  /** One for each model, with --bucket. */
  readonly buckets?: readonly PlanBucket[];
}

/** Throws E_USAGE for names that no model or several have, and E_RULE for what contradicts the order of the models. */
export function arrangeModels(read: readonly Model[], request: PlanRequest): Arranged {
  if (request.buckets.length > 0) return bucketed(read, request);
  if (read.length === 1) return single(read[0]!, request);
  const groups = groupsOf(read, request);
  const order = groups.flatMap(({ models }) => models);
  const models = order.map((given) => read[given]!);
  const named = models.map(({ name, graph }, i) => ({
    ...{ name, graph, given: order[i]! },
    tensors: indexesOf(graph),
  }));
  const parts = groups.map(({ models, ...part }) => ({
    ...part,
    models: models.map((m) => order.indexOf(m)),
  }));
  const holds = request.hold.map((text) => holdOf(text, models, named));
  const links = linksOf(request.link, models, named, parts);
  const keeps = keptFor(holds, links, models, () => false);
  return {
    models: scopeRequests(request, named).map((own, i) => ({
      model: models[i]!,
      request: { ...own, keep: [...new Set([...own.keep, ...(keeps[i] ?? [])])] },
      given: order[i]!,
    })),
    ...{ parts, holds, links },
  };
}

function single(model: Model, request: PlanRequest): Arranged {
  refuseSeveral(request);
  const parts = [{ models: [0], order: 'any' as const }];
  return { models: [{ model, request, given: 0 }], parts, holds: [], links: [] };
}

/** One model for several sizes: each is a model of its own, and they take turns. */
function bucketed(read: readonly Model[], request: PlanRequest): Arranged {
  refuseSeveral(request);
  const models = inBuckets(read, request);
  return {
    models: models.map(({ model, request: own }, given) => ({ model, request: own, given })),
    parts: [{ models: models.map((_, i) => i), order: 'any' }],
    ...{ holds: [], links: [], buckets: models.map(({ bucket }) => bucket) },
  };
}

/** Throws E_USAGE for options that speak of several models. */
function refuseSeveral(request: PlanRequest): void {
  const faults = Object.entries({ hold: request.hold, link: request.link, group: request.group })
    .filter(([, texts]) => texts.length > 0)
    .map(([option]) =>
      diagnostic('E_USAGE', `--${option} says how several models share bytes; there is only one.`, {
        hint: `memplan a.onnx b.onnx --${option} ...`,
      }),
    );
  const [first, ...others] = faults;
  if (first !== undefined) throw new MemplanError([first, ...others]);
}

/** Parts by place among the given models. Models that no --group names are parts of their own. */
function groupsOf(read: readonly Model[], { run, group }: PlanRequest): readonly Part[] {
  const all = read.map((_, i) => i);
  if (run === 'exclusive' || run === 'joint') {
    if (group.length > 0)
      fail('E_USAGE', `--group divides models that run at the same time; with --run ${run} none do.`, {
        hint: '--run concurrent',
      });
    return [{ models: all, order: run === 'joint' ? 'sequence' : 'any' }];
  }
  const called = read.map(({ name }, given) => ({ name, given }));
  const seen = new Set<number>();
  const groups = group.map((text): Part => {
    const [, kind = 'exclusive', list = ''] = /^(?:(exclusive|joint):)?(.*)$/s.exec(text)!;
    const models = list.split(',').map((name) => findModel('--group', called, name.trim()));
    const twice = models.find((model, i) => seen.has(model) || models.indexOf(model) !== i);
    if (twice !== undefined) fail('E_USAGE', `--group: ${read[twice]!.name} is named twice.`);
    for (const model of models) seen.add(model);
    return { models, order: kind === 'joint' ? 'sequence' : 'any' };
  });
  const others = all.filter((model) => !seen.has(model));
  return [...groups, ...others.map((model): Part => ({ models: [model], order: 'any' }))].sort(
    (a, b) => a.models[0]! - b.models[0]!,
  );
}

function indexesOf({ tensors }: Graph): ReadonlyMap<string, number> {
  return new Map(tensors.map(({ name }, index) => [name, index]));
}

function holdOf(text: string, models: readonly Model[], named: readonly NamedModel[]): TensorAt {
  const at = findTensor('--hold', named, text);
  const { constant, name } = models[at.model]!.graph.tensors[at.tensor]!;
  return constant === undefined
    ? at
    : fail('E_USAGE', `--hold ${text}: a constant keeps its bytes anyway.`, { tensor: name });
}

/** `det:boxes=rec:rois`: names may hold = themselves, so every = is tried from the right. */
function linksOf(
  texts: readonly string[],
  models: readonly Model[],
  named: readonly NamedModel[],
  parts: readonly Part[],
): readonly Link[] {
  const filled = new Set<string>();
  return texts.map((text) => {
    const { from, to } = linkOf(text, named);
    const target = models[to.model]!.graph;
    const { name } = target.tensors[to.tensor]!;
    if (!target.inputs.includes(to.tensor) || target.tensors[to.tensor]!.constant !== undefined)
      fail('E_RULE', `--link ${text}: ${name} is no input of ${models[to.model]!.name}.`, { tensor: name });
    if (models[from.model]!.graph.tensors[from.tensor]!.constant !== undefined)
      fail('E_RULE', `--link ${text}: a constant lies in no buffer.`, { hint: 'Copy it.' });
    const key = `${to.model}:${to.tensor}`;
    if (filled.has(key)) fail('E_RULE', `--link ${text}: ${name} is filled twice.`, { tensor: name });
    filled.add(key);
    const part = parts.find((one) => one.models.includes(from.model))!;
    if (part.order !== 'sequence' || !part.models.includes(to.model) || from.model >= to.model) {
      const why = `${models[from.model]!.name} does not run before ${models[to.model]!.name} in a fixed order`;
      fail('E_RULE', `--link ${text}: ${why}.`, {
        hint: '--run joint, and the models in the order in which they run',
      });
    }
    return { from, to };
  });
}

function linkOf(text: string, named: readonly NamedModel[]): Link {
  const has = (name: string): boolean => {
    try {
      findTensor('--link', named, name);
      return true;
    } catch {
      return false;
    }
  };
  for (let at = text.lastIndexOf('='); at > 0; at = text.lastIndexOf('=', at - 1)) {
    const [from, to] = [text.slice(0, at), text.slice(at + 1)];
    if (has(from) && has(to))
      return { from: findTensor('--link', named, from), to: findTensor('--link', named, to) };
  }
  const at = text.lastIndexOf('=');
  // One of the two throws, and says what is wrong with the name.
  return {
    from: findTensor('--link', named, text.slice(0, Math.max(at, 0))),
    to: findTensor('--link', named, text.slice(at + 1)),
  };
}

/** Whether two tensors of one model may have a byte in common. */
export type Shares = (model: number, a: string, b: string) => boolean;

/**
 * The models with what they must keep for others besides, once it is known which tensors share bytes: a model that is
 * handed one of them may not write over it while another is held or handed to a later model.
 */
export function withKeeps(arranged: Arranged, shares: Shares): Arranged {
  const { holds, links } = arranged;
  const keeps = keptFor(
    holds,
    links,
    arranged.models.map(({ model }) => model),
    shares,
  );
  return {
    ...arranged,
    models: arranged.models.map((one, i) => ({
      ...one,
      request: { ...one.request, keep: [...new Set([...one.request.keep, ...keeps[i]!])] },
    })),
  };
}

/**
 * By model, names of tensors whose bytes must last to the end of its run: what is held or handed over without being an
 * output, and inputs that received what a still later model reads or what is held.
 */
function keptFor(
  holds: readonly TensorAt[],
  links: readonly Link[],
  models: readonly Model[],
  shares: Shares,
): readonly (readonly string[])[] {
  const kept = models.map((): string[] => []);
  const nameOf = ({ model, tensor }: TensorAt) => models[model]!.graph.tensors[tensor]!.name;
  const keep = (at: TensorAt): void => {
    if (!models[at.model]!.graph.outputs.includes(at.tensor)) kept[at.model]!.push(nameOf(at));
  };
  const wanted = [...holds, ...links.flatMap(({ from, to }) => [from, to])];
  /** What is handed on from model to model, and what shares its bytes, is one thing, called after the first. */
  const origins = new Map(wanted.map((at) => [keyOf(at), keyOf(at)]));
  const join = (a: TensorAt, b: TensorAt): void => {
    const [from, to] = [origins.get(keyOf(a))!, origins.get(keyOf(b))!];
    for (const [key, origin] of origins) if (origin === to) origins.set(key, from);
  };
  for (const { from, to } of links) join(from, to);
  for (const a of wanted) {
    for (const b of wanted) {
      if (a !== b && a.model === b.model && shares(a.model, nameOf(a), nameOf(b))) join(a, b);
    }
  }
  const originOf = (at: TensorAt) => origins.get(keyOf(at))!;
  const held = new Set(holds.map(originOf));
  for (const at of [...holds, ...links.map(({ from }) => from)]) keep(at);
  for (const { from, to } of links) {
    const origin = originOf(from);
    const later = links.some((other) => originOf(other.from) === origin && other.to.model > to.model);
    if (later || held.has(origin)) keep(to);
  }
  return kept;
}

function keyOf({ model, tensor }: TensorAt): string {
  return `${model}:${tensor}`;
}
