/** SparseTensorProto to Constant: runtimes unpack it, so its shape and elements are those of the dense tensor. */
import { type Constant, MAX_VALUE_ELEMENTS, type Scalar, type Value } from '../graph/types.ts';
import { constantOf, countable, dimensions, once, type TensorSource } from './constant.ts';
import type { SparseTensorProto } from './proto.ts';

/** Undefined after a fault. The indices are positions in row-major order, or one coordinate per axis. */
export function sparseConstantOf(
  proto: SparseTensorProto,
  name: string,
  source: TensorSource,
): Constant | undefined {
  const { faults } = source;
  const shape = dimensions(proto.dims ?? [], name, faults);
  const values = proto.values ? constantOf(proto.values, name, source) : undefined;
  const indices = proto.indices ? constantOf(proto.indices, `${name} (indices)`, source) : undefined;
  if (shape === undefined || values === undefined) return undefined;
  const count = countable(values.type, shape, name, faults);
  if (count === undefined) return undefined;
  return {
    type: values.type,
    shape,
    place: undefined,
    value: once(() => (count > MAX_VALUE_ELEMENTS ? undefined : dense(shape, count, values, indices))),
  };
}

function dense(
  shape: readonly number[],
  count: number,
  values: Constant,
  indices: Constant | undefined,
): Value | undefined {
  const all: Scalar[] = new Array<Scalar>(count).fill(0);
  const given = values.value();
  if (given?.length === 0) return all;
  const at = indices?.value();
  if (given === undefined || at === undefined || indices === undefined) return undefined;
  const axes = indices.shape.length === 2 ? shape.length : 1;
  if (at.length !== given.length * axes) return undefined;
  for (let i = 0; i < given.length; i++) {
    let position = 0;
    for (let axis = 0; axis < axes; axis++) {
      const size = axes === 1 ? 0 : shape[axis]!;
      position = position * size + Number(at[i * axes + axis]);
    }
    if (!(position >= 0 && position < count)) return undefined;
    all[position] = given[i]!;
  }
  return all;
}
