/** The bytes of constants that nodes compute from other constants, where inference has not kept their elements. */
import { isKnown } from '../graph/dims.ts';
import { elementWidth, tensorBytes } from '../graph/element-type.ts';
import type { Fact, Node, TypedGraph } from '../graph/types.ts';
import { encodeValue, readConstantBytes } from '../model/bytes.ts';
import { denseStrides } from './grid.ts';

/** Nodes that give their first input another shape. */
const RESHAPES: ReadonlySet<string> = new Set(['Identity', 'Reshape', 'Flatten', 'Squeeze', 'Unsqueeze']);

/** Chains longer than this are given up. */
const MOST_NODES = 16;

/**
 * Reads little-endian elements of constant tensors: as stored, as evaluated, one number repeated, or another constant's
 * in another order. Undefined where they are missing or would have to be computed.
 */
export function constantReader(graph: TypedGraph): (tensor: number) => Uint8Array | undefined {
  const writers = new Map(
    graph.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)),
  );

  function read(tensor: number, depth: number): Uint8Array | undefined {
    const { constant } = graph.tensors[tensor]!;
    if (constant !== undefined) return readConstantBytes(constant);
    const fact = graph.facts[tensor]!;
    if (fact.value !== undefined) return encodeValue(fact.type, fact.value);
    const node = writers.get(tensor);
    if (node === undefined || node.domain !== '' || depth >= MOST_NODES) return undefined;
    if (node.op === 'ConstantOfShape') return repeated(node, fact);
    const [source] = node.inputs;
    if (source === undefined || !(RESHAPES.has(node.op) || node.op === 'Transpose')) return undefined;
    const bytes = read(source, depth + 1);
    return bytes && node.op === 'Transpose' ? transposed(node, graph.facts[source]!, bytes) : bytes;
  }

  return (tensor) => read(tensor, 0);
}

function repeated(node: Node, fact: Fact): Uint8Array | undefined {
  const given = node.attributes.get('value');
  const one =
    given?.kind === 'tensor' ? readConstantBytes(given.value) : new Uint8Array(elementWidth(fact.type));
  const bytes = tensorBytes(
    fact.type,
    shapeOf(fact).reduce((a, b) => a * b, 1),
  );
  if (one === undefined || bytes === undefined) return undefined;
  const all = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += one.length) all.set(one, at);
  return all;
}

function transposed(node: Node, from: Fact, bytes: Uint8Array): Uint8Array {
  const shape = shapeOf(from);
  const given = node.attributes.get('perm');
  const order = given?.kind === 'ints' ? given.value.map(Number) : [...shape.keys()].reverse();
  const strides = denseStrides(shape);
  const sizes = order.map((axis) => shape[axis]!);
  const steps = order.map((axis) => strides[axis]!);
  const width = elementWidth(from.type);
  const all = new Uint8Array(bytes.length);
  const index = sizes.map(() => 0);
  for (let to = 0, at = 0; to < bytes.length; to += width) {
    all.set(bytes.subarray(at * width, (at + 1) * width), to);
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      index[axis]! += 1;
      at += steps[axis]!;
      if (index[axis]! < sizes[axis]!) break;
      at -= sizes[axis]! * steps[axis]!;
      index[axis] = 0;
    }
  }
  return all;
}

function shapeOf(fact: Fact): readonly number[] {
  return fact.shape!.filter(isKnown);
}
