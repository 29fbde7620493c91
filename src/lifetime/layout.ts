/** Tells which tensors show the bytes of others unchanged: all of them with channels last, or a stretch of them. */
import { axesInMemory } from '../graph/memory-order.ts';
import type { Layout } from '../kernels/types.ts';

function channelsLast(rank: number): readonly number[] {
  return axesInMemory(rank, 'nhwc');
}

/** What is left of `axes` without those of one element, which no step in memory belongs to. */
function moving(axes: readonly number[], shape: readonly number[]): readonly number[] {
  return axes.filter((axis) => shape[axis] !== 1);
}

/**
 * True when elements that follow each other in `output`, channels last, follow each other in `source`. Without a
 * permutation `output` has the elements of `source` in the same order, channels first: then either both lie in memory
 * as they do channels first, or both have the same sizes but for ones, with the channels in the same place.
 */
export function staysInLayout(
  source: readonly number[],
  output: readonly number[],
  permutation?: readonly number[],
): boolean {
  const from = moving(channelsLast(source.length), source);
  const to = moving(channelsLast(output.length), output);
  if (permutation !== undefined) return from.join() === to.map((axis) => permutation[axis]).join();
  if (isAscending(from) && isAscending(to)) return true;
  const sizes = (shape: readonly number[]): string => shape.filter((size) => size !== 1).join();
  return sizes(source) === sizes(output) && ranks(from).join() === ranks(to).join();
}

function isAscending(axes: readonly number[]): boolean {
  return axes.every((axis, i) => i === 0 || axes[i - 1]! < axis);
}

/** For each axis how many of the others stand before it in the shape. */
function ranks(axes: readonly number[]): readonly number[] {
  return axes.map((axis) => axes.filter((other) => other < axis).length);
}

/**
 * Elements from the start of a tensor to a block of it, if the block lies in memory in one stretch and in the order in
 * which a tensor of its shape would; else undefined. The block begins at `starts` along each axis.
 */
export function stretchStart(
  whole: readonly number[],
  block: readonly number[],
  starts: readonly number[],
  layout: Layout,
): number | undefined {
  const { length } = whole;
  const axes = axesInMemory(length, layout);
  // From the innermost axis outwards: whole axes, one that is cut, then axes of one element.
  let [offset, stride, isCut] = [0, 1, false];
  for (const axis of axes.toReversed()) {
    if (isCut && block[axis] !== 1) return undefined;
    if (block[axis] !== whole[axis]) isCut = true;
    offset += starts[axis]! * stride;
    stride *= whole[axis]!;
  }
  return offset;
}
