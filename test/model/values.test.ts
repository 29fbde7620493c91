/** Elements from bytes. Expected numbers: IEEE 754, the OCP FP8 and MX papers, and the ONNX pages on float8 and int4. */
import { expect, test } from 'vitest';
import type { ElementType } from '../../src/graph/element-type.ts';
import { decodeSmallFloat, type SmallFloat } from '../../src/model/small-floats.ts';
import { decodeBytes, decodeIntegers, varints } from '../../src/model/values.ts';

test.each<[SmallFloat, readonly (readonly [bits: number, value: number])[]]>([
  [
    'float16',
    [
      [0x3c00, 1],
      [0xc000, -2],
      [0x7bff, 65504],
      [0x0001, 2 ** -24],
      [0x0400, 2 ** -14],
      [0x7c00, Infinity],
      [0xfc00, -Infinity],
      [0x7e00, Number.NaN],
      [0x8000, -0],
    ],
  ],
  [
    'bfloat16',
    [
      [0x3f80, 1],
      [0xc049, -3.140625],
      [0x0001, 2 ** -133],
      [0x7f80, Infinity],
      [0x7fc0, Number.NaN],
    ],
  ],
  [
    'float8e4m3fn',
    [
      [0x38, 1],
      [0x7e, 448],
      [0x08, 2 ** -6],
      [0x01, 2 ** -9],
      [0x7f, Number.NaN],
      [0xff, Number.NaN],
      [0xb8, -1],
    ],
  ],
  [
    'float8e4m3fnuz',
    [
      [0x40, 1],
      [0x7f, 240],
      [0x08, 2 ** -7],
      [0x01, 2 ** -10],
      [0x80, Number.NaN],
      [0xc0, -1],
    ],
  ],
  [
    'float8e5m2',
    [
      [0x3c, 1],
      [0x7b, 57344],
      [0x01, 2 ** -16],
      [0x7c, Infinity],
      [0xfc, -Infinity],
      [0x7d, Number.NaN],
    ],
  ],
  [
    'float8e5m2fnuz',
    [
      [0x40, 1],
      [0x7f, 57344],
      [0x01, 2 ** -17],
      [0x80, Number.NaN],
    ],
  ],
  [
    'float8e8m0',
    [
      [0x7f, 1],
      [0x00, 2 ** -127],
      [0xfe, 2 ** 127],
      [0xff, Number.NaN],
    ],
  ],
  [
    'float4e2m1',
    [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6].map((v, bits) => [bits, v] as const),
  ],
])('%s', (type, table) => {
  for (const [bits, value] of table) expect([bits, decodeSmallFloat(type, bits)]).toEqual([bits, value]);
});

test.each<[ElementType, number[], (number | bigint)[]]>([
  ['bool', [0, 1, 2], [0, 1, 1]],
  ['int8', [0, 127, 128, 255], [0, 127, -128, -1]],
  ['uint8', [0, 255], [0, 255]],
  ['int16', [0xff, 0xff, 0x00, 0x80], [-1, -32768]],
  ['uint16', [0xff, 0xff], [65535]],
  ['int32', [0xfe, 0xff, 0xff, 0xff], [-2]],
  ['uint32', [0xff, 0xff, 0xff, 0xff], [4294967295]],
  ['int64', [1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [1, -1]],
  ['int64', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [2n ** 63n - 1n]],
  ['int64', [0, 0, 0, 0, 0, 0, 0, 0x80], [-(2n ** 63n)]],
  ['int64', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0], [2 ** 53 - 1]],
  ['int64', [0, 0, 0, 0, 0, 0, 0x20, 0], [2n ** 53n]],
  ['uint64', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [2n ** 64n - 1n]],
  ['float32', [0, 0, 0x80, 0x3f, 0xcd, 0xcc, 0xcc, 0x3d], [1, Math.fround(0.1)]],
  ['float64', [0, 0, 0, 0, 0, 0, 0xf0, 0x3f], [1]],
  ['int4', [0x7f, 0x98], [-1, 7, -8, -7]],
  ['int4', [0x21, 0x03], [1, 2, 3]],
  ['uint4', [0xf0], [0, 15]],
  ['int2', [0b11_10_01_00], [0, 1, -2, -1]],
  ['uint2', [0b11_10_01_00], [0, 1, 2, 3]],
  ['float4e2m1', [0x72], [1, 6]],
  ['float16', [0x00, 0x3c, 0x00, 0xc0], [1, -2]],
  ['bfloat16', [0x80, 0x3f], [1]],
])('%s from bytes %j', (type, bytes, values) => {
  // At an odd place in a larger buffer, as raw_data lies in a file.
  const buffer = Uint8Array.from([0xaa, ...bytes, 0xaa]);
  expect(decodeBytes(type, buffer.subarray(1, 1 + bytes.length), values.length)).toEqual(values);
  expect(decodeBytes(type, buffer.subarray(1, bytes.length), values.length)).toBeUndefined();
});

test.each<ElementType>(['string', 'complex64', 'complex128'])('%s has no values', (type) => {
  expect(decodeBytes(type, new Uint8Array(64), 2)).toBeUndefined();
});

test.each<[string, ElementType, (number | bigint)[], (number | bigint)[]]>([
  ['int32', 'int32', [-1, 2 ** 31 - 1], [-1, 2 ** 31 - 1]],
  ['int8', 'int8', [-128, 127], [-128, 127]],
  ['uint8', 'uint8', [255], [255]],
  ['uint16', 'uint16', [65535], [65535]],
  ['bool', 'bool', [1, 0], [1, 0]],
  ['bits of float16', 'float16', [0x3c00, 0xc000], [1, -2]],
  ['bits of bfloat16', 'bfloat16', [0x3f80], [1]],
  ['bits of float8', 'float8e4m3fn', [0x38, 0x7e], [1, 448]],
  ['int4, packed in bytes', 'int4', [0x7f, 0x98], [-1, 7, -8, -7]],
  ['int4, one element each', 'int4', [-1, 7, -8, -7], [-1, 7, -8, -7]],
  ['uint4, odd count', 'uint4', [0x21, 0x03], [1, 2, 3]],
  ['uint2, packed', 'uint2', [0b11_10_01_00], [0, 1, 2, 3]],
  ['int64', 'int64', [5, -(2n ** 63n)], [5, -(2n ** 63n)]],
  ['uint32 of uint64_data', 'uint32', [4294967295], [4294967295]],
  ['uint64 that wrapped', 'uint64', [-1n], [2n ** 64n - 1n]],
])('from integers: %s', (_, type, integers, values) => {
  expect(decodeIntegers(type, integers, values.length)).toEqual(values);
});

test('too few integers are no value', () => {
  expect(decodeIntegers('int32', [1], 2)).toBeUndefined();
});

test('varints, negative ones in ten bytes', () => {
  const minusOne = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
  expect(varints(Uint8Array.from([0, 0x7f, 0x80, 0x01, ...minusOne]))).toEqual([0n, 127n, 128n, -1n]);
});
