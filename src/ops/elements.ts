/** Moves the elements of folded values: every operator that only picks, repeats or permutes goes through here. */
import type { Scalar, Value } from '../graph/types.ts';

type Sizes = readonly number[];

/** Elements from one index to the next along each axis, row-major. */
export function stridesOf(sizes: Sizes): number[] {
  const strides = new Array<number>(sizes.length);
  let step = 1;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= sizes[axis]!;
  }
  return strides;
}

export function countOf(sizes: Sizes): number {
  return sizes.reduce((product, size) => product * size, 1);
}

/**
 * For each position of a tensor of `sizes`, in row-major order, the sum of `steps[axis][index]`.
 * With steps of Infinity the sum is Infinity: a position outside the source.
 */
export function offsetsOf(sizes: Sizes, steps: readonly Sizes[]): number[] {
  let offsets = [0];
  for (const [axis, size] of sizes.entries()) {
    const own = steps[axis]!;
    const next = new Array<number>(offsets.length * size);
    let at = 0;
    for (const offset of offsets) {
      for (let i = 0; i < size; i++) next[at++] = offset + own[i]!;
    }
    offsets = next;
  }
  return offsets;
}

/**
 * The elements at the cross product of `indices` (one list per axis of a source of `sizes`). An index of -1
 * lies outside and yields `fill`.
 */
export function pick(source: Value, sizes: Sizes, indices: readonly Sizes[], fill: Scalar = 0): Value {
  const strides = stridesOf(sizes);
  const steps = indices.map((list, axis) => list.map((i) => (i < 0 ? Infinity : i * strides[axis]!)));
  const offsets = offsetsOf(
    indices.map((list) => list.length),
    steps,
  );
  return offsets.map((offset) => source[offset] ?? fill);
}

/** The source with its axes in the order of `permutation`. */
export function permute(source: Value, sizes: Sizes, permutation: Sizes): Value {
  const strides = stridesOf(sizes);
  const steps = permutation.map((axis) => range(sizes[axis]!).map((i) => i * strides[axis]!));
  return offsetsOf(
    permutation.map((axis) => sizes[axis]!),
    steps,
  ).map((offset) => source[offset]!);
}

/** For each position of `target`, where the broadcast source's element lies. `sizes` is aligned at the end. */
export function broadcastOffsets(sizes: Sizes, target: Sizes): readonly number[] {
  const strides = stridesOf(sizes);
  const lead = target.length - sizes.length;
  const steps = target.map((size, axis) => {
    const own = axis - lead;
    const stride = own < 0 || sizes[own] === 1 ? 0 : strides[own]!;
    return range(size).map((i) => i * stride);
  });
  return offsetsOf(target, steps);
}

/** 0, 1, ... count - 1. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
