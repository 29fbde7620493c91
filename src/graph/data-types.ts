/** The numbers that ONNX gives to element types (TensorProto.DataType), in files and in attributes such as Cast's `to`. */
import type { ElementType } from './element-type.ts';

/** By number; 0 is UNDEFINED. Numbers from 17 on are younger than the messages of onnx-proto. */
const BY_NUMBER: readonly (ElementType | undefined)[] = [
  undefined,
  'float32',
  'uint8',
  'int8',
  'uint16',
  'int16',
  'int32',
  'int64',
  'string',
  'bool',
  'float16',
  'float64',
  'uint32',
  'uint64',
  'complex64',
  'complex128',
  'bfloat16',
  'float8e4m3fn',
  'float8e4m3fnuz',
  'float8e5m2',
  'float8e5m2fnuz',
  'uint4',
  'int4',
  'float4e2m1',
  'float8e8m0',
  'uint2',
  'int2',
];

/** undefined: 0, or a number that no version of ONNX has given out. */
export function elementTypeOf(number: number): ElementType | undefined {
  return BY_NUMBER[number];
}

/** The number of an element type. */
export function numberOfType(type: ElementType): number {
  return BY_NUMBER.indexOf(type);
}
