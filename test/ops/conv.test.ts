import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts } from '../support/op.ts';

/** Sizes by hand from floor((size + pads - dilation * (kernel - 1) - 1) / stride) + 1. */
const shapes: readonly [string, NodeSketch, string][] = [
  [
    'kernel from the weights',
    { op: 'Conv', inputs: [float(1, 3, 224, 224), float(8, 3, 3, 3)] },
    '1,8,222,222',
  ],
  [
    'pads and strides',
    {
      op: 'Conv',
      inputs: [float(1, 3, 224, 224), float(8, 3, 3, 3)],
      attributes: { strides: [2, 2], pads: [1, 1, 1, 1] },
    },
    '1,8,112,112',
  ],
  [
    'asymmetric pads and dilation: (10 + 3 - 5) / 2 + 1',
    {
      op: 'Conv',
      inputs: [float(1, 1, 10), float(1, 1, 3)],
      attributes: { strides: [2], dilations: [2], pads: [1, 2] },
    },
    '1,1,5',
  ],
  [
    'depthwise',
    { op: 'Conv', inputs: [float(2, 4, 8, 8), float(8, 1, 1, 1)], attributes: { group: 4 } },
    '2,8,8,8',
  ],
  [
    'SAME: ceil(9 / 2), also with a dilation',
    {
      op: 'Conv',
      inputs: [float(1, 1, 9), float(1, 1, 3)],
      attributes: { strides: [2], dilations: [2], auto_pad: 'SAME_UPPER' },
    },
    '1,1,5',
  ],
  [
    'VALID ignores pads',
    {
      op: 'Conv',
      inputs: [float(1, 1, 5), float(1, 1, 3)],
      attributes: { auto_pad: 'VALID', pads: [1, 1] },
    },
    '1,1,3',
  ],
  ['symbols', { op: 'Conv', inputs: [float('N', 3, 'h', 8), float(4, 3, 3, 3)] }, 'N,4,h - 2,6'],
  [
    'symbols with a stride: equal to ceil(h / 2)',
    {
      op: 'Conv',
      inputs: [float(1, 3, 'h', 8), float(4, 3, 3, 3)],
      attributes: { strides: [2, 2], pads: [1, 1, 1, 1] },
    },
    '1,4,floor((h + 1)/2),4',
  ],
  ['empty batch', { op: 'Conv', inputs: [float(0, 1, 5), float(1, 1, 3)] }, '0,1,3'],
  [
    'transposed: (3 - 1) * 2 + 3',
    { op: 'ConvTranspose', inputs: [float(1, 1, 3, 3), float(1, 2, 3, 3)], attributes: { strides: [2, 2] } },
    '1,2,7,7',
  ],
  [
    'transposed with groups',
    { op: 'ConvTranspose', inputs: [float(1, 4, 3), float(4, 3, 3)], attributes: { group: 2 } },
    '1,6,5',
  ],
  [
    'transposed, pads and output_padding: 4 + 3 + 1 - 2',
    {
      op: 'ConvTranspose',
      inputs: [float(1, 1, 3), float(1, 1, 3)],
      attributes: { strides: [2], pads: [1, 1], output_padding: [1] },
    },
    '1,1,6',
  ],
  [
    'transposed SAME is size * stride, output_padding or not',
    {
      op: 'ConvTranspose',
      inputs: [float(1, 1, 3), float(1, 1, 3)],
      attributes: { strides: [2], auto_pad: 'SAME_UPPER', output_padding: [1] },
    },
    '1,1,6',
  ],
  [
    'transposed SAME never fills up (onnxruntime 1.30 runs to 7)',
    {
      op: 'ConvTranspose',
      inputs: [float(1, 1, 3), float(1, 1, 1)],
      attributes: { strides: [3], auto_pad: 'SAME_LOWER' },
    },
    '1,1,7',
  ],
  [
    'transposed with a stated shape',
    {
      op: 'ConvTranspose',
      inputs: [float(1, 1, 3), float(1, 1, 3)],
      attributes: { strides: [2], output_shape: [8], output_padding: [1], pads: [1, 1] },
    },
    '1,1,8',
  ],
  [
    'transposed symbols, SAME: 2 * h is below 2 * h + 1',
    {
      op: 'ConvTranspose',
      inputs: [float(1, 1, 'h'), float(1, 1, 3)],
      attributes: { strides: [2], auto_pad: 'SAME_UPPER' },
    },
    '1,1,2*h',
  ],
  [
    'deformable',
    {
      op: 'DeformConv',
      inputs: [float(1, 1, 3, 3), float(1, 1, 2, 2), float(1, 8, 4, 4)],
      attributes: { pads: [1, 1, 1, 1] },
    },
    '1,1,4,4',
  ],
];

describe('shapes', () => {
  it.each(shapes)('%s', (_, sketch, expected) => {
    expect(texts(sketch)[0]).toBe(`float32[${expected}]`);
  });
});

it('hands on kernel - 1 positions of state', () => {
  expect(texts({ op: 'CausalConvWithState', inputs: [float(2, 4, 9), float(4, 1, 3)], outputs: 2 })).toEqual([
    'float32[2,4,9]',
    'float32[2,4,2]',
  ]);
});

describe('refuses', () => {
  const faults: readonly [string, NodeSketch, RegExp][] = [
    ['channels that differ', { op: 'Conv', inputs: [float(1, 3, 8), float(4, 2, 3)] }, /3 and 2/],
    ['a rank that differs', { op: 'Conv', inputs: [float(1, 3, 8), float(4, 3, 3, 3)] }, /rank 3/],
    ['a matrix', { op: 'Conv', inputs: [float(3, 8), float(4, 3)] }, /rank 3 or more/],
    ['a kernel that does not fit', { op: 'Conv', inputs: [float(1, 1, 2), float(1, 1, 3)] }, /does not fit/],
    [
      'a stride of 0',
      { op: 'Conv', inputs: [float(1, 1, 4), float(1, 1, 3)], attributes: { strides: [0] } },
      /positive/,
    ],
    [
      'too many pads',
      { op: 'Conv', inputs: [float(1, 1, 4), float(1, 1, 3)], attributes: { pads: [0] } },
      /pads/,
    ],
    [
      'an unknown auto_pad',
      { op: 'Conv', inputs: [float(1, 1, 4), float(1, 1, 3)], attributes: { auto_pad: 'X' } },
      /auto_pad/,
    ],
    [
      'filters that do not divide',
      { op: 'Conv', inputs: [float(1, 4, 4), float(3, 2, 3)], attributes: { group: 2 } },
      /divide/,
    ],
    [
      'a kernel_shape that lies',
      { op: 'Conv', inputs: [float(1, 1, 4), float(1, 1, 3)], attributes: { kernel_shape: [2] } },
      /kernel_shape/,
    ],
  ];
  it.each(faults)('%s', (_, sketch, message) => {
    expect(() => texts(sketch)).toThrow(message);
  });
});
