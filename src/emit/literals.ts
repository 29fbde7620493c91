/** C literals and the C types of numbers and tensor elements. */
import type { ElementType } from '../graph/element-type.ts';

/** An unsigned literal that `#if` understands; its type is the first that holds it (C11 6.4.4.1). */
export function unsigned(value: number): string {
  return `${value}u`;
}

export function hexadecimal(value: number): string {
  return `0x${value.toString(16).toUpperCase().padStart(8, '0')}u`;
}

/** A signed literal; the smallest int32 has none of its own. */
export function signed(value: number): string {
  return value === -(2 ** 31) ? '(-2147483647 - 1)' : String(value);
}

/** The shortest float literal that reads back as the same float32. The value is finite. */
export function float(value: number): string {
  const exact = Math.fround(value);
  for (let digits = 1; digits <= 9; digits++) {
    const text = Number(exact.toPrecision(digits));
    if (Math.fround(text) === exact) return withPoint(String(text));
  }
  return withPoint(String(exact));
}

function withPoint(text: string): string {
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`;
}

/** The narrowest unsigned type that holds every value up to `most`. */
export function unsignedType(most: number): string {
  if (most <= 0xff) return 'uint8_t';
  if (most <= 0xffff) return 'uint16_t';
  return most <= 0xffffffff ? 'uint32_t' : 'uint64_t';
}

/**
 * The C type of one element and the code ONNX gives the type (TensorProto.DataType). Types that C lacks appear as
 * their bits; types below a byte are packed.
 */
export const ELEMENT_C = {
  float32: { code: 1, c: 'float' },
  uint8: { code: 2, c: 'uint8_t' },
  int8: { code: 3, c: 'int8_t' },
  uint16: { code: 4, c: 'uint16_t' },
  int16: { code: 5, c: 'int16_t' },
  int32: { code: 6, c: 'int32_t' },
  int64: { code: 7, c: 'int64_t' },
  string: { code: 8, c: 'uint8_t' },
  bool: { code: 9, c: 'uint8_t' },
  float16: { code: 10, c: 'uint16_t' },
  float64: { code: 11, c: 'double' },
  uint32: { code: 12, c: 'uint32_t' },
  uint64: { code: 13, c: 'uint64_t' },
  complex64: { code: 14, c: 'float' },
  complex128: { code: 15, c: 'double' },
  bfloat16: { code: 16, c: 'uint16_t' },
  float8e4m3fn: { code: 17, c: 'uint8_t' },
  float8e4m3fnuz: { code: 18, c: 'uint8_t' },
  float8e5m2: { code: 19, c: 'uint8_t' },
  float8e5m2fnuz: { code: 20, c: 'uint8_t' },
  uint4: { code: 21, c: 'uint8_t' },
  int4: { code: 22, c: 'uint8_t' },
  float4e2m1: { code: 23, c: 'uint8_t' },
  float8e8m0: { code: 24, c: 'uint8_t' },
  uint2: { code: 25, c: 'uint8_t' },
  int2: { code: 26, c: 'uint8_t' },
} as const satisfies Readonly<Record<ElementType, { readonly code: number; readonly c: string }>>;

type ElementC = (typeof ELEMENT_C)[ElementType]['c'];

/** sizeof the C types above, and the alignment that every ABI of the targets gives them. */
export const C_BYTES: Readonly<Record<ElementC, number>> = {
  uint8_t: 1,
  int8_t: 1,
  uint16_t: 2,
  int16_t: 2,
  uint32_t: 4,
  int32_t: 4,
  uint64_t: 8,
  int64_t: 8,
  float: 4,
  double: 8,
};
