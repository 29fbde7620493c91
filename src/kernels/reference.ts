/**
 * The project's own kernels (runtime/): plain loops that compute every element of the output from the operands alone,
 * so that hardly any needs working memory, and that walk element by element where the operator does.
 */
import type { Node } from '../graph/types.ts';
import { findRow } from '../ops/registry.ts';
import { callOf, dataOf, type KernelScene } from './call.ts';
import { COMMON_FUSIONS } from './fusions.ts';
import type { Contract, KernelLibrary, Layout, Scratch } from './types.ts';

/** Scratch holds floats. */
export const REFERENCE_ALIGNMENT = Float32Array.BYTES_PER_ELEMENT;

/** Operators that no plain loop computes without intermediate results, and that have no kernel: theirs is not known. */
const WITHOUT_A_LOOP: ReadonlySet<string> = new Set(
  `RNN CausalConvWithState DynamicQuantizeLSTM Attention MultiHeadAttention GroupQueryAttention QAttention
   LinearAttention EmbedLayerNormalization TopK Unique Einsum NonMaxSuppression DFT STFT MelWeightMatrix Det Inverse
   DynamicQuantizeMatMul DeformConv MatMulNBits`.split(/\s+/),
);

/** Of any node. Operators that memplan has no row for have unknown scratch too. */
export function referenceContract(scene: KernelScene, node: Node): Contract {
  const row = findRow(node.domain, node.op);
  return {
    scratch: row === undefined || WITHOUT_A_LOOP.has(node.op) ? undefined : scratchOf(scene, node),
    inPlace: row?.inPlace ?? [],
    proof: 'defined',
  };
}

/** Recurrent kernels keep the state before and after a step, and a gate or the cell: three vectors of the hidden units. */
function scratchOf(scene: KernelScene, node: Node): readonly Scratch[] | undefined {
  if (node.op !== 'LSTM' && node.op !== 'GRU') return [];
  const call = callOf(scene, node);
  const hidden = call.inputs[2]?.shape.at(-1);
  return dataOf(call)?.type === 'float32' && hidden !== undefined
    ? [{ part: '', bytes: 3 * hidden * Float32Array.BYTES_PER_ELEMENT }]
    : undefined;
}

export function reference(layout: Layout): KernelLibrary {
  return {
    name: 'reference',
    version: null,
    build: null,
    layout,
    contract: referenceContract,
    countsScratch: true,
    tensorAlignment: 1,
    scratchAlignment: REFERENCE_ALIGNMENT,
    slackBytes: 0,
    fusions: COMMON_FUSIONS,
    fuses: false,
  };
}
