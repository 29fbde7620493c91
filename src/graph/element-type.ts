/** Element types and their true sizes in bits. */

/** Bits per element. Source: the ONNX data type list; sub-byte types are packed (two or four to a byte). */
export const ELEMENT_BITS = {
  bool: 8,
  int2: 2,
  uint2: 2,
  int4: 4,
  uint4: 4,
  int8: 8,
  uint8: 8,
  int16: 16,
  uint16: 16,
  int32: 32,
  uint32: 32,
  int64: 64,
  uint64: 64,
  float4e2m1: 4,
  float8e4m3fn: 8,
  float8e4m3fnuz: 8,
  float8e5m2: 8,
  float8e5m2fnuz: 8,
  float8e8m0: 8,
  float16: 16,
  bfloat16: 16,
  float32: 32,
  float64: 64,
  complex64: 64,
  complex128: 128,
  /** No static size. */
  string: 0,
} as const satisfies Readonly<Record<string, number>>;

export type ElementType = keyof typeof ELEMENT_BITS;

/** Bytes of a tensor of `elements` elements, rounded up to whole bytes. Strings: undefined. */
export function tensorBytes(type: ElementType, elements: number): number | undefined {
  if (type === 'string') return undefined;
  return Math.ceil((elements * ELEMENT_BITS[type]) / 8);
}

/** Width of one element in bytes, at least 1: the smallest sensible alignment. Strings: 1. */
export function elementWidth(type: ElementType): number {
  return Math.max(1, ELEMENT_BITS[type] / 8);
}

export function isInteger(type: ElementType): boolean {
  return /^u?int/.test(type);
}

export function isFloat(type: ElementType): boolean {
  return /^b?float/.test(type);
}
