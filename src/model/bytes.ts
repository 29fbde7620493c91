/** The bytes of whole constants, however large: for firmware that carries the weights. */
import { ELEMENT_BITS, type ElementType, elementWidth, tensorBytes } from '../graph/element-type.ts';
import type { Constant, Scalar, Value } from '../graph/types.ts';

/** The elements as little-endian bytes in row-major order; undefined where they are missing or cannot be decoded. */
export function readConstantBytes(constant: Constant): Uint8Array | undefined {
  const count = constant.shape.reduce((a, b) => a * b, 1);
  const wanted = tensorBytes(constant.type, count);
  const stored = constant.read?.();
  if (stored !== undefined && stored.length === wanted) return stored;
  const value = constant.value();
  return value && encodeValue(constant.type, value);
}

type Write = (view: DataView, at: number, element: number) => void;

const WRITERS: Readonly<Partial<Record<ElementType, Write>>> = {
  bool: (view, at, v) => view.setUint8(at, v),
  int8: (view, at, v) => view.setInt8(at, v),
  uint8: (view, at, v) => view.setUint8(at, v),
  int16: (view, at, v) => view.setInt16(at, v, true),
  uint16: (view, at, v) => view.setUint16(at, v, true),
  int32: (view, at, v) => view.setInt32(at, v, true),
  uint32: (view, at, v) => view.setUint32(at, v, true),
  float32: (view, at, v) => view.setFloat32(at, v, true),
  float64: (view, at, v) => view.setFloat64(at, v, true),
};

/** Little-endian bytes; undefined for types that are not whole bytes or have no numbers in JavaScript, and for symbols. */
export function encodeValue(type: ElementType, value: Value): Uint8Array | undefined {
  const wide = ELEMENT_BITS[type] === 64 && type !== 'float64';
  const write = WRITERS[type];
  if ((write === undefined && !/^u?int64$/.test(type)) || !value.every(isNumber)) return undefined;
  const width = elementWidth(type);
  const bytes = new Uint8Array(value.length * width);
  const view = new DataView(bytes.buffer);
  value.forEach((element, i) => {
    if (wide) view.setBigInt64(i * 8, BigInt.asIntN(64, BigInt(element)), true);
    else write!(view, i * width, Number(element));
  });
  return bytes;
}

function isNumber(element: Scalar): element is number | bigint {
  return typeof element !== 'object';
}
