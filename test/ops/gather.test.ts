/** Picking and writing by index. Values follow the examples of the ONNX operator pages, computed by hand. */
import { describe, expect, it } from 'vitest';
import { symbol } from '../../src/graph/dims.ts';
import type { Fact, Scalar, Value } from '../../src/graph/types.ts';
import { float, type NodeSketch, run, scalar, texts, typed, vector } from '../support/op.ts';

const ints = (...value: Scalar[]): Fact => ({ type: 'int64', shape: [value.length], value });
const tensor = (shape: readonly number[], value: Value): Fact => ({ type: 'int64', shape, value });

describe('shapes', () => {
  it.each<readonly [string, NodeSketch, string]>([
    ['a scalar index drops the axis', { op: 'Gather', inputs: [float(3, 4), scalar('int64', 1)] }, '[4]'],
    ['a vector of one keeps it', { op: 'Gather', inputs: [float(3, 4), ints(1)] }, '[1,4]'],
    [
      'more axes take its place',
      { op: 'Gather', inputs: [float(3, 4, 5), typed('int64', 2, 'N')], attributes: { axis: 1 } },
      '[3,2,N,5]',
    ],
    ['the indices', { op: 'GatherElements', inputs: [float(3, 4), typed('int64', 2, 4)] }, '[2,4]'],
    ['tuples of indices', { op: 'GatherND', inputs: [float(2, 3, 4), typed('int64', 5, 2)] }, '[5,4]'],
    [
      'tuples behind a batch',
      { op: 'GatherND', inputs: [float(2, 3, 4), typed('int64', 2, 1)], attributes: { batch_dims: 1 } },
      '[2,4]',
    ],
    ['tuples of unknown length', { op: 'GatherND', inputs: [float(2, 3), typed('int64', 5, 'N')] }, '[?]'],
    ['the data', { op: 'ScatterND', inputs: [float(4, 'N'), typed('int64', 1, 1), float(1, 'N')] }, '[4,N]'],
    ['the cache', { op: 'TensorScatter', inputs: [float(2, 8, 4), float(2, 1, 4)] }, '[2,8,4]'],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32${expected}`]);
  });

  it('refuses axes and depths that are not there', () => {
    const axis = { op: 'Gather', inputs: [float(3), ints(0)], attributes: { axis: 1 } };
    expect(() => run(axis)).toThrow('axis 1 is outside');
    expect(() => run({ op: 'GatherND', inputs: [float(3), typed('int64', 1, 2)] })).toThrow('deeper');
    expect(() => run({ op: 'Gather', inputs: [ints(1, 2), ints(2)] })).toThrow('index 2 is outside');
  });
});

describe('values', () => {
  const matrix = tensor([2, 3], [1, 2, 3, 4, 5, 6]);
  it.each<readonly [string, NodeSketch, Value]>([
    ['rows', { op: 'Gather', inputs: [matrix, ints(-1, 0)] }, [4, 5, 6, 1, 2, 3]],
    ['columns', { op: 'Gather', inputs: [matrix, ints(2)], attributes: { axis: 1 } }, [3, 6]],
    ['dimensions', { op: 'Gather', inputs: [ints(3, symbol('N')), scalar('int64', 1)] }, [symbol('N')]],
    [
      'elements',
      { op: 'GatherElements', inputs: [matrix, tensor([2, 2], [0, -1, 1, 0])], attributes: { axis: 1 } },
      [1, 3, 5, 4],
    ],
    ['tuples', { op: 'GatherND', inputs: [matrix, tensor([2, 2], [0, 0, 1, 2])] }, [1, 6]],
    [
      'tuples of a batch',
      { op: 'GatherND', inputs: [matrix, tensor([2, 1], [1, 0])], attributes: { batch_dims: 1 } },
      [2, 4],
    ],
    [
      'scattered elements',
      { op: 'ScatterElements', inputs: [ints(1, 2, 3), ints(2, -3), ints(9, 8)] },
      [8, 2, 9],
    ],
    [
      'scattered rows',
      { op: 'ScatterND', inputs: [matrix, tensor([1, 1], [1]), tensor([1, 3], [7, 8, 9])] },
      [1, 2, 3, 7, 8, 9],
    ],
  ])('%s', (_, sketch, expected) => {
    expect(run(sketch).values).toEqual([expected]);
  });

  it('does not evaluate reductions', () => {
    const inputs = [ints(1, 2), ints(0), ints(9)];
    expect(run({ op: 'ScatterElements', inputs, attributes: { reduction: 'add' } }).values).toEqual([
      undefined,
    ]);
  });
});

describe('selection', () => {
  it.each<readonly [string, NodeSketch, readonly string[]]>([
    ['NonZero of data', { op: 'NonZero', inputs: [float(2, 3)] }, ['int64[2,?0]']],
    ['NonZero of a constant', { op: 'NonZero', inputs: [tensor([2, 2], [1, 0, 0, 1])] }, ['int64[2,2]']],
    ['NonZero of a scalar', { op: 'NonZero', inputs: [scalar('int64', 5)] }, ['int64[1,1]']],
    ['Compress of all', { op: 'Compress', inputs: [float(2, 3), vector('bool', 1, 0, 1)] }, ['float32[2]']],
    [
      'Compress of an axis',
      { op: 'Compress', inputs: [float(2, 3), vector('bool', 0, 1)], attributes: { axis: -1 } },
      ['float32[2,1]'],
    ],
    ['Compress by data', { op: 'Compress', inputs: [float(2, 3), typed('bool', 6)] }, ['float32[?0]']],
    [
      'Unique of data',
      { op: 'Unique', inputs: [float(2, 3)], outputs: 4 },
      ['float32[?0]', 'int64[?0]', 'int64[6]', 'int64[?0]'],
    ],
    [
      'Unique of a constant',
      { op: 'Unique', inputs: [ints(3, 1, 3)] },
      ['int64[2]', 'int64[2]', 'int64[3]', 'int64[2]'],
    ],
    [
      'TopK by an attribute',
      { op: 'TopK', opset: 1, inputs: [float(2, 5)], attributes: { k: 3 }, outputs: 2 },
      ['float32[2,3]', 'int64[2,3]'],
    ],
    [
      'TopK by an input',
      { op: 'TopK', inputs: [float(5, 2), ints(4)], attributes: { axis: 0 }, outputs: 2 },
      ['float32[4,2]', 'int64[4,2]'],
    ],
    [
      'TopK by data',
      { op: 'TopK', inputs: [float(5), typed('int64', 1)], outputs: 2 },
      ['float32[?0]', 'int64[?0]'],
    ],
    ['OneHot at the end', { op: 'OneHot', inputs: [typed('int64', 2), ints(7), float(2)] }, ['float32[2,7]']],
    [
      'OneHot in front',
      { op: 'OneHot', inputs: [typed('int64', 2), scalar('int64', 7), float(2)], attributes: { axis: 0 } },
      ['float32[7,2]'],
    ],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected);
  });

  it('refuses more than there is', () => {
    expect(() => run({ op: 'TopK', inputs: [float(3), ints(4)], outputs: 2 })).toThrow('k is 4');
    expect(() => run({ op: 'OneHot', inputs: [ints(1), ints(0), float(2)] })).toThrow('depth is 0');
  });

  it('finds places, kept elements and marks', () => {
    expect(run({ op: 'NonZero', inputs: [tensor([2, 2], [0, 3, 4, 0])] }).values).toEqual([[0, 1, 1, 0]]);
    expect(run({ op: 'Compress', inputs: [ints(5, 6, 7), vector('bool', 0, 1, 1)] }).values).toEqual([
      [6, 7],
    ]);
    const inputs = [ints(1, -1), scalar('int64', 3), ints(0, 9)];
    expect(run({ op: 'OneHot', inputs }).values).toEqual([[0, 9, 0, 0, 0, 9]]);
  });
});
