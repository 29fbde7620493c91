/** Views and moves: sizes from the operator pages of ONNX; values by hand. */
import { describe, expect, it } from 'vitest';
import { symbol } from '../../src/graph/dims.ts';
import type { Fact, Scalar, Value } from '../../src/graph/types.ts';
import { opContext } from '../../src/ops/context.ts';
import { findRow } from '../../src/ops/registry.ts';
import { float, type NodeSketch, run, scalar, texts, typed, vector } from '../support/op.ts';

const ints = (...value: Scalar[]): Fact => ({ type: 'int64', shape: [value.length], value });
const matrix = (rows: number, columns: number, ...value: number[]): Fact => ({
  type: 'int64',
  shape: [rows, columns],
  value,
});

describe('Reshape', () => {
  it.each<readonly [string, Fact, readonly Scalar[], string]>([
    ['takes sizes as they are', float(2, 6), [3, 4], '[3,4]'],
    ['finds out -1', float(2, 6), [4, -1], '[4,3]'],
    // The copied 0 belongs to the product that -1 divides by.
    ['copies where there is a 0', float(2, 3, 4), [0, -1], '[2,12]'],
    ['makes a scalar', float(1, 1), [], '[]'],
    ['carries open dimensions', float('N', 3, 4), [symbol('N'), -1], '[N,12]'],
    ['divides them', float('N', 8), [-1, 4], '[2*N,4]'],
  ])('%s', (_, x, shape, expected) => {
    expect(texts({ op: 'Reshape', inputs: [x, ints(...shape)] })).toEqual([`float32${expected}`]);
  });

  it('takes a 0 for a size with allowzero', () => {
    const sketch = { op: 'Reshape', inputs: [float(0, 3), ints(3, 0)], attributes: { allowzero: 1 } };
    expect(texts(sketch)).toEqual(['float32[3,0]']);
  });

  it('takes the shape from an attribute before opset 5', () => {
    expect(texts({ op: 'Reshape', opset: 1, inputs: [float(2, 3)], attributes: { shape: [3, -1] } })).toEqual(
      ['float32[3,2]'],
    );
  });

  it.each<readonly [string, Fact, readonly number[], string]>([
    ['a rest', float(7), [2, -1], '[7] has 7 elements'],
    ['another count', float(2, 3), [2, 4], '(8)'],
    ['two open sizes', float(6), [-1, -1], 'two sizes open'],
    ['-1 beside a 0', float(0, 3), [0, -1], 'cannot be found out'],
    ['a copy of an axis that is not there', float(6), [6, 0], 'copies axis 1'],
    ['a size below -1', float(6), [-2, 3], 'below -1'],
  ])('refuses %s', (_, x, shape, message) => {
    expect(() => run({ op: 'Reshape', inputs: [x, ints(...shape)] })).toThrow(message);
  });

  it('knows the rank, and a vector, where the sizes are computed', () => {
    const unknown = (count: number): Fact => ({ type: 'int64', shape: [count] });
    expect(texts({ op: 'Reshape', inputs: [float(2, 3), unknown(3)] })).toEqual(['float32[?0,?1,?2]']);
    expect(texts({ op: 'Reshape', inputs: [float(2, 3), unknown(1)] })).toEqual(['float32[6]']);
  });
});

describe('Flatten', () => {
  it.each([
    [undefined, '[2,12]'],
    [0, '[1,24]'],
    [3, '[24,1]'],
    [-1, '[6,4]'],
  ])('at axis %s', (axis, expected) => {
    const attributes = axis === undefined ? {} : { axis };
    expect(texts({ op: 'Flatten', inputs: [float(2, 3, 4)], attributes })).toEqual([`float32${expected}`]);
  });

  it('makes [1,1] of a scalar', () => {
    expect(texts({ op: 'Flatten', inputs: [float()], attributes: { axis: 0 } })).toEqual(['float32[1,1]']);
  });
});

