/** Grids: how kernels walk tensors whose elements lie in different orders, with as few dimensions as possible. */
import { axesInMemory } from '../graph/memory-order.ts';
import { list, structure } from './arguments.ts';
import type { Operand, RunnerNode, Table } from './types.ts';

/** MEMPLAN_RANK of the kernels. */
export const MOST_AXES = 6;
const TENSORS = 3;

export interface Grid {
  readonly shape: readonly number[];
  /** By tensor, then by axis: elements from one to the next; 0 repeats. */
  readonly strides: readonly (readonly number[])[];
}

/** Strides of a dense tensor. */
export function denseStrides(shape: readonly number[]): readonly number[] {
  const strides = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  return strides;
}

/** Strides of a dense tensor that is repeated to fill `shape`, aligned at the last axis (ONNX broadcasting). */
export function broadcastStrides(from: readonly number[], shape: readonly number[]): readonly number[] {
  const strides = denseStrides(from);
  const lead = shape.length - from.length;
  return shape.map((_, axis) => (axis < lead || from[axis - lead] === 1 ? 0 : strides[axis - lead]!));
}

/** The same walk without axes of one element, and with axes joined that every tensor runs through in one stride. */
export function joined({ shape, strides }: Grid): Grid {
  const sizes: number[] = [];
  const steps: number[][] = strides.map(() => []);
  for (const [axis, size] of shape.entries()) {
    if (size === 1) continue;
    const last = sizes.length - 1;
    const follows = last >= 0 && strides.every((s, k) => steps[k]![last] === s[axis]! * size);
    if (follows) {
      sizes[last] = sizes[last]! * size;
      strides.forEach((s, k) => {
        steps[k]![last] = s[axis]!;
      });
    } else {
      sizes.push(size);
      strides.forEach((s, k) => {
        steps[k]!.push(s[axis]!);
      });
    }
  }
  if (sizes.length > 0) return { shape: sizes, strides: steps };
  return { shape: [1], strides: strides.map(() => [1]) };
}

/** Braces of a memplan_grid. Refuses the node where it has too many dimensions. */
export function gridText(n: RunnerNode, grid: Grid): string {
  const { shape, strides } = joined(grid);
  if (shape.length > MOST_AXES) n.refuse(`for ${shape.length} dimensions that cannot be joined`);
  const all = Array.from({ length: TENSORS }, (_, k) => strides[k] ?? [0]);
  return `{${shape.length}, ${list(shape)}, {${all.map(list).join(', ')}}}`;
}

/** A memplan_grid. */
export function gridTable(n: RunnerNode, grid: Grid): Table {
  return structure('grid', [gridText(n, grid).slice(1, -1)]);
}

/** The grid of operands that are broadcast to an output, which it walks from its first byte to its last. */
export function broadcast(n: RunnerNode, { shape }: Operand, ...operands: readonly Operand[]): Grid {
  const order = axesInMemory(shape.length, n.order);
  const strides = operands.map((operand) => repeatedStrides(n, operand, shape));
  return { shape: order.map((axis) => shape[axis]!), strides: strides.map((s) => order.map((a) => s[a]!)) };
}

/** Strides of an operand that is repeated to fill `shape`, by axis of the shape. */
export function repeatedStrides(
  n: RunnerNode,
  operand: Operand,
  shape: readonly number[],
): readonly number[] {
  const strides = n.strides(operand);
  const lead = shape.length - operand.shape.length;
  return shape.map((_, axis) =>
    axis < lead || operand.shape[axis - lead] === 1 ? 0 : strides[axis - lead]!,
  );
}

export function product(sizes: readonly number[]): number {
  return sizes.reduce((a, b) => a * b, 1);
}

/** A memplan_axis: what lies before an axis (or several, up to `end`), its size, and what lies within. */
export function axisText(shape: readonly number[], axis: number, end = axis + 1): string {
  return list([product(shape.slice(0, axis)), product(shape.slice(axis, end)), product(shape.slice(end))]);
}

/** A memplan_axis of a tensor as it lies in memory. */
export function axisTable(n: RunnerNode, { shape }: Operand, axis: number, end = axis + 1): Table {
  const order = axesInMemory(shape.length, n.order);
  const places = order.flatMap((at, place) => (at >= axis && at < end ? [place] : []));
  const [first = 0] = places;
  const last = first + end - axis;
  if (places.at(-1) !== last - 1) n.refuse('for axes that lie apart in memory');
  const sizes = order.map((at) => shape[at]!);
  return structure('axis', [axisText(sizes, first, last).slice(1, -1)]);
}

/** A non-negative axis. */
export function positive(axis: number, rank: number): number {
  return axis < 0 ? axis + rank : axis;
}
