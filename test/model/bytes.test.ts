/** The bytes of whole constants, in every form in which a file can store them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { expect, it } from 'vitest';
import type { ElementType } from '../../src/graph/element-type.ts';
import { encodeValue, readConstantBytes } from '../../src/model/bytes.ts';
import { readModel } from '../../src/model/read.ts';
import { model, node, rawBytes, tempFolder, tensor } from '../support/onnx.ts';

/** Numbers that have all their bits. */
const many = (count: number) => Array.from({ length: count }, (_, i) => ((i * 73) % 255) - 127);

function bytesOf(
  weight: onnx.ITensorProto,
  others: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array | undefined {
  const folder = tempFolder();
  for (const [name, bytes] of Object.entries(others)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const path = join(folder, 'model.onnx');
  writeFileSync(
    path,
    model({ outputs: ['y'], initializers: { w: weight }, nodes: [node('Identity', ['w'], ['y'])] }),
  );
  const constant = readModel(path).graph.tensors.find(({ name }) => name === 'w')!.constant!;
  return readConstantBytes(constant);
}

it.each<readonly [string, ElementType, number]>([
  ['few floats', 'float32', 7],
  ['more floats than decide a shape', 'float32', 70_000],
  ['few bytes', 'int8', 5],
  ['many bytes', 'uint8', 70_001],
  ['wide integers', 'int64', 70_000],
  ['none', 'float32', 0],
])('raw data: %s', (_, type, count) => {
  const values = many(count).map((v) => (type === 'uint8' ? v & 255 : v));
  expect(bytesOf(tensor(type, [count], values))).toEqual(rawBytes(type, values));
});

it.each([3, 70_000])('float_data: %i', (count) => {
  expect(bytesOf({ dataType: 1, dims: [count], floatData: many(count) })).toEqual(
    rawBytes('float32', many(count)),
  );
});

it.each<readonly [ElementType, number, number]>([
  ['int8', 3, 4],
  ['int8', 3, 70_000],
  ['uint8', 2, 70_000],
  ['int32', 6, 70_000],
  ['uint16', 4, 70_000],
])('int32_data as varints: %s', (type, dataType, count) => {
  const values = many(count).map((v) => (type.startsWith('u') ? Math.abs(v) : v));
  expect(bytesOf({ dataType, dims: [count], int32Data: values })).toEqual(rawBytes(type, values));
});

it('int64_data as varints, negative ones in ten bytes', () => {
  const values = many(70_000);
  expect(bytesOf({ dataType: 7, dims: [70_000], int64Data: values })).toEqual(rawBytes('int64', values));
});

it('data of a file of its own, and nothing when it is missing or short', () => {
  const place = (location: string): onnx.ITensorProto => ({
    ...{ dataType: 1, dims: [3], dataLocation: 1 },
    externalData: [
      { key: 'location', value: location },
      { key: 'offset', value: '4' },
    ],
  });
  const file = rawBytes('float32', [9, 1, 2, 3]);
  expect(bytesOf(place('w.bin'), { 'w.bin': file })).toEqual(rawBytes('float32', [1, 2, 3]));
  expect(bytesOf(place('none.bin'))).toBeUndefined();
  expect(bytesOf(place('w.bin'), { 'w.bin': file.subarray(0, 12) })).toBeUndefined();
});

it('values encode to what the type stores', () => {
  expect(encodeValue('int64', [-(2n ** 63n), 1])).toEqual(
    rawBytes('int64', [0, 1]).map((_, i) => (i === 7 ? 128 : i === 8 ? 1 : 0)),
  );
  expect(encodeValue('bool', [0, 1])).toEqual(Uint8Array.from([0, 1]));
  expect(encodeValue('float16', [1])).toBeUndefined();
});
