/** Infers models made in tests and shows what came out as text. */
import { formatDim, formatShape } from '../../src/graph/dims.ts';
import type { Fact, Node, TypedGraph } from '../../src/graph/types.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { type Bindings, type Inferred, NO_BINDINGS } from '../../src/shape/types.ts';
import type { ModelSpec } from './onnx.ts';
import { read } from './read.ts';

/** Infers a model. Dimensions stay open unless `bindings` are given. */
export function infer(spec: ModelSpec, bindings?: Partial<Bindings>): Inferred {
  return inferShapes(
    read(spec).graph,
    { ...NO_BINDINGS, ...bindings },
    bindings === undefined ? { allowOpen: true } : {},
  );
}

/** `float32[1,N]` by tensor name; a value follows where it is known: `int64[2] = 1,N`. */
export function factTexts(spec: ModelSpec, bindings?: Partial<Bindings>): Readonly<Record<string, string>> {
  const { graph } = infer(spec, bindings);
  return Object.fromEntries(graph.tensors.map(({ name }, i) => [name, factText(graph.facts[i])]));
}

export function factText(fact: Fact | undefined): string {
  if (fact === undefined) return '-';
  const kind = fact.container === undefined ? '' : `${fact.container} of `;
  const value = fact.value?.map((e) => (typeof e === 'bigint' ? String(e) : formatDim(e))).join(',');
  return `${kind}${fact.type}${formatShape(fact.shape)}${value === undefined ? '' : ` = ${value}`}`;
}

/** Labels of the folded nodes, bodies included. */
export function foldedLabels(graph: TypedGraph): readonly string[] {
  const all = (nodes: readonly Node[]): readonly Node[] =>
    nodes.flatMap((node) => [node, ...node.bodies.flatMap((body) => all(body.nodes))]);
  return all(graph.nodes)
    .filter((node) => graph.folded.has(node))
    .map(({ label }) => label);
}
