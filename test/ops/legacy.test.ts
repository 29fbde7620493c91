import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts, vector } from '../support/op.ts';

const image = float('N', 1, 10, 12);

/** Crop was run in onnxruntime 1.30 at opset 7; border is left, top, right, bottom. */
const cases: readonly [string, NodeSketch, string][] = [
  [
    'a border: 10 - 2 - 4 by 12 - 1 - 3',
    { op: 'Crop', inputs: [image], attributes: { border: [1, 2, 3, 4] } },
    'N,1,4,8',
  ],
  [
    'a border and a size',
    { op: 'Crop', inputs: [image], attributes: { border: [1, 2, 0, 0], scale: [5, 6] } },
    'N,1,5,6',
  ],
  ['ImageScaler', { op: 'ImageScaler', inputs: [image] }, 'N,1,10,12'],
  ['Affine', { op: 'Affine', inputs: [image] }, 'N,1,10,12'],
  [
    'DynamicSlice',
    { op: 'DynamicSlice', inputs: [float(5, 6), vector('int64', 1), vector('int64', 4), vector('int64', 0)] },
    '3,6',
  ],
  [
    'ConstantFill of an attribute',
    { op: 'ConstantFill', inputs: [], attributes: { shape: [2, 3], extra_shape: [4] } },
    '2,3,4',
  ],
  ['ConstantFill like its input', { op: 'ConstantFill', inputs: [float(2, 'n')] }, '2,n'],
  [
    'ConstantFill of what its input says',
    { op: 'ConstantFill', inputs: [vector('int64', 4, 5)], attributes: { input_as_shape: 1 } },
    '4,5',
  ],
];

describe('shapes', () => {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32[${expected}]`]);
  });
});

it('refuses a border that has not four sides', () => {
  expect(() => texts({ op: 'Crop', inputs: [image], attributes: { border: [1, 2] } })).toThrow(/four/);
});
