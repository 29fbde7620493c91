/** The order of axes in memory: as in the shape, or with the channels last. */

/** `nhwc`: tensors of three and more dimensions keep their axis 1, the channels, last in memory. */
export type MemoryOrder = 'nchw' | 'nhwc';

/** Axes from the outermost to the innermost in memory. */
export function axesInMemory(rank: number, order: MemoryOrder): readonly number[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return order === 'nchw' || rank < 3 ? axes : [0, ...axes.slice(2), 1];
}

/** By axis of the shape: elements from one to the next in a dense tensor. */
export function stridesInMemory(shape: readonly number[], order: MemoryOrder): readonly number[] {
  const strides = new Array<number>(shape.length).fill(1);
  let stride = 1;
  for (const axis of axesInMemory(shape.length, order).toReversed()) {
    strides[axis] = stride;
    stride *= shape[axis]!;
  }
  return strides;
}

/** Both orders put the elements into the same places: only axes of one element stand elsewhere. */
export function liesTheSame(shape: readonly number[]): boolean {
  const moving = axesInMemory(shape.length, 'nhwc').filter((axis) => shape[axis] !== 1);
  return moving.every((axis, i) => i === 0 || moving[i - 1]! < axis);
}
