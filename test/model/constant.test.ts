/** Weights in every form a file can hold them: type, shape, place, and elements on demand. */
import { readFileSync } from 'node:fs';
import type { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { numberOfType } from '../../src/graph/data-types.ts';
import type { ElementType } from '../../src/graph/element-type.ts';
import { type Constant, MAX_VALUE_ELEMENTS } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import {
  type AttributeSpec,
  concat,
  field,
  float,
  floats,
  model,
  node,
  rawBytes,
  tensor,
  varint,
  writeTemp,
} from '../support/onnx.ts';
import { faults, lines, read, tensorOf } from '../support/read.ts';

let files = 0;

/** The constant that an initializer becomes, and the file it came from. */
function weight(proto: onnx.ITensorProto): { readonly constant: Constant; readonly path: string } {
  const path = writeTemp(model({ outputs: ['w'], initializers: { w: proto } }), `weight-${files++}.onnx`);
  return { path, constant: tensorOf(readModel(path).graph, 'w').constant! };
}

function typed(type: ElementType, shape: number[], data: Partial<onnx.ITensorProto>): onnx.ITensorProto {
  return { dataType: numberOfType(type), dims: shape, ...data };
}

describe('typed fields', () => {
  test.each<[ElementType, number[], Partial<onnx.ITensorProto>, readonly (number | bigint)[]]>([
    ['float32', [2], { floatData: [1.5, -2] }, [1.5, -2]],
    ['float64', [2], { doubleData: [0.1, 3] }, [0.1, 3]],
    ['int64', [3], { int64Data: [0, -1, 7] }, [0, -1, 7]],
    ['int32', [2], { int32Data: [-5, 6] }, [-5, 6]],
    ['int8', [2], { int32Data: [-5, 6] }, [-5, 6]],
    ['uint8', [2], { int32Data: [0, 255] }, [0, 255]],
    ['bool', [2], { int32Data: [1, 0] }, [1, 0]],
    ['float16', [2], { int32Data: [0x3c00, 0xc000] }, [1, -2]],
    ['bfloat16', [1], { int32Data: [0x3f80] }, [1]],
    ['uint4', [3], { int32Data: [0x21, 0x03] }, [1, 2, 3]],
    ['uint32', [1], { uint64Data: [4294967295] }, [4294967295]],
    ['uint64', [1], { uint64Data: [12] }, [12]],
    ['int64', [], { int64Data: [9] }, [9]],
    ['int64', [0], {}, []],
  ])('%s %j', (type, shape, data, values) => {
    const { constant } = weight(typed(type, shape, data));
    expect(constant).toMatchObject({ type, shape });
    expect(constant.value()).toEqual(values);
  });

  test('a weight without data keeps its shape', () => {
    const { constant } = weight(tensor('float32', [1000, 1000]));
    expect(constant).toMatchObject({ shape: [1000, 1000], place: undefined });
    expect(constant.value()).toBeUndefined();
    expect(weight(tensor('float32', [2])).constant.value()).toBeUndefined();
  });

  test('strings have a shape and no elements', () => {
    const { constant } = weight(
      typed('string', [2], { stringData: [new Uint8Array([65]), new Uint8Array([66])] }),
    );
    expect(constant).toMatchObject({ type: 'string', shape: [2] });
    expect(constant.value()).toBeUndefined();
  });

  test('elements in one field each are as good as packed ones', () => {
    const loose = concat([1, 2, 300].map((v) => concat([varint(7 * 8), varint(v)])));
    const proto = concat([
      field(1, varint(3)),
      varint(2 * 8),
      varint(7),
      field(8, new TextEncoder().encode('w')),
      loose,
    ]);
    const graph = concat([field(5, proto), field(12, field(1, new TextEncoder().encode('w')))]);
    const path = writeTemp(concat([varint(8), varint(8), field(7, graph)]), 'loose.onnx');
    expect(tensorOf(readModel(path).graph, 'w').constant!.value()).toEqual([1, 2, 300]);
  });
});

describe('places', () => {
  test.each([10, 2000, 100_000])('%d float32 elements lie where the file has them', (count) => {
    const values = Array.from({ length: count }, (_, i) => i - 5);
    for (const proto of [
      tensor('float32', [count], values),
      typed('float32', [count], { floatData: values }),
    ]) {
      const { constant, path } = weight(proto);
      const { file, offset, bytes } = constant.place!;
      expect([file, bytes]).toEqual([null, count * 4]);
      expect(readFileSync(path).subarray(offset, offset + bytes)).toEqual(
        Buffer.from(rawBytes('float32', values)),
      );
      expect(constant.value()).toEqual(count <= MAX_VALUE_ELEMENTS ? values : undefined);
    }
  });

  test('long lists of varints are read from the file, and have no place', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => (i % 3) - 1 + i * 1000);
    const { constant } = weight(typed('int64', [20_000], { int64Data: values }));
    expect(constant.place).toBeUndefined();
    expect(constant.value()).toEqual(values);
    const bytes = values.map((v) => v & 0xff);
    expect(weight(typed('uint8', [20_000], { int32Data: bytes })).constant.value()).toEqual(bytes);
  });
});

