/** Tells which tensors show the bytes of others unchanged when channels come last in memory. */
import { axesInMemory } from '../graph/memory-order.ts';

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
