/** What the file declares: element types, open dimensions, containers, quantisation. */
import type { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { elementTypeOf, numberOfType } from '../../src/graph/data-types.ts';
import { symbol } from '../../src/graph/dims.ts';
import { ELEMENT_BITS, type ElementType } from '../../src/graph/element-type.ts';
import { float, graph, node, type TensorSpec, tensor, typeProto } from '../support/onnx.ts';
import { faults, read, tensorOf } from '../support/read.ts';

function declared(type: TensorSpec | onnx.ITypeProto) {
  return tensorOf(read({ inputs: { x: type }, outputs: ['x'] }).graph, 'x').declared;
}

test('every element type has a number, and every number up to 26 a type', () => {
  const types = Object.keys(ELEMENT_BITS) as ElementType[];
  for (const type of types) expect(elementTypeOf(numberOfType(type))).toBe(type);
  expect(new Set(types.map(numberOfType)).size).toBe(types.length);
  expect([0, 27, -1, 1.5].map(elementTypeOf)).toEqual([undefined, undefined, undefined, undefined]);
  // TensorProto.DataType of onnx.proto.
  expect([1, 7, 9, 16, 17, 21, 22, 23, 24, 25, 26].map(elementTypeOf)).toEqual([
    'float32',
    'int64',
    'bool',
    'bfloat16',
    'float8e4m3fn',
    'uint4',
    'int4',
    'float4e2m1',
    'float8e8m0',
    'uint2',
    'int2',
  ]);
});

describe('dimensions', () => {
  test.each<[string, TensorSpec, unknown]>([
    ['known', ['int8', [2, 0, 3]], { type: 'int8', shape: [2, 0, 3] }],
    ['a scalar', ['float32', []], { type: 'float32', shape: [] }],
    ['no rank', ['float32', undefined], { type: 'float32', shape: undefined }],
    ['named', ['float32', ['N', 3]], { type: 'float32', shape: [symbol('N'), 3] }],
    [
      'unnamed',
      ['float32', [null, 3, null]],
      { type: 'float32', shape: [symbol('x[0]'), 3, symbol('x[2]')] },
    ],
    ['an empty name is none', ['float32', ['']], { type: 'float32', shape: [symbol('x[0]')] }],
    [
      'a negative number is an open one',
      ['float32', [-1, 4]],
      { type: 'float32', shape: [symbol('x[0] (-1)'), 4] },
    ],
  ])('%s', (_, type, fact) => {
    expect(declared(type)).toEqual(fact);
  });

  test.each<[string, TensorSpec, string]>([
    ['one beyond 2^53', ['int8', [2 ** 53]], 'E_TOO_LARGE'],
    ['a product beyond 2^53', ['int8', [2 ** 30, 2 ** 30]], 'E_TOO_LARGE'],
    ['bytes beyond 2^53', ['float64', [2 ** 51]], 'E_TOO_LARGE'],
    ['an open dimension does not hide the others', ['int8', ['N', 2 ** 40, 2 ** 40]], 'E_TOO_LARGE'],
    ['too many', ['int8', new Array<number>(65).fill(1)], 'E_MODEL'],
  ])('refused: %s', (_, type, code) => {
    expect(faults({ inputs: { x: type }, outputs: ['x'] }).map(([c]) => c)).toEqual([code]);
  });

  test('the largest that can be counted', () => {
    expect(declared(['int8', [2 ** 53 - 1]])!.shape).toEqual([2 ** 53 - 1]);
  });
});

describe('types that are no plain tensors', () => {
  const int = typeProto(['int64', [2, 'N']]);
  test.each<[string, onnx.ITypeProto, unknown]>([
    [
      'sequence',
      { sequenceType: { elemType: int } },
      { type: 'int64', shape: [2, symbol('N')], container: 'sequence' },
    ],
    [
      'optional',
      { optionalType: { elemType: int } },
      { type: 'int64', shape: [2, symbol('N')], container: 'optional' },
    ],
    [
      'optional sequence',
      { optionalType: { elemType: { sequenceType: { elemType: int } } } },
      { type: 'int64', shape: [2, symbol('N')], container: 'optional' },
    ],
    [
      'map',
      { mapType: { keyType: 7, valueType: typeProto(['float32', undefined]) } },
      { type: 'float32', shape: undefined, container: 'map' },
    ],
    [
      'sparse',
      { sparseTensorType: { elemType: 1, shape: { dim: [{ dimValue: 9 }] } } },
      { type: 'float32', shape: [9], container: 'sparse' },
    ],
    [
      'a sequence of nothing',
      { sequenceType: {} },
      { type: 'string', shape: undefined, container: 'sequence' },
    ],
    ['no type at all', {}, undefined],
    ['an undefined element type', { tensorType: { elemType: 0, shape: { dim: [] } } }, undefined],
  ])('%s', (_, type, fact) => {
    expect(declared(type)).toEqual(fact);
  });

  test('an element type from the future is refused with its number', () => {
    expect(faults({ inputs: { x: { tensorType: { elemType: 77 } } }, outputs: ['x'] })).toEqual([
      ['E_TYPE', 'The tensor x has the element type number 77, which ONNX does not define.'],
    ]);
  });
});

test('value_info of nodes and of bodies; the declaration with a shape wins', () => {
  const branch = graph({
    outputs: { o: ['float32', [1]] },
    valueInfo: { o: ['float32', undefined] },
    nodes: [node('Abs', ['m'], ['o'])],
  });
  const { graph: g } = read({
    inputs: { c: ['bool', []], x: ['float32', [4]] },
    outputs: { y: ['float32', undefined] },
    valueInfo: { m: ['float32', [4]], y: ['float32', [1]], nobody: ['int8', [1]] },
    nodes: [
      node('Relu', ['x'], ['m']),
      node('If', ['c'], ['y'], { then_branch: branch, else_branch: branch }, { name: 'i' }),
    ],
  });
  expect(tensorOf(g, 'm').declared).toEqual({ type: 'float32', shape: [4] });
  expect(tensorOf(g, 'y').declared).toEqual({ type: 'float32', shape: [1] });
  expect(tensorOf(g, 'i/else_branch/o').declared).toEqual({ type: 'float32', shape: [1] });
});

describe('quantisation annotations', () => {
  const parameters = (scale: string, zero?: string): onnx.ITensorAnnotation => ({
    tensorName: 'y',
    quantParameterTensorNames: [
      { key: 'SCALE_TENSOR', value: scale },
      ...(zero === undefined ? [] : [{ key: 'ZERO_POINT_TENSOR', value: zero }]),
    ],
  });
  const quantOf = (annotation: onnx.ITensorAnnotation, scale = [0.5]) =>
    tensorOf(
      read({
        inputs: { x: ['uint8', [4]] },
        outputs: { y: ['uint8', [4]] },
        initializers: { s: tensor('float32', [scale.length], scale), z: tensor('uint8', [1], [128]) },
        nodes: [node('Identity', ['x'], ['y'])],
        quantization: [annotation],
      }).graph,
      'y',
    ).declared!.quant;

  test('scale and zero point are kept with the declaration', () => {
    expect(quantOf(parameters('s', 'z'))).toEqual({ scale: [0.5], zeroPoint: [128], axis: null });
    expect(quantOf(parameters('s'))).toEqual({ scale: [0.5], zeroPoint: [0], axis: null });
  });

  test('what makes no sense is left out', () => {
    expect(quantOf(parameters('nowhere'))).toBeUndefined();
    expect(quantOf(parameters('s'), [Number.NaN])).toBeUndefined();
    expect(quantOf(parameters('s'), [0])).toBeUndefined();
    expect(quantOf(parameters('s'), [0.5, 0.25])).toBeUndefined();
  });
});

test('attributes of every kind', () => {
  const { graph: g } = read({
    inputs: { x: ['float32', [1]] },
    outputs: ['y'],
    nodes: [
      node('Own', ['x'], ['y'], {
        i: 3,
        negative: -(2 ** 40),
        f: float(0.1),
        s: 'größe',
        is: [1, -1],
        ss: ['a', 'b'],
        t: { tensor: tensor('int8', [2], [1, 2]) },
        p: { type: typeProto(['float16', ['N']]) },
        none: { floats: [] },
      }),
    ],
  });
  const attributes = g.nodes[0]!.attributes;
  expect([...attributes].filter(([k]) => k !== 't')).toEqual([
    ['i', { kind: 'int', value: 3 }],
    ['negative', { kind: 'int', value: -(2 ** 40) }],
    ['f', { kind: 'float', value: Math.fround(0.1) }],
    ['s', { kind: 'string', value: 'größe' }],
    ['is', { kind: 'ints', value: [1, -1] }],
    ['ss', { kind: 'strings', value: ['a', 'b'] }],
    ['p', { kind: 'type', value: { type: 'float16', shape: [symbol('N')] } }],
    ['none', { kind: 'floats', value: [] }],
  ]);
  expect(attributes.get('t')).toMatchObject({ kind: 'tensor', value: { type: 'int8', shape: [2] } });
});

test('attributes of files that do not state their kind (IR version 1)', () => {
  const proto = node('Own', ['x'], ['y'], {
    i: 0,
    f: float(0),
    s: '',
    is: [1],
    t: { tensor: tensor('int8', [0]) },
  });
  for (const attribute of proto.attribute!) delete attribute.type;
  const { graph: g } = read({
    ir: 1,
    opset: null,
    inputs: { x: ['float32', [1]] },
    outputs: ['y'],
    nodes: [proto],
  });
  expect([...g.nodes[0]!.attributes].map(([k, a]) => [k, a.kind])).toEqual([
    ['i', 'int'],
    ['f', 'float'],
    ['s', 'string'],
    ['is', 'ints'],
    ['t', 'tensor'],
  ]);
});