describe('Constant nodes', () => {
  const sparse: onnx.ISparseTensorProto = {
    values: tensor('float32', [2], [5, 7]),
    indices: tensor('int64', [2], [1, 4]),
    dims: [2, 3],
  };
  test.each<[string, AttributeSpec, ElementType, number[], readonly number[] | undefined]>([
    ['value', { tensor: tensor('int64', [2], [3, 4]) }, 'int64', [2], [3, 4]],
    ['value_int', 5, 'int64', [], [5]],
    ['value_ints', [1, -2, 3], 'int64', [3], [1, -2, 3]],
    ['value_float', float(0.5), 'float32', [], [0.5]],
    ['value_floats', floats(1, 2), 'float32', [2], [1, 2]],
    ['value_string', 'text', 'string', [], undefined],
    ['value_strings', ['a', 'b'], 'string', [2], undefined],
    ['sparse_value', { sparse }, 'float32', [2, 3], [0, 5, 0, 0, 7, 0]],
  ])('%s', (name, value, type, shape, elements) => {
    const { graph } = read({
      outputs: ['y'],
      nodes: [node('Constant', [], ['c'], { [name]: value }), node('Neg', ['c'], ['y'])],
    });
    const c = tensorOf(graph, 'c');
    expect(c).toMatchObject({ role: 'weight', constant: { type, shape } });
    expect(c.constant!.value()).toEqual(elements);
    expect(lines(graph)).toEqual(['Neg #1: Neg(c) -> y']);
  });

  test('may be a graph output, and may stand in a body', () => {
    const { graph } = read({ outputs: ['c'], nodes: [node('Constant', [], ['c'], { value_int: 1 })] });
    expect(graph.nodes).toEqual([]);
    expect(graph.tensors.map((t) => [t.name, t.role])).toEqual([['c', 'weight']]);
  });

  test('of another domain are operators', () => {
    const { graph } = read({
      outputs: ['c'],
      nodes: [node('Constant', [], ['c'], { value_int: 1 }, { domain: 'own' })],
    });
    expect(graph.nodes.map((n) => n.op)).toEqual(['Constant']);
  });

  test('must have exactly one value', () => {
    const constant = (attributes: Record<string, AttributeSpec>) =>
      faults({ outputs: ['c'], nodes: [node('Constant', [], ['c'], attributes)] });
    expect(constant({})).toEqual([['E_MODEL', 'The Constant node Constant #0 has no value.']]);
    expect(constant({ value_int: 1, value_ints: [1] })).toEqual([
      ['E_MODEL', 'The Constant node Constant #0 has more than one value (value_int, value_ints).'],
    ]);
    expect(constant({ value: 3 })).toEqual([
      ['E_MODEL', 'The Constant node Constant #0 has a value of the wrong kind (attribute type 2).'],
    ]);
  });
});

