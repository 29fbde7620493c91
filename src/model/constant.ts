/** TensorProto to Constant: type, shape and place at once, elements only when somebody asks. */
import { elementTypeOf } from '../graph/data-types.ts';
import { ELEMENT_BITS, type ElementType, tensorBytes } from '../graph/element-type.ts';
import { type Constant, type DataPlace, MAX_VALUE_ELEMENTS, type Value } from '../graph/types.ts';
import type { ExternalFiles } from './external.ts';
import type { Faults } from './faults.ts';
import { MAX_RANK } from './limits.ts';
import { exact, type Int64, type TensorProto } from './proto.ts';
import { decodeBytes, decodeIntegers, integerBytes, varints } from './values.ts';
import type { Payload } from './wire.ts';

/** What decoding a tensor needs besides its message. */
export interface TensorSource {
  readonly payloads: readonly Payload[];
  readonly external: ExternalFiles;
  readonly faults: Faults;
}

const EXTERNAL = 1;
const MAX_VARINT_BYTES = 10;

interface Sized {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly count: number;
  /** undefined: strings, which have no size. */
  readonly bytes: number | undefined;
}

/** Undefined after a fault: an unknown type, an impossible shape, or data of the wrong length. */
export function constantOf(tensor: TensorProto, name: string, source: TensorSource): Constant | undefined {
  const sized = sizeOf(tensor, name, source.faults);
  const place = sized && placeOf(tensor, name, sized, source);
  if (sized === undefined || place === 'fault') return undefined;
  const { type, shape, count, bytes } = sized;
  const readable = bytes !== undefined && count <= MAX_VALUE_ELEMENTS;
  return {
    type,
    shape,
    place,
    value: once(() => (readable ? elements(tensor, sized, place, source) : undefined)),
    read: () => (place === undefined ? packed(tensor, sized, source) : source.external.read(place)),
  };
}

/** The bytes of elements that lie in the file as one list of varints. */
function packed(tensor: TensorProto, { type, count }: Sized, source: TensorSource): Uint8Array | undefined {
  const [only, ...more] = payloadsOf(tensor, source.payloads);
  if (only?.encoding !== 'varint' || more.length > 0 || only.bytes > count * MAX_VARINT_BYTES)
    return undefined;
  const stored = source.external.read({ file: null, offset: only.offset, bytes: only.bytes });
  return stored && integerBytes(type, varints(stored), count);
}

function sizeOf(tensor: TensorProto, name: string, faults: Faults): Sized | undefined {
  const number = tensor.dataType ?? 0;
  const type = elementTypeOf(number);
  if (type === undefined) {
    const text = `The weight ${name} has the element type number ${number}, which ONNX does not define.`;
    faults.add('E_TYPE', text, { tensor: name });
    return undefined;
  }
  const shape = dimensions(tensor.dims ?? [], name, faults);
  const count = shape && countable(type, shape, name, faults);
  if (shape === undefined || count === undefined) return undefined;
  return { type, shape, count, bytes: tensorBytes(type, count) };
}

/** The number of elements; undefined after a fault: elements or bytes beyond 2^53. */
export function countable(
  type: ElementType,
  shape: readonly number[],
  name: string,
  faults: Faults,
): number | undefined {
  const count = shape.reduce((a, b) => a * b, 1);
  if (Number.isSafeInteger(count) && Number.isSafeInteger(tensorBytes(type, count) ?? 0)) return count;
  const text = `The weight ${name} of shape [${shape}] is larger than 2^53 bytes.`;
  faults.add('E_TOO_LARGE', text, { tensor: name });
  return undefined;
}

/** Where the elements lie as plain bytes, if they do. */
function placeOf(
  tensor: TensorProto,
  name: string,
  { type, shape, bytes }: Sized,
  source: TensorSource,
): DataPlace | undefined | 'fault' {
  if (tensor.dataLocation === EXTERNAL) return source.external.place(tensor, name, bytes) ?? 'fault';
  const stored = payloadsOf(tensor, source.payloads);
  const raw = stored.filter((p) => p.encoding === 'raw').at(-1);
  if (raw !== undefined && raw.bytes > 0 && raw.bytes !== bytes) {
    const needs = `The weight ${name} (${type}, shape [${shape}]) needs ${bytes ?? 'no'} bytes`;
    source.faults.add('E_MODEL', `${needs}, but its raw_data has ${raw.bytes}.`, { tensor: name });
    return 'fault';
  }
  const plain = raw ?? (stored.length === 1 ? stored[0] : undefined);
  if (plain === undefined || plain.encoding === 'varint' || plain.bytes !== bytes) return undefined;
  return { file: null, offset: plain.offset, bytes };
}

/** The exact dimensions; undefined after a fault. */
export function dimensions(dims: readonly Int64[], name: string, faults: Faults): number[] | undefined {
  const shape = dims.map(exact);
  const bad = shape.find((d) => typeof d === 'bigint' || d < 0);
  if (bad === undefined && shape.length <= MAX_RANK) return shape as number[];
  if (shape.length > MAX_RANK) {
    const text = `The weight ${name} has ${shape.length} dimensions; at most ${MAX_RANK} make sense.`;
    faults.add('E_MODEL', text, { tensor: name });
  } else if (bad! < 0) {
    faults.add('E_MODEL', `The weight ${name} has a negative dimension: [${shape}].`, { tensor: name });
  } else
    faults.add('E_TOO_LARGE', `The weight ${name} has a dimension beyond 2^53: [${shape}].`, {
      tensor: name,
    });
  return undefined;
}

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function payloadsOf(tensor: TensorProto, payloads: readonly Payload[]): readonly Payload[] {
  const segment = tensor.segment;
  if (segment == null) return [];
  return payloads.slice(Number(exact(segment.begin ?? 0)), Number(exact(segment.end ?? 0)));
}

function elements(
  tensor: TensorProto,
  { type, count }: Sized,
  place: DataPlace | undefined,
  source: TensorSource,
): Value | undefined {
  if (count === 0) return [];
  if (tensor.dataLocation !== EXTERNAL) {
    const kept = keptElements(tensor, type, count);
    if (kept !== undefined) return kept;
  }
  if (place !== undefined) {
    const bytes = source.external.read(place);
    return bytes && decodeBytes(type, bytes, count);
  }
  const [only, ...more] = payloadsOf(tensor, source.payloads);
  const plausible = only?.encoding === 'varint' && only.bytes <= count * MAX_VARINT_BYTES;
  if (!plausible || more.length > 0) return undefined;
  const bytes = source.external.read({ file: null, offset: only.offset, bytes: only.bytes });
  return bytes && decodeIntegers(type, varints(bytes), count);
}

/** The elements that are in the message itself. */
function keptElements(tensor: TensorProto, type: ElementType, count: number): Value | undefined {
  if (tensor.rawData?.length) return decodeBytes(type, tensor.rawData, count);
  const floats = type === 'float32' ? tensor.floatData : type === 'float64' ? tensor.doubleData : undefined;
  if (floats?.length) return floats.length === count ? floats : undefined;
  const wide =
    type === 'int64' ? tensor.int64Data : /^uint(32|64)$/.test(type) ? tensor.uint64Data : undefined;
  if (wide?.length) return decodeIntegers(type, wide.map(exact), count);
  const narrow = ELEMENT_BITS[type] <= 32 ? tensor.int32Data : undefined;
  return narrow?.length ? decodeIntegers(type, narrow, count) : undefined;
}
