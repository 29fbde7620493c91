import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts, typed, vector } from '../support/op.ts';

/** Run in onnxruntime 1.30, but for symbols and unknown sizes. */
const cases: readonly [string, NodeSketch, string][] = [
  [
    'grid over a plane',
    { op: 'GridSample', inputs: [float(1, 2, 4, 4), float(1, 5, 6, 2)] },
    'float32[1,2,5,6]',
  ],
  [
    'grid over a volume',
    { op: 'GridSample', inputs: [float(1, 2, 4, 4, 4), float(1, 5, 6, 7, 3)] },
    'float32[1,2,5,6,7]',
  ],
  [
    'affine grid',
    { op: 'AffineGrid', inputs: [float(2, 2, 3), vector('int64', 2, 3, 5, 6)] },
    'float32[2,5,6,2]',
  ],
  [
    'affine grid in space',
    { op: 'AffineGrid', inputs: [float(2, 3, 4), vector('int64', 2, 3, 4, 5, 6)] },
    'float32[2,4,5,6,3]',
  ],
  [
    'affine grid, size unknown',
    { op: 'AffineGrid', inputs: [float(2, 2, 3), typed('int64', 4)] },
    'float32[?0,?2,?3,2]',
  ],
  [
    'aligned regions',
    {
      op: 'RoiAlign',
      inputs: [float(1, 2, 8, 8), float('rois', 4), typed('int64', 'rois')],
      attributes: { output_height: 2, output_width: 3 },
    },
    'float32[rois,2,2,3]',
  ],
  [
    'pooled regions',
    { op: 'MaxRoiPool', inputs: [float(1, 2, 8, 8), float(3, 5)], attributes: { pooled_shape: [4, 5] } },
    'float32[3,2,4,5]',
  ],
  [
    'boxes: none without a limit',
    { op: 'NonMaxSuppression', inputs: [float(1, 4, 4), float(1, 2, 4)] },
    'int64[0,3]',
  ],
  [
    'boxes',
    { op: 'NonMaxSuppression', inputs: [float(1, 4, 4), float(1, 2, 4), vector('int64', 3)] },
    'int64[?0,3]',
  ],
  ['image', { op: 'ImageDecoder', inputs: [typed('uint8', 'bytes')] }, 'uint8[?0,?1,3]'],
  [
    'grey image',
    { op: 'ImageDecoder', inputs: [typed('uint8', 9)], attributes: { pixel_format: 'Grayscale' } },
    'uint8[?0,?1,1]',
  ],
  [
    'columns to image',
    { op: 'Col2Im', inputs: [float(1, 5, 5), vector('int64', 5, 5), vector('int64', 1, 5)] },
    'float32[1,1,5,5]',
  ],
  [
    'crop and pad',
    { op: 'CenterCropPad', inputs: [float(20, 8, 3), vector('int64', 9, 10)], attributes: { axes: [1, -3] } },
    'float32[10,9,3]',
  ],
];

describe('shapes', () => {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([expected]);
  });
});

it('refuses ranks and lists that do not fit', () => {
  expect(() => texts({ op: 'GridSample', inputs: [float(1, 2, 4, 4), float(1, 5, 2)] })).toThrow(/the grid/);
  expect(() => texts({ op: 'AffineGrid', inputs: [float(2, 2, 3), vector('int64', 2, 3, 5)] })).toThrow(
    /3 elements/,
  );
  const pooled = { pooled_shape: [2] };
  expect(() =>
    texts({ op: 'MaxRoiPool', inputs: [float(1, 2, 8, 8), float(3, 5)], attributes: pooled }),
  ).toThrow(/pooled_shape/);
});