describe('sparse weights', () => {
  const dims = [3, 4];
  test.each<[string, onnx.ITensorProto]>([
    ['positions', tensor('int64', [3], [0, 5, 11])],
    ['coordinates', tensor('int64', [3, 2], [0, 0, 1, 1, 2, 3])],
  ])('unpacked from %s', (_, indices) => {
    const values = { ...tensor('float32', [3], [1, 2, 3]), name: 's' };
    const { graph } = read({ outputs: ['s'], sparseInitializers: [{ values, indices, dims }] });
    const { constant } = tensorOf(graph, 's');
    expect(constant).toMatchObject({ type: 'float32', shape: dims });
    expect(constant!.value()).toEqual([1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3]);
  });

  test('indices out of range are no value', () => {
    const values = { ...tensor('float32', [1], [1]), name: 's' };
    const { graph } = read({
      outputs: ['s'],
      sparseInitializers: [{ values, indices: tensor('int64', [1], [12]), dims }],
    });
    expect(tensorOf(graph, 's').constant!.value()).toBeUndefined();
  });
});

test('long attribute lists: values where they may decide a shape, a tensor where they cannot', () => {
  const long = Array.from({ length: 5000 }, (_, i) => i);
  // As proto3 writers do: packed into one field.
  const packed = (count: number): Uint8Array => {
    const ints = concat(Array.from({ length: count }, (_, i) => varint(i)));
    const attribute = concat([
      field(1, new TextEncoder().encode('value_ints')),
      field(8, ints),
      varint(20 * 8),
      varint(7),
    ]);
    const constant = concat([
      field(2, new TextEncoder().encode('c')),
      field(4, new TextEncoder().encode('Constant')),
      field(5, attribute),
    ]);
    const graph = concat([field(1, constant), field(12, field(1, new TextEncoder().encode('c')))]);
    return concat([varint(8), varint(8), field(8, concat([varint(16), varint(13)])), field(7, graph)]);
  };
  const short = tensorOf(readModel(writeTemp(packed(5000), 'packed.onnx')).graph, 'c').constant!;
  expect([short.type, short.shape]).toEqual(['int64', [5000]]);
  expect(short.value()).toEqual(long);
  const huge = tensorOf(readModel(writeTemp(packed(70_000), 'packed-70000.onnx')).graph, 'c').constant!;
  expect([huge.type, huge.shape, huge.value()]).toEqual(['int64', [70_000], undefined]);
});

describe('faults', () => {
  test.each<[string, onnx.ITensorProto, string, RegExp]>([
    ['no type', { dims: [1] }, 'E_TYPE', /w has the element type number 0/],
    ['a type from the future', { dataType: 99, dims: [1] }, 'E_TYPE', /w has the element type number 99/],
    [
      'a negative dimension',
      typed('float32', [2, -1], {}),
      'E_MODEL',
      /w has a negative dimension: \[2,-1\]/,
    ],
    [
      'too large a product',
      typed('float32', [2 ** 30, 2 ** 30], {}),
      'E_TOO_LARGE',
      /w of shape \[1073741824,1073741824\]/,
    ],
    [
      'too many dimensions',
      typed('float32', new Array<number>(65).fill(1), {}),
      'E_MODEL',
      /w has 65 dimensions/,
    ],
    [
      'raw_data too short',
      typed('float32', [3], { rawData: new Uint8Array(11) }),
      'E_MODEL',
      /needs 12 bytes, but its raw_data has 11/,
    ],
    [
      'raw_data too long',
      typed('int4', [3], { rawData: new Uint8Array(3) }),
      'E_MODEL',
      /needs 2 bytes, but its raw_data has 3/,
    ],
  ])('%s', (_, proto, code, text) => {
    const [found, said] = faults({ outputs: ['w'], initializers: { w: proto } })[0]!;
    expect(found).toBe(code);
    expect(said).toMatch(text);
  });
});
