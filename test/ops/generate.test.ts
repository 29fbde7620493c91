/** Tensors from sizes, type changes, and running totals. Lengths of float ranges marked "run": onnxruntime 1.30. */
import { describe, expect, it } from 'vitest';
import { symbol } from '../../src/graph/dims.ts';
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Fact, Scalar, Value } from '../../src/graph/types.ts';
import { findRow } from '../../src/ops/registry.ts';
import { float, type NodeSketch, run, scalar, texts, typed, vector } from '../support/op.ts';

const ints = (...value: Scalar[]): Fact => ({ type: 'int64', shape: [value.length], value });

describe('Range', () => {
  const limits = (type: ElementType, ...values: Value) =>
    values.map((v): Fact => ({ type, shape: [], value: [v] }));
  it.each<readonly [ElementType, number, number, number, number]>([
    ['int64', 3, 10, 2, 4],
    ['int64', 10, 3, -2, 4],
    ['int64', 3, 3, 1, 0],
    ['int64', 5, 3, 1, 0],
    // Run: in float32 1 / 0.1f is just below 10.
    ['float32', 0, 1, Math.fround(0.1), 10],
    ['float32', 0, Math.fround(0.7), Math.fround(0.1), 7],
  ])('%s from %d to %d by %d', (type, start, limit, delta, count) => {
    const sketch = { op: 'Range', inputs: limits(type, start, limit, delta) };
    expect(texts(sketch)).toEqual([`${type}[${count}]`]);
    expect(run(sketch).values![0]).toHaveLength(count);
  });

  it('counts to a dimension', () => {
    expect(texts({ op: 'Range', inputs: limits('int64', 0, symbol('N'), 1) })).toEqual(['int64[N]']);
    expect(texts({ op: 'Range', inputs: limits('int64', 0, symbol('N'), 2) })).toEqual([
      'int64[floor((N + 1)/2)]',
    ]);
    expect(texts({ op: 'Range', inputs: limits('int64', 2, symbol('N'), 1) })).toEqual([
      'int64[max(0, N - 2)]',
    ]);
  });

  it('is of unknown length where data decide, and refuses to stand still', () => {
    const data = typed('int64');
    expect(texts({ op: 'Range', inputs: [data, data, data] })).toEqual(['int64[?0]']);
    expect(() => run({ op: 'Range', inputs: limits('int64', 0, 5, 0) })).toThrow('delta is 0');
  });
});

describe('from sizes', () => {
  it.each<readonly [string, NodeSketch, string]>([
    ['zeros', { op: 'ConstantOfShape', inputs: [ints(2, symbol('N'))] }, 'float32[2,N]'],
    ['a scalar', { op: 'ConstantOfShape', inputs: [ints()] }, 'float32[]'],
    ['unknown sizes', { op: 'ConstantOfShape', inputs: [typed('int64', 2)] }, 'float32[?0,?1]'],
    [
      'an eye of another type',
      { op: 'EyeLike', inputs: [float(2, 3)], attributes: { dtype: 7 } },
      'int64[2,3]',
    ],
    ['random numbers', { op: 'RandomNormal', inputs: [], attributes: { shape: [2, 3] } }, 'float32[2,3]'],
    ['like another', { op: 'RandomUniformLike', inputs: [typed('float16', 'N')] }, 'float16[N]'],
    ['of another type', { op: 'Bernoulli', inputs: [float(4)], attributes: { dtype: 9 } }, 'bool[4]'],
    ['samples', { op: 'Multinomial', inputs: [float(2, 5)], attributes: { sample_size: 3 } }, 'int32[2,3]'],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([expected]);
  });

  it('never takes random numbers for constants', () => {
    const random = [
      'RandomNormal',
      'RandomUniform',
      'RandomNormalLike',
      'RandomUniformLike',
      'Bernoulli',
      'Multinomial',
    ];
    expect(random.map((op) => findRow('', op)?.foldable)).toEqual(random.map(() => false));
  });

  it('evaluates small ones', () => {
    const value = { type: 'int64', shape: [1], place: undefined, value: () => [7] } as const;
    const attributes = { value: { kind: 'tensor', value } } as const;
    expect(run({ op: 'ConstantOfShape', inputs: [ints(2)], attributes }).values).toEqual([[7, 7]]);
    expect(run({ op: 'EyeLike', inputs: [float(2, 3)], attributes: { k: 1 } }).values).toEqual([
      [0, 1, 0, 0, 0, 1],
    ]);
  });

  it('refuses negative sizes', () => {
    expect(() => run({ op: 'ConstantOfShape', inputs: [ints(2, -1)] })).toThrow('[2,-1]');
  });
});

