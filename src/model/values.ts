/** Decodes the elements of constants from their bytes. */
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Scalar, Value } from '../graph/types.ts';
import { decodeSmallFloat, type SmallFloat } from './small-floats.ts';

type Read = (view: DataView, index: number) => Scalar;

function smallFloat(type: SmallFloat, bytes: 1 | 2): Read {
  return bytes === 1
    ? (view, i) => decodeSmallFloat(type, view.getUint8(i))
    : (view, i) => decodeSmallFloat(type, view.getUint16(i * 2, true));
}

/** Elements of 2 or 4 bits, the first in the lowest bits of a byte. */
function packed(bits: 2 | 4, signed: boolean): Read {
  const each = 8 / bits;
  const mask = (1 << bits) - 1;
  const half = 1 << (bits - 1);
  return (view, i) => {
    const raw = (view.getUint8(Math.floor(i / each)) >> ((i % each) * bits)) & mask;
    return signed && raw >= half ? raw - 2 * half : raw;
  };
}

const nibble = packed(4, false);

function narrowed(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** Types that are not here have no values: strings and complex numbers decide no shapes. */
const READERS: Readonly<Partial<Record<ElementType, Read>>> = {
  bool: (view, i) => (view.getUint8(i) === 0 ? 0 : 1),
  int2: packed(2, true),
  uint2: packed(2, false),
  int4: packed(4, true),
  uint4: packed(4, false),
  int8: (view, i) => view.getInt8(i),
  uint8: (view, i) => view.getUint8(i),
  int16: (view, i) => view.getInt16(i * 2, true),
  uint16: (view, i) => view.getUint16(i * 2, true),
  int32: (view, i) => view.getInt32(i * 4, true),
  uint32: (view, i) => view.getUint32(i * 4, true),
  int64: (view, i) => narrowed(view.getBigInt64(i * 8, true)),
  uint64: (view, i) => narrowed(view.getBigUint64(i * 8, true)),
  float4e2m1: (view, i) => decodeSmallFloat('float4e2m1', nibble(view, i) as number),
  float8e4m3fn: smallFloat('float8e4m3fn', 1),
  float8e4m3fnuz: smallFloat('float8e4m3fnuz', 1),
  float8e5m2: smallFloat('float8e5m2', 1),
  float8e5m2fnuz: smallFloat('float8e5m2fnuz', 1),
  float8e8m0: smallFloat('float8e8m0', 1),
  float16: smallFloat('float16', 2),
  bfloat16: smallFloat('bfloat16', 2),
  float32: (view, i) => view.getFloat32(i * 4, true),
  float64: (view, i) => view.getFloat64(i * 8, true),
};

/** Decodes `count` elements of little-endian bytes; undefined where there are fewer or the type has no values. */
export function decodeBytes(type: ElementType, bytes: Uint8Array, count: number): Value | undefined {
  const read = READERS[type];
  if (read === undefined || bytes.length * 8 < count * ELEMENT_BITS[type]) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, i) => read(view, i));
}

/**
 * Decodes `count` elements from the integers of int32_data, int64_data or uint64_data. The integers hold bit
 * patterns: of float16 and the like two bytes, of sub-byte types one packed byte or, as some writers do, one element.
 */
export function decodeIntegers(
  type: ElementType,
  integers: readonly (number | bigint)[],
  count: number,
): Value | undefined {
  return decodeBytes(type, integerBytes(type, integers, count), count);
}

/** The little-endian bytes of those elements. */
export function integerBytes(
  type: ElementType,
  integers: readonly (number | bigint)[],
  count: number,
): Uint8Array {
  const bits = ELEMENT_BITS[type];
  const loose = bits < 8 && integers.length === count && count > 1;
  const each = loose ? bits / 8 : Math.max(1, bits / 8);
  const bytes = new Uint8Array(Math.ceil(integers.length * each));
  const view = new DataView(bytes.buffer);
  integers.forEach((integer, i) => {
    if (loose) {
      const perByte = 8 / bits;
      const shifted = (Number(integer) & ((1 << bits) - 1)) << ((i % perByte) * bits);
      bytes[Math.floor(i / perByte)]! |= shifted;
    } else if (bits === 64) view.setBigInt64(i * 8, BigInt.asIntN(64, BigInt(integer)), true);
    else if (bits === 32) view.setInt32(i * 4, Number(BigInt.asIntN(32, BigInt(integer))), true);
    else if (bits === 16) view.setInt16(i * 2, Number(integer), true);
    else view.setInt8(i, Number(integer));
  });
  return bytes;
}

/** The integers of a packed field of varints. */
export function varints(bytes: Uint8Array): bigint[] {
  const all: bigint[] = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte >= 0x80) continue;
    all.push(BigInt.asIntN(64, value));
    value = 0n;
    shift = 0n;
  }
  return all;
}
