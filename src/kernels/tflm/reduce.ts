/** Reductions of TensorFlow Lite Micro (tensorflow/lite/micro/kernels/reduce_common.cc). */
import type { ElementType } from '../../graph/element-type.ts';
import { dataOf, elements, type KernelCall } from '../call.ts';
import type { KernelRow, Scratch } from '../types.ts';

/** What counts in place of elements: the position in the input, and the axes. */
export function reduceRows(types: readonly ElementType[]): readonly KernelRow[] {
  return [
    // A GlobalAveragePool becomes a MEAN over height and width.
    ...['ReduceMean', 'ReduceSum', 'GlobalAveragePool', 'QLinearGlobalAveragePool'].map((op): KernelRow => {
      return { op, types, scratch: (call) => counters(call, sums(call)) };
    }),
    ...['ReduceMax', 'ReduceMin'].map(
      (op): KernelRow => ({ op, types, scratch: (call) => counters(call, []) }),
    ),
  ];
}

function counters(call: KernelCall, others: readonly Scratch[]): readonly Scratch[] | undefined {
  const rank = dataOf(call)?.shape.length;
  if (rank === undefined) return undefined;
  return [...others, { part: 'position', bytes: 4 * rank }, { part: 'axes', bytes: 4 * axesOf(call, rank) }];
}

/** Integers are summed up in 32 bits. */
function sums(call: KernelCall): readonly Scratch[] {
  const output = call.outputs[0]?.shape;
  return dataOf(call)?.type === 'float32' || output === undefined
    ? []
    : [{ part: 'sums', bytes: 4 * elements(output) }];
}

/** As an attribute or, later, an input; without either all axes. */
function axesOf({ node, context, inputs }: KernelCall, rank: number): number {
  if (node.op.includes('Pool')) return rank - 2;
  return context.ints('axes')?.length ?? inputs[1]?.shape[0] ?? rank;
}
