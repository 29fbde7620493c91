/** The model with images of another resolution at its inputs (`--scale-input`). */
import { fail, MemplanError } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import type { Fact, Graph, Node, Tensor } from '../graph/types.ts';
import { bindInputs } from '../shape/bind.ts';
import type { Bindings } from '../shape/types.ts';

export interface Rescaled {
  readonly graph: Graph;
  /** What is left to bind: every input has its shape now. */
  readonly bindings: Bindings;
}

/** Operators that keep every element where it is, so that what reads their output tells about their input. */
const KEEP_PLACES: ReadonlySet<string> = new Set([
  'Add',
  'BatchNormalization',
  'Cast',
  'Clip',
  'DequantizeLinear',
  'Div',
  'Identity',
  'Mul',
  'Pad',
  'QuantizeLinear',
  'Sub',
]);

/** Operators whose input 0 has its spatial axes last. */
const CHANNELS_FIRST: ReadonlySet<string> = new Set([
  'AveragePool',
  'Conv',
  'ConvInteger',
  'ConvTranspose',
  'FusedConv',
  'GlobalAveragePool',
  'GlobalMaxPool',
  'InstanceNormalization',
  'MaxPool',
  'QLinearConv',
]);

const CHANNELS_LAST: ReadonlySet<string> = new Set(['NhwcConv', 'NhwcFusedConv', 'NhwcMaxPool']);

/**
 * Multiplies height and width of every input that looks like an image, rounded to whole pixels and at least 1. An
 * image has rank 4; which of its axes are spatial is said by the first operator that moves or mixes its pixels, else by
 * which axis is as small as colours are. What the file declares about other tensors is dropped, since it holds for
 * its own resolution alone. Throws E_BINDING and E_OPEN_DIM as `bindInputs` has them, E_USAGE when no input is an image.
 */
export function rescaleInputs(graph: Graph, bindings: Bindings, factor: number): Rescaled {
  const bound = bindInputs(graph, bindings);
  const [first, ...others] = [...bound.faults, ...bound.open];
  if (first !== undefined) throw new MemplanError([first, ...others]);
  const readers = readersOf(graph.nodes);
  const shapes = new Map<number, readonly number[]>();
  for (const [tensor, { shape }] of bound.facts) {
    const axes = shape?.every(isKnown) ? spatialAxes(readers, tensor, shape) : undefined;
    if (axes === undefined || !shape?.every(isKnown)) continue;
    shapes.set(
      tensor,
      shape.map((size, axis) => (axes.includes(axis) ? Math.max(1, Math.round(size * factor)) : size)),
    );
  }
  if (shapes.size === 0) noImage(graph);
  const declaredOf = (tensor: Tensor, index: number): Fact | undefined => {
    const fact = bound.facts.get(index);
    if (fact !== undefined) return { ...fact, shape: shapes.get(index) ?? fact.shape };
    return tensor.declared && { ...tensor.declared, shape: undefined };
  };
  return {
    graph: {
      ...graph,
      tensors: graph.tensors.map((tensor, index) => ({ ...tensor, declared: declaredOf(tensor, index) })),
    },
    bindings: { ...bindings, dims: new Map(), inputShapes: new Map() },
  };
}

function noImage(graph: Graph): never {
  const names = graph.inputs.map((tensor) => graph.tensors[tensor]!.name).join(', ');
  return fail('E_USAGE', `--scale-input: no input of the model looks like an image: ${names}.`, {
    hint: 'An image has four axes, two of them height and width. --input-shape binds what the model leaves open.',
  });
}

type Readers = ReadonlyMap<number, readonly Node[]>;

function readersOf(nodes: readonly Node[]): Readers {
  const readers = new Map<number, Node[]>();
  for (const node of nodes) {
    for (const tensor of node.inputs) {
      if (tensor === undefined) continue;
      const known = readers.get(tensor);
      if (known === undefined) readers.set(tensor, [node]);
      else known.push(node);
    }
  }
  return readers;
}

function spatialAxes(
  readers: Readers,
  tensor: number,
  shape: readonly number[],
): readonly number[] | undefined {
  if (shape.length !== 4) return undefined;
  return axesByUse(readers, tensor) ?? axesBySize(shape);
}

/** What the first operator that does not keep every element in its place says. */
function axesByUse(readers: Readers, input: number): readonly number[] | undefined {
  const seen = new Set([input]);
  for (const tensor of seen) {
    for (const node of readers.get(tensor) ?? []) {
      const [result] = node.outputs;
      if (KEEP_PLACES.has(node.op)) {
        if (result !== undefined) seen.add(result);
      } else if (node.inputs[0] === tensor) {
        const axes = axesOf(node);
        if (axes !== undefined) return axes;
      }
    }
  }
  return undefined;
}

function axesOf(node: Node): readonly number[] | undefined {
  if (CHANNELS_LAST.has(node.op)) return [1, 2];
  if (CHANNELS_FIRST.has(node.op)) return [2, 3];
  const perm = node.op === 'Transpose' ? node.attributes.get('perm') : undefined;
  if (perm?.kind !== 'ints') return undefined;
  const order = perm.value.map(Number).join();
  return order === '0,3,1,2' ? [1, 2] : order === '0,2,3,1' ? [2, 3] : undefined;
}

/** Grey, colour, or colour with transparency: on one side of the pixels or the other, not on both. */
function axesBySize([, first, , last]: readonly number[]): readonly number[] | undefined {
  const isColour = (size: number | undefined): boolean => size === 1 || size === 3 || size === 4;
  if (isColour(first) === isColour(last)) return undefined;
  return isColour(first) ? [2, 3] : [1, 2];
}