describe('Squeeze and Unsqueeze', () => {
  it.each<readonly [string, NodeSketch, string]>([
    [
      'an attribute before 13',
      { op: 'Squeeze', opset: 11, inputs: [float(1, 3, 1)], attributes: { axes: [-1] } },
      '[1,3]',
    ],
    ['an input from 13', { op: 'Squeeze', inputs: [float(1, 3, 1), ints(0)] }, '[3,1]'],
    ['every 1 without axes', { op: 'Squeeze', inputs: [float(1, 3, 1)] }, '[3]'],
    ['not every 1 while a size is open', { op: 'Squeeze', inputs: [float(1, 'N')] }, '[?]'],
    ['added axes count in the result', { op: 'Unsqueeze', inputs: [float(3), ints(0, -1)] }, '[1,3,1]'],
    ['an attribute', { op: 'Unsqueeze', opset: 11, inputs: [float(3)], attributes: { axes: [1] } }, '[3,1]'],
    ['a scalar grows', { op: 'Unsqueeze', inputs: [float(), ints(0)] }, '[1]'],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32${expected}`]);
  });

  it('refuses to squeeze what is not 1, and an axis twice', () => {
    expect(() => run({ op: 'Squeeze', inputs: [float(2, 1), ints(0)] })).toThrow('axis 0 of [2,1] is 2');
    expect(() => run({ op: 'Unsqueeze', inputs: [float(2), ints(0, -3)] })).toThrow('repeat');
  });

  it('says that an empty list of axes is read in two ways', () => {
    const { facts, notes } = run({ op: 'Squeeze', inputs: [float(1, 3), ints()] });
    expect(facts[0]!.shape).toEqual([3]);
    expect(notes).toHaveLength(1);
  });
});

/** The views that a row reports, as `output<-input+offset`. */
function views(sketch: NodeSketch): readonly string[] {
  const facts = sketch.inputs;
  const row = findRow('', sketch.op)!;
  const attributes = new Map(
    Object.entries(sketch.attributes ?? {}).map(
      ([k, v]) => [k, { kind: 'ints', value: v as number[] }] as const,
    ),
  );
  const context = opContext(
    {
      ...{ name: 'n', label: 'n', index: 0, op: sketch.op, domain: '', bodies: [], outputs: [9] },
      attributes,
      inputs: facts.map((fact, i) => (fact === undefined ? undefined : i)),
    },
    {
      opset: () => 17,
      fact: (tensor) => facts[tensor],
      declared: () => undefined,
      unknownDim: () => symbol('?'),
      boundedDim: () => symbol('?'),
      unknownRank: () => undefined,
      nameOf: () => 'n',
      equate: () => undefined,
      inferBody: () => [],
      report: () => undefined,
    },
  );
  return (row.views?.(context, []) ?? []).map((view) => `${view.output}<-${view.input}`);
}

describe('views', () => {
  const flag = (value: number): Fact => scalar('bool', value);
  it.each<readonly [string, NodeSketch, boolean]>([
    ['Reshape', { op: 'Reshape', inputs: [float(2, 3), ints(6)] }, true],
    ['Identity', { op: 'Identity', inputs: [float(2)] }, true],
    ['Dropout', { op: 'Dropout', inputs: [float(2)] }, true],
    ['Dropout that does not train', { op: 'Dropout', inputs: [float(2), float(), flag(0)] }, true],
    ['Dropout that trains', { op: 'Dropout', inputs: [float(2), float(), flag(1)] }, false],
    ['Dropout that may train', { op: 'Dropout', inputs: [float(2), float(), typed('bool')] }, false],
    [
      'Transpose of unit axes',
      { op: 'Transpose', inputs: [float(1, 3, 1, 4)], attributes: { perm: [1, 0, 3, 2] } },
      true,
    ],
    ['Transpose', { op: 'Transpose', inputs: [float(2, 3)], attributes: { perm: [1, 0] } }, false],
    [
      'Transpose of an open axis',
      { op: 'Transpose', inputs: [float('N', 3)], attributes: { perm: [1, 0] } },
      false,
    ],
    ['Transpose of one row', { op: 'Transpose', inputs: [float(1, 3)] }, true],
  ])('%s', (_, sketch, isView) => {
    expect(views(sketch)).toEqual(isView ? ['0<-0'] : []);
  });
});

describe('Transpose and blocks', () => {
  it('permutes sizes and elements', () => {
    expect(texts({ op: 'Transpose', inputs: [float(2, 'N', 4)] })).toEqual(['float32[4,N,2]']);
    expect(run({ op: 'Transpose', inputs: [matrix(2, 3, 1, 2, 3, 4, 5, 6)] }).values).toEqual([
      [1, 4, 2, 5, 3, 6],
    ]);
  });

  it('takes a per-channel quantisation along', () => {
    const quant = { scale: [1, 2, 3], zeroPoint: [0, 0, 0], axis: 0 };
    const x: Fact = { type: 'int8', shape: [3, 2], quant };
    expect(run({ op: 'Transpose', inputs: [x] }).facts[0]!.quant).toEqual({ ...quant, axis: 1 });
    expect(run({ op: 'Reshape', inputs: [x, ints(6)] }).facts[0]!.quant).toBeUndefined();
  });

  it.each<readonly [string, Fact, string]>([
    ['DepthToSpace', float(1, 8, 2, 'W'), '[1,2,4,2*W]'],
    ['SpaceToDepth', float(1, 2, 4, 6), '[1,8,2,3]'],
  ])('%s', (op, x, expected) => {
    expect(texts({ op, inputs: [x], attributes: { blocksize: 2 } })).toEqual([`float32${expected}`]);
  });

  it('refuses channels that do not make blocks', () => {
    expect(() =>
      run({ op: 'DepthToSpace', inputs: [float(1, 6, 2, 2)], attributes: { blocksize: 2 } }),
    ).toThrow('6');
  });
});

describe('Expand and Tile', () => {
  it.each<readonly [string, NodeSketch, string]>([
    ['both ways', { op: 'Expand', inputs: [float(3, 1), ints(2, 1, 6)] }, '[2,3,6]'],
    ['a 1 keeps the size', { op: 'Expand', inputs: [float(3, 4), ints(1, 1)] }, '[3,4]'],
    [
      'an unknown shape leaves the rank',
      { op: 'Expand', inputs: [float(3), { type: 'int64', shape: [2] }] },
      '[?0,?1]',
    ],
    ['repeats', { op: 'Tile', inputs: [float(2, 'N'), ints(3, 2)] }, '[6,2*N]'],
    ['one axis in opset 1', { op: 'Tile', opset: 1, inputs: [float(2, 3), ints(4), ints(1)] }, '[2,12]'],
    ['none at all', { op: 'Tile', inputs: [float(2), ints(0)] }, '[0]'],
  ])('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32${expected}`]);
  });

  it('repeats elements', () => {
    const x = matrix(1, 2, 7, 8);
    const repeated: Value = [7, 8, 7, 8];
    expect(run({ op: 'Tile', inputs: [x, ints(1, 2)] }).values).toEqual([repeated]);
    expect(run({ op: 'Expand', inputs: [x, ints(2, 2)] }).values).toEqual([repeated]);
  });
});

