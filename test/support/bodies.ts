/** Cuts the bodies of If, Loop and Scan out of a model, each as a model of its own that a runtime can run. */
import onnxProto, { type onnx } from 'onnx-proto';
import { numberOfType } from '../../src/graph/data-types.ts';
import { isKnown } from '../../src/graph/dims.ts';
import type { Body, Fact, Graph, Node, Scalar, TypedGraph } from '../../src/graph/types.ts';

const { ModelProto } = onnxProto.onnx;

export interface Feed {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
  /** The elements, where inference knew them. */
  readonly values?: readonly string[];
}

export interface CutBody {
  /** As in the names of its tensors: `if_1/then_branch`. */
  readonly path: string;
  readonly model: Uint8Array;
  readonly feeds: readonly Feed[];
  /** What inference said inside the whole model, by the name that the tensor has in the cut model. */
  readonly expected: ReadonlyMap<string, Fact | undefined>;
  /** Why the model cannot be run. */
  readonly obstacle?: string | undefined;
}

/** What a name stands for: a tensor of the graph, or something that is copied into the cut model. */
interface Meaning {
  readonly tensor?: number;
  readonly initializer?: onnx.ITensorProto;
  readonly constant?: onnx.INodeProto;
}

type Facts = TypedGraph['facts'];
type Scope = ReadonlyMap<string, Meaning>;

/** Every body at any depth of the graph that was read from `file`, with the facts that were inferred for it. */
export function cutBodies(file: Uint8Array, graph: Graph, facts: Facts): readonly CutBody[] {
  const proto = ModelProto.decode(file);
  const byName = new Map(graph.tensors.map(({ name }, tensor) => [name, tensor]));
  const top = proto.graph!;
  const inputs = top.input!.map(({ name }) => [name!, { tensor: byName.get(name!)! }] as const);
  const scope = scopeOf(top, graph.nodes, new Map(inputs));
  return bodiesOf(top, graph.nodes, scope).map((found) => cut(found, facts, proto));
}

interface Found {
  readonly body: Body;
  readonly proto: onnx.IGraphProto;
  readonly outer: Scope;
}

function bodiesOf(proto: onnx.IGraphProto, nodes: readonly Node[], scope: Scope): readonly Found[] {
  return nodes.flatMap((node) =>
    node.bodies.flatMap((body) => {
      const inner = proto.node![node.index]!.attribute!.find(({ name }) => name === body.name)!.g!;
      const inputs = inner.input!.map(({ name }, i) => [name!, { tensor: body.inputs[i]! }] as const);
      const within = scopeOf(inner, body.nodes, new Map([...scope, ...inputs]));
      return [{ body, proto: inner, outer: scope }, ...bodiesOf(inner, body.nodes, within)];
    }),
  );
}

/** What the names of a graph mean inside it: its own go before those around it, its initializers before its inputs. */
function scopeOf(proto: onnx.IGraphProto, nodes: readonly Node[], around: Scope): Scope {
  const scope = new Map(around);
  for (const initializer of proto.initializer!) scope.set(initializer.name!, { initializer });
  for (const constant of proto.node!.filter(({ opType }) => opType === 'Constant')) {
    scope.set(constant.output![0]!, { constant });
  }
  for (const [name, tensor] of producedBy(proto, nodes)) scope.set(name, { tensor });
  return scope;
}

/** Names and indexes of what the nodes write. */
function producedBy(proto: onnx.IGraphProto, nodes: readonly Node[]): readonly (readonly [string, number])[] {
  return nodes.flatMap(({ index, outputs }) =>
    outputs.flatMap((tensor, i) =>
      tensor === undefined ? [] : [[proto.node![index]!.output![i]!, tensor] as const],
    ),
  );
}

function cut({ body, proto: asRead, outer }: Found, facts: Facts, whole: onnx.IModelProto): CutBody {
  const proto = withoutBranchInputs(asRead);
  const own = proto.input!.map(({ name }, i): [string, Meaning] => [name!, { tensor: body.inputs[i]! }]);
  const used = [...freeNames(proto)].map((name): [string, Meaning] => [name, outer.get(name) ?? {}]);
  const fed = [...own, ...used].filter(([, { initializer, constant }]) => !initializer && !constant);
  const feeds = fed.map(([name, { tensor }]) =>
    feedOf(name, tensor === undefined ? undefined : facts[tensor]),
  );
  const produced = producedBy(proto, body.nodes);
  const readable = feeds.filter((feed) => typeof feed !== 'string');
  const model = ModelProto.encode({
    ...{ irVersion: whole.irVersion ?? 8, opsetImport: whole.opsetImport ?? [] },
    graph: {
      name: 'body',
      node: [...used.flatMap(([, { constant }]) => constant ?? []), ...proto.node!],
      initializer: [...used.flatMap(([, { initializer }]) => initializer ?? []), ...proto.initializer!],
      sparseInitializer: proto.sparseInitializer ?? [],
      input: readable.map(({ name, type, shape }) => ({
        name,
        type: {
          tensorType: {
            elemType: numberOfType(type as Fact['type']),
            shape: { dim: shape.map((dimValue) => ({ dimValue })) },
          },
        },
      })),
      output: produced.map(([name]) => ({ name })),
    },
  }).finish();
  const expected = new Map(produced.map(([name, tensor]) => [name, facts[tensor]]));
  return { path: body.path, model, feeds: readable, expected, obstacle: obstacle(feeds, expected) };
}

function obstacle(feeds: readonly (Feed | string)[], expected: CutBody['expected']): string | undefined {
  if (expected.size === 0) return 'it has no nodes besides constants';
  if ([...expected.values()].every((fact) => fact === undefined)) return 'a constant condition never runs it';
  return feeds.find((feed) => typeof feed === 'string');
}

/** Open dimensions are run with 1. A text says why there is nothing to feed. */
function feedOf(name: string, fact: Fact | undefined): Feed | string {
  if (fact?.shape === undefined) return `nothing is known of its input ${name}`;
  if (fact.container !== undefined) return `its input ${name} is a ${fact.container}`;
  const shape = fact.shape.map((dim) => (isKnown(dim) ? dim : 1));
  const values = fact.value?.every(isNumber) ? { values: fact.value.map(String) } : {};
  return { name, type: fact.type, shape, ...values };
}

function isNumber(element: Scalar): boolean {
  return typeof element !== 'object';
}

/** Names that a graph uses, at any depth, and does not define. */
function freeNames(graph: onnx.IGraphProto): ReadonlySet<string> {
  const defined = new Set([
    ...graph.input!.map(({ name }) => name!),
    ...graph.initializer!.map(({ name }) => name!),
    ...graph.node!.flatMap(({ output }) => output!),
    '',
  ]);
  const used = graph.node!.flatMap(({ input, attribute }) => [
    ...input!,
    ...attribute!.flatMap(({ g }) => (g ? [...freeNames(g)] : [])),
  ]);
  return new Set([...used, ...graph.output!.map(({ name }) => name!)].filter((name) => !defined.has(name)));
}

/** Branches of an If have no inputs (ONNX, If); where a file lists outer values there, they are just used. */
function withoutBranchInputs(graph: onnx.IGraphProto): onnx.IGraphProto {
  const node = graph.node!.map((each) => ({
    ...each,
    attribute: each.attribute!.map((attribute) => {
      if (!attribute.g) return attribute;
      const inner = withoutBranchInputs(attribute.g);
      return { ...attribute, g: each.opType === 'If' ? { ...inner, input: [] } : inner };
    }),
  }));
  return { ...graph, node };
}
