/** Is the network quantised to what integer kernels compute on? */
import type { ElementType } from '../graph/element-type.ts';
import type { Node, TypedGraph } from '../graph/types.ts';

const TYPES: ReadonlySet<ElementType> = new Set<ElementType>(['int8', 'int16']);

const INTEGER_PRODUCTS: ReadonlySet<string> = new Set(['QLinearConv', 'QLinearMatMul', 'QGemm']);
const FLOAT_PRODUCTS: ReadonlySet<string> = new Set(['Conv', 'ConvTranspose', 'Gemm', 'MatMul']);

/**
 * True when some convolution or matrix product computes on int8 or int16 activations: by its operator, or behind a
 * DequantizeLinear of one. Quantised weights alone do not count.
 */
export function isQuantised({ nodes, facts, folded }: TypedGraph): boolean {
  const writers = new Map<number, Node>();
  for (const node of nodes)
    for (const tensor of node.outputs) if (tensor !== undefined) writers.set(tensor, node);
  const isNarrow = (tensor: number | undefined): boolean =>
    tensor !== undefined && TYPES.has(facts[tensor]?.type ?? 'float32');
  return nodes.some((node) => {
    if (folded.has(node)) return false;
    const [data] = node.inputs;
    if (INTEGER_PRODUCTS.has(node.op)) return isNarrow(data);
    const writer = data === undefined ? undefined : writers.get(data);
    return FLOAT_PRODUCTS.has(node.op) && writer?.op === 'DequantizeLinear' && isNarrow(writer.inputs[0]);
  });
}