describe('Shape and Size', () => {
  it.each<readonly [number, number, readonly Scalar[]]>([
    [0, 9, [2, symbol('N'), 4]],
    [1, 2, [symbol('N')]],
    [-1, 3, [4]],
    [-9, -2, [2]],
    [2, 1, []],
  ])('from %i to %i', (start, end, expected) => {
    const sketch = { op: 'Shape', inputs: [float(2, 'N', 4)], attributes: { start, end } };
    expect(run(sketch).values).toEqual([expected]);
    expect(texts(sketch)).toEqual([`int64[${expected.length}]`]);
  });

  it('counts elements', () => {
    expect(run({ op: 'Size', inputs: [float(2, 3)] }).values).toEqual([[6]]);
    expect(run({ op: 'Size', inputs: [float()] }).values).toEqual([[1]]);
    expect(run({ op: 'Size', inputs: [{ type: 'float32', shape: undefined }] }).values).toEqual([undefined]);
  });
});

it('gives the mask of Dropout the type that its opset has', () => {
  const sketch = { op: 'Dropout', inputs: [float(2, 3)], outputs: 2 };
  expect(texts({ ...sketch, opset: 7 })).toEqual(['float32[2,3]', 'float32[2,3]']);
  expect(texts({ ...sketch, opset: 10 })).toEqual(['float32[2,3]', 'bool[2,3]']);
  expect(run({ op: 'Identity', inputs: [vector('int64', 4)] }).values).toEqual([[4]]);
});