it.each<readonly [string, NodeSketch['attributes'], string, Value]>([
  ['value_int', { value_int: 3 }, 'int64[]', [3]],
  ['value_ints', { value_ints: [3, 4] }, 'int64[2]', [3, 4]],
  ['value_float', { value_float: { float: 0.1 } }, 'float32[]', [Math.fround(0.1)]],
])('reads a Constant from %s', (_, attributes, shape, value) => {
  const sketch = { op: 'Constant', inputs: [], attributes: attributes! };
  expect(texts(sketch)).toEqual([shape]);
  expect(run(sketch).values).toEqual([value]);
});

describe('Cast', () => {
  it.each<readonly [string, ElementType, Scalar, number, Scalar | undefined]>([
    ['drops fractions', 'float32', -2.7, 7, -2],
    ['wraps integers', 'int64', 300, 2, 44],
    ['keeps 64 bits', 'int64', 2n ** 62n + 1n, 7, 2n ** 62n + 1n],
    ['rounds to float32', 'int64', 16777217, 1, 16777216],
    ['makes bool', 'float32', 0.5, 9, 1],
    ['does not know the integer of NaN', 'float32', Number.NaN, 7, undefined],
    ['nor of what is too large', 'float32', 1e30, 7, undefined],
    ['keeps dimensions', 'int64', symbol('N'), 6, symbol('N')],
    ['but not as bool', 'int64', symbol('N'), 9, undefined],
  ])('%s', (_, type, x, to, expected) => {
    const { values } = run({ op: 'Cast', inputs: [{ type, shape: [1], value: [x] }], attributes: { to } });
    expect(values).toEqual([expected === undefined ? undefined : [expected]]);
  });

  it('reads the word of opset 1, and the type of another tensor', () => {
    expect(texts({ op: 'Cast', opset: 1, inputs: [float(2)], attributes: { to: 'DOUBLE' } })).toEqual([
      'float64[2]',
    ]);
    expect(texts({ op: 'Cast', opset: 1, inputs: [float(2)], attributes: { to: 'INT64' } })).toEqual([
      'int64[2]',
    ]);
    expect(texts({ op: 'CastLike', inputs: [float(2), typed('int8')] })).toEqual(['int8[2]']);
  });

  it('refuses a type that ONNX does not have, and bits of another width', () => {
    expect(() => run({ op: 'Cast', inputs: [float(2)], attributes: { to: 99 } })).toThrow('99');
    expect(() => run({ op: 'BitCast', inputs: [float(2)], attributes: { to: 7 } })).toThrow(
      'differ in width',
    );
  });
});

describe('along an axis', () => {
  const x: Fact = { type: 'int64', shape: [2, 3], value: [1, 2, 3, 4, 5, 6] };
  it.each<readonly [string, NodeSketch['attributes'], number, Value]>([
    ['rows', {}, 1, [1, 3, 6, 4, 9, 15]],
    ['columns', {}, 0, [1, 2, 3, 5, 7, 9]],
    ['exclusive', { exclusive: 1 }, -1, [0, 1, 3, 0, 4, 9]],
    ['from the end', { reverse: 1 }, 1, [6, 5, 3, 15, 11, 6]],
  ])('CumSum of %s', (_, attributes, axis, expected) => {
    const inputs = [x, scalar('int64', axis)];
    expect(run({ op: 'CumSum', inputs, attributes: attributes! }).values).toEqual([expected]);
  });

  it('keeps one side of a diagonal', () => {
    expect(run({ op: 'Trilu', inputs: [x] }).values).toEqual([[1, 2, 3, 0, 5, 6]]);
    const lower = { op: 'Trilu', inputs: [x, scalar('int64', -1)], attributes: { upper: 0 } };
    expect(run(lower).values).toEqual([[0, 0, 0, 4, 0, 0]]);
  });

  it('keeps the shape', () => {
    expect(texts({ op: 'ReverseSequence', inputs: [float(4, 'N'), vector('int64', 1)] })).toEqual([
      'float32[4,N]',
    ]);
    expect(texts({ op: 'CumProd', inputs: [typed('int32', 3), scalar('int64', 0)] })).toEqual(['int32[3]']);
  });
});
