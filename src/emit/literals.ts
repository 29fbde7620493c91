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

/** The C type of one element. Types that C lacks appear as their bits; types below a byte are packed. */
export const ELEMENT_C = {
  bool: 'uint8_t',
  int2: 'uint8_t',
  uint2: 'uint8_t',
  int4: 'uint8_t',
  uint4: 'uint8_t',
  int8: 'int8_t',
  uint8: 'uint8_t',
  int16: 'int16_t',
  uint16: 'uint16_t',
  int32: 'int32_t',
  uint32: 'uint32_t',
  int64: 'int64_t',
  uint64: 'uint64_t',
  float4e2m1: 'uint8_t',
  float8e4m3fn: 'uint8_t',
  float8e4m3fnuz: 'uint8_t',
  float8e5m2: 'uint8_t',
  float8e5m2fnuz: 'uint8_t',
  float8e8m0: 'uint8_t',
  float16: 'uint16_t',
  bfloat16: 'uint16_t',
  float32: 'float',
  float64: 'double',
  complex64: 'float',
  complex128: 'double',
  string: 'uint8_t',
} as const satisfies Readonly<Record<ElementType, string>>;

type ElementC = (typeof ELEMENT_C)[ElementType];

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
