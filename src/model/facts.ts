/** What the file declares about a tensor: TypeProto to Fact. */
import { elementTypeOf } from '../graph/data-types.ts';
import { type Dim, symbol } from '../graph/dims.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Fact } from '../graph/types.ts';
import type { Faults } from './faults.ts';
import { MAX_RANK } from './limits.ts';
import { exact, type TensorShapeProto, type TypeProto } from './proto.ts';

/** How the symbols of a scope are named: dimensions of a function's value_info are its own. */
export type NameDim = (name: string) => string;

const MODEL_WIDE: NameDim = (name) => name;

/**
 * The declared fact of the tensor `name`, or undefined where nothing usable is said. A named dimension is
 * `symbol(name)`, an unnamed one `symbol('x[0]')`, a negative number `symbol('x[0] (-1)')`.
 */
export function factOf(
  type: TypeProto | null | undefined,
  name: string,
  faults: Faults,
  nameDim: NameDim = MODEL_WIDE,
): Fact | undefined {
  if (type == null) return undefined;
  if (type.tensorType) return tensorFact(type.tensorType, name, faults, nameDim);
  if (type.sparseTensorType)
    return contained('sparse', tensorFact(type.sparseTensorType, name, faults, nameDim));
  if (type.sequenceType)
    return contained('sequence', factOf(type.sequenceType.elemType, name, faults, nameDim));
  if (type.optionalType)
    return contained('optional', factOf(type.optionalType.elemType, name, faults, nameDim));
  if (type.mapType) return contained('map', factOf(type.mapType.valueType, name, faults, nameDim));
  return undefined;
}

/** What is in a container, marked with its outermost kind; an unknown content has no shape. */
function contained(container: NonNullable<Fact['container']>, inner: Fact | undefined): Fact {
  return { type: inner?.type ?? 'string', shape: inner?.shape, container };
}

interface TensorTypeProto {
  readonly elemType?: number | null;
  readonly shape?: TensorShapeProto | null;
}

function tensorFact(
  proto: TensorTypeProto,
  name: string,
  faults: Faults,
  nameDim: NameDim,
): Fact | undefined {
  const type = elementTypeOf(proto.elemType ?? 0);
  if (type === undefined) {
    if (proto.elemType) {
      const text = `The tensor ${name} has the element type number ${proto.elemType}, which ONNX does not define.`;
      faults.add('E_TYPE', text, { tensor: name });
    }
    return undefined;
  }
  if (proto.shape == null) return { type, shape: undefined };
  const dims = proto.shape.dim ?? [];
  if (dims.length > MAX_RANK) {
    const text = `The tensor ${name} has ${dims.length} dimensions; at most ${MAX_RANK} make sense.`;
    faults.add('E_MODEL', text, { tensor: name });
    return undefined;
  }
  const shape = dims.map((dim, axis): Dim | bigint => {
    if (dim.dimValue == null) return symbol(dim.dimParam ? nameDim(dim.dimParam) : `${name}[${axis}]`);
    const size = exact(dim.dimValue);
    return size < 0 ? symbol(`${name}[${axis}] (${size})`) : size;
  });
  return countable(type, shape, name, faults);
}

/** Refuses a shape whose known dimensions alone are more bytes than can be counted. */
function countable(
  type: ElementType,
  shape: readonly (Dim | bigint)[],
  name: string,
  faults: Faults,
): Fact | undefined {
  let elements = 1;
  for (const dim of shape) if (typeof dim === 'number' || typeof dim === 'bigint') elements *= Number(dim);
  const bytes = (elements * Math.max(8, ELEMENT_BITS[type])) / 8;
  if (Number.isSafeInteger(bytes) && shape.every((dim): dim is Dim => typeof dim !== 'bigint'))
    return { type, shape };
  const text = shape.map((dim) => (typeof dim === 'object' ? dim.text : String(dim)));
  faults.add('E_TOO_LARGE', `The tensor ${name} of shape [${text}] is larger than 2^53 bytes.`, {
    tensor: name,
  });
  return undefined;
}
