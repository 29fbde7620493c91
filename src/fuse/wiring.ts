/** The graph while nodes are joined: who writes and who reads each tensor. The only mutable data of this folder. */
import type { Body, Fact, Node, TypedGraph } from '../graph/types.ts';
import type { Fusions } from '../kernels/fusions.ts';
import { constantTensors } from '../lifetime/constants.ts';
import { withValue } from '../ops/values.ts';
import { membersOf } from './group.ts';

/** Tensors by index in `Graph.tensors`. Nodes that are constants are no part of it: they read and write nothing. */
export interface Wiring {
  readonly graph: TypedGraph;
  readonly constants: ReadonlySet<number>;
  /** The nodes in their order, those of bodies after their parent: each as it is when its turn comes. */
  readonly nodes: () => Iterable<Node>;
  /** False once the node was replaced or left out. */
  readonly isThere: (node: Node) => boolean;
  /** They run in the same body, or both at the top. */
  readonly areTogether: (a: Node, b: Node) => boolean;
  readonly writer: (tensor: number | undefined) => Node | undefined;
  readonly readers: (tensor: number) => ReadonlySet<Node>;
  /** Must be there under its own name: outputs of the graph and of bodies, kept tensors. */
  readonly isFixed: (tensor: number) => boolean;
  /** Labels of the nodes that were left out. */
  readonly leftOut: readonly string[];

  /** Puts `now` in the place of `node`. */
  readonly replace: (node: Node, now: Node) => void;
  /** Takes the node away because another does its work. */
  readonly absorb: (node: Node) => void;
  /** Leaves the node out: what reads `output`, which comes later, will read `source`. */
  readonly leaveOut: (node: Node, output: number, source: number) => void;
  /** Leaves the node out, whose outputs nobody reads. */
  readonly dropUnread: (node: Node) => void;
  readonly finish: () => TypedGraph;
}

/** One kind of fusion, tried at one node: it changes the wiring where its conditions hold. */
export type Fusion = (wiring: Wiring, node: Node, fusions: Fusions) => void;

/** Nodes of the graph or of one body, by their place; undefined where one was taken away. */
type List = (Node | undefined)[];

interface Place {
  readonly list: List;
  readonly index: number;
}

export function wiringOf(typed: TypedGraph, kept: ReadonlySet<number>): Wiring {
  const facts: (Fact | undefined)[] = [...typed.facts];
  const graph: TypedGraph = { ...typed, facts };
  const lists = new Map<readonly Node[], List>();
  const places = new Map<Node, Place>();
  const writers = new Map<number, Node>();
  const readers = new Map<number, Set<Node>>();
  const fixed = new Set([...graph.outputs, ...kept]);
  const leftOut: string[] = [];
  /** What to read instead of the output of a node that was left out. */
  const instead = new Map<number, number>();

  const readersOf = (tensor: number): Set<Node> => {
    let found = readers.get(tensor);
    if (found === undefined) {
      found = new Set();
      readers.set(tensor, found);
    }
    return found;
  };
  const connect = (node: Node, place: Place): void => {
    places.set(node, place);
    place.list[place.index] = node;
    for (const tensor of node.inputs) if (tensor !== undefined) readersOf(tensor).add(node);
    for (const tensor of node.outputs) if (tensor !== undefined) writers.set(tensor, node);
  };
  const disconnect = (node: Node): Place => {
    const place = places.get(node)!;
    places.delete(node);
    place.list[place.index] = undefined;
    for (const tensor of node.inputs) if (tensor !== undefined) readersOf(tensor).delete(node);
    for (const tensor of node.outputs) {
      if (tensor !== undefined && writers.get(tensor) === node) writers.delete(tensor);
    }
    return place;
  };
  const enter = (nodes: readonly Node[]): void => {
    const list: List = [...nodes];
    lists.set(nodes, list);
    nodes.forEach((node, index) => {
      if (graph.folded.has(node)) return;
      connect(node, { list, index });
      for (const body of node.bodies) {
        for (const tensor of body.outputs) fixed.add(tensor);
        enter(body.nodes);
      }
    });
  };
  enter(graph.nodes);

  const replace = (node: Node, now: Node): void => connect(now, disconnect(node));
  const absorb = (node: Node): void => void disconnect(node);
  const note = (node: Node): void => {
    for (const { label } of membersOf(node)) leftOut.push(label);
  };
  /** A tensor that takes over from one whose scale is known has that scale. */
  const passQuantisation = (from: number, to: number): void => {
    const quant = facts[from]?.quant;
    const fact = facts[to];
    if (quant !== undefined && fact !== undefined && fact.quant === undefined)
      facts[to] = withValue({ ...fact, quant }, () => fact.value);
  };
  /** The node with what it reads now. A reader comes after what was left out, so that each is changed once. */
  const settled = (node: Node): Node => {
    if (!node.inputs.some((tensor) => tensor !== undefined && instead.has(tensor))) return node;
    const inputs = node.inputs.map((tensor) =>
      tensor === undefined ? tensor : (instead.get(tensor) ?? tensor),
    );
    for (const tensor of inputs) if (tensor !== undefined) readersOf(tensor).delete(node);
    const now = { ...node, inputs };
    replace(node, now);
    return now;
  };
  const walk = function* (nodes: readonly Node[]): Generator<Node> {
    for (const found of lists.get(nodes)!) {
      if (found === undefined || !places.has(found)) continue;
      const node = settled(found);
      yield node;
      for (const body of node.bodies) yield* walk(body.nodes);
    }
  };
  const rebuilt = (nodes: readonly Node[]): readonly Node[] =>
    lists.get(nodes)!.flatMap((found) => {
      if (found === undefined) return [];
      if (!places.has(found)) return [found];
      const node = settled(found);
      if (node.bodies.length === 0) return [node];
      const bodies = node.bodies.map((body): Body => ({ ...body, nodes: rebuilt(body.nodes) }));
      return [{ ...node, bodies }];
    });

  return {
    graph,
    constants: constantTensors(graph),
    leftOut,
    nodes: () => walk(graph.nodes),
    isThere: (node) => places.has(node),
    areTogether: (a, b) => places.get(a)?.list === places.get(b)?.list,
    writer: (tensor) => (tensor === undefined ? undefined : writers.get(tensor)),
    readers: readersOf,
    isFixed: (tensor) => fixed.has(tensor),
    replace,
    absorb,
    leaveOut: (node, output, source) => {
      note(node);
      disconnect(node);
      instead.set(output, source);
      for (const reader of readersOf(output)) readersOf(source).add(reader);
      passQuantisation(output, source);
    },
    dropUnread: (node) => {
      note(node);
      disconnect(node);
    },
    finish: () => ({ ...graph, nodes: rebuilt(graph.nodes) }),
  };
}
