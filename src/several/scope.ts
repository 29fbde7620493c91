/** Shares the options that name dimensions, inputs, nodes and tensors out among the models that have them. */
import { fail } from '../errors.ts';
import { symbolsOf } from '../graph/dims.ts';
import type { Graph, Node } from '../graph/types.ts';
import { ruleText } from '../place/rule-types.ts';
import type { PlanRequest } from '../plan/request.ts';
import { type Called, labelOf, qualified } from './names.ts';

export interface ScopedModel extends Called {
  readonly graph: Graph;
}

/**
 * The request of each model. An option counts for every model that has what it names, a dimension or an input; a node
 * or tensor must be meant in one model alone: `kws:conv1` says which. What no model has stays with the first, where it
 * is a fault. Throws E_USAGE for a name that several models have.
 */
export function scopeRequests(request: PlanRequest, models: readonly ScopedModel[]): readonly PlanRequest[] {
  const { bindings } = request;
  const dims = share(models, bindings.dims, has(dimensionsOf));
  const ranges = share(models, bindings.ranges ?? new Map(), has(dimensionsOf));
  const maxSizes = share(models, bindings.maxSizes ?? new Map(), has(tensorsOf), '--max-size');
  const inputs = share(models, bindings.inputShapes, has(inputsOf));
  const shapes = share(models, bindings.opShapes, has(nodesOf), '--op-shape');
  const scratch = share(models, request.scratch, has(nodesOf), '--scratch');
  const keep = share(models, new Map(request.keep.map((name) => [name, true])), has(tensorsOf), '--keep');
  const rules = request.rules.map((rule) =>
    share(models, new Map([[rule.tensor, rule]]), has(tensorsOf), ruleText(rule).split(' ')[0]),
  );
  const states = shareStates(models, request.states);
  return models.map((_, i) => ({
    ...request,
    rules: rules.flatMap((shares) => [...shares[i]!].map(([tensor, rule]) => ({ ...rule, tensor }))),
    bindings: {
      ...bindings,
      ...{ dims: dims[i]!, ranges: ranges[i]!, maxSizes: maxSizes[i]! },
      ...{ inputShapes: inputs[i]!, opShapes: shapes[i]! },
    },
    scratch: scratch[i]!,
    keep: [...keep[i]!.keys()],
    states: states[i]!,
  }));
}

type Has = (model: ScopedModel, name: string) => boolean;

/** `flag`: the name must be meant in one model alone. */
function share<T>(
  models: readonly ScopedModel[],
  entries: ReadonlyMap<string, T>,
  has: Has,
  flag?: string,
): readonly ReadonlyMap<string, T>[] {
  const shares = models.map(() => new Map<string, T>());
  for (const [text, value] of entries) {
    const plain = models.flatMap((model, at) => (has(model, text) ? [{ model: at, name: text }] : []));
    const owned = qualified(models, text).filter(({ model, name }) => has(models[model]!, name));
    const found = [...owned, ...plain];
    if (flag !== undefined && found.length > 1) {
      const called = (i: number) => `${labelOf(models, found[i]!.model)}:${found[i]!.name}`;
      const hint = `${flag} ${called(0)}, or ${called(1)}`;
      fail('E_USAGE', `${flag} ${text}: several models have one of this name.`, { hint });
    }
    // What is said of one model goes before what is said of all.
    for (const { model, name } of plain) if (!shares[model]!.has(name)) shares[model]!.set(name, value);
    for (const { model, name } of owned) shares[model]!.set(name, value);
    if (found.length === 0) shares[0]!.set(text, value);
  }
  return shares;
}

/** Looks a name up in what a graph has, which is collected once. */
function has(collect: (graph: Graph) => Iterable<string>): Has {
  const known = new Map<Graph, ReadonlySet<string>>();
  return ({ graph }, name) => {
    const names = known.get(graph) ?? new Set(collect(graph));
    known.set(graph, names);
    return names.has(name);
  };
}

function dimensionsOf({ tensors }: Graph): readonly string[] {
  return tensors.flatMap(({ declared }) => (declared?.shape ?? []).flatMap((dim) => [...symbolsOf(dim)]));
}

function inputsOf({ inputs, tensors }: Graph): readonly string[] {
  return inputs.map((tensor) => tensors[tensor]!.name);
}

function tensorsOf({ tensors }: Graph): readonly string[] {
  return tensors.map(({ name }) => name);
}

function nodesOf({ nodes }: Graph): readonly string[] {
  const all = (list: readonly Node[]): readonly Node[] =>
    list.flatMap((node) => [node, ...node.bodies.flatMap((body) => all(body.nodes))]);
  return all(nodes).flatMap(({ label, index }) => [label, `#${index}`]);
}

/** `kws:h_next=h` and `kws:h_next=kws:h` mean one thing. */
function shareStates(
  models: readonly ScopedModel[],
  states: PlanRequest['states'],
): readonly PlanRequest['states'][] {
  const hasTensor = has(tensorsOf);
  const find = (text: string) => [
    ...qualified(models, text).filter(({ model, name }) => hasTensor(models[model]!, name)),
    ...models.flatMap((one, model) => (hasTensor(one, text) ? [{ model, name: text }] : [])),
  ];
  const shares = models.map((): PlanRequest['states'][number][] => []);
  for (const { tensor, from } of states) {
    const places = find(tensor);
    const both =
      from === undefined
        ? places.map(({ model, name }) => ({ model, state: { tensor: name, from } }))
        : find(from).flatMap((made) =>
            places
              .filter(({ model }) => model === made.model)
              .map(({ model, name }) => ({ model, state: { tensor: name, from: made.name } })),
          );
    const [first, second] = both;
    const text = from === undefined ? tensor : `${from}=${tensor}`;
    if (second !== undefined)
      fail('E_USAGE', `--state ${text}: several models have one of this name.`, {
        hint: `--state ${labelOf(models, first!.model)}:${text}, or ${labelOf(models, second.model)}:${text}`,
      });
    shares[first?.model ?? 0]!.push(first?.state ?? { tensor, from });
  }
  return shares;
}
