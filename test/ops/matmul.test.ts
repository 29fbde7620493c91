import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts, typed } from '../support/op.ts';

/** numpy.matmul and numpy.einsum semantics, which the operator pages refer to. */
const shapes: readonly [string, NodeSketch, string][] = [
  ['matrices', { op: 'MatMul', inputs: [float(2, 3), float(3, 4)] }, '2,4'],
  ['vectors', { op: 'MatMul', inputs: [float(3), float(3)] }, ''],
  ['a vector on the left', { op: 'MatMul', inputs: [float(3), float(5, 3, 2)] }, '5,2'],
  ['a vector on the right', { op: 'MatMul', inputs: [float(5, 2, 3), float(3)] }, '5,2'],
  ['stacks that broadcast', { op: 'MatMul', inputs: [float(2, 1, 4, 3), float(5, 3, 2)] }, '2,5,4,2'],
  ['symbols', { op: 'MatMul', inputs: [float('N', 's', 64), float(64, 8)] }, 'N,s,8'],
  ['Gemm', { op: 'Gemm', inputs: [float(2, 3), float(3, 4), float(4)] }, '2,4'],
  [
    'Gemm transposed',
    { op: 'Gemm', inputs: [float(3, 'N'), float(4, 3)], attributes: { transA: 1, transB: 1 } },
    'N,4',
  ],
  ['Gemm with a scalar C', { op: 'Gemm', inputs: [float(2, 3), float(3, 4), float()] }, '2,4'],
  ['determinants', { op: 'Det', inputs: [float(7, 3, 3)] }, '7'],
  ['one determinant', { op: 'Det', inputs: [float(3, 3)] }, ''],
];

describe('shapes', () => {
  it.each(shapes)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32[${expected}]`]);
  });
});

describe('Einsum', () => {
  const equations: readonly [string, readonly (readonly (number | string)[])[], string][] = [
    [
      'bij,bjk->bik',
      [
        [2, 3, 4],
        [2, 4, 5],
      ],
      '2,3,5',
    ],
    ['ij->ji', [[2, 'n']], 'n,2'],
    ['ii->i', [[3, 3]], '3'],
    ['ij->', [[3, 4]], ''],
    ['i,i', [[3], [3]], ''],
    [
      'bA , aA',
      [
        [2, 3],
        [4, 3],
      ],
      '4,2',
    ],
    [
      '...ij,...jk->...ik',
      [
        [2, 1, 3, 4],
        [5, 4, 2],
      ],
      '2,5,3,2',
    ],
    [
      'b...,b...->...',
      [
        [2, 3, 4],
        [2, 3, 4],
      ],
      '3,4',
    ],
    ['...ii->...i', [[7, 3, 3]], '7,3'],
    [
      'ij,jk->ik',
      [
        [2, 1],
        [4, 3],
      ],
      '2,3',
    ],
    ['...k', [[2, 3, 4]], '2,3,4'],
  ];
  it.each(equations)('%s', (equation, shapes, expected) => {
    const inputs = shapes.map((shape) => float(...shape));
    expect(texts({ op: 'Einsum', inputs, attributes: { equation } })).toEqual([`float32[${expected}]`]);
  });

  it.each([
    ['i,j', [[3]], /2 terms for 1/],
    ['ij', [[3]], /rank 1/],
    [
      'ij,jk',
      [
        [2, 3],
        [4, 5],
      ],
      /sizes of 'j'/,
    ],
    ['i->k', [[3]], /'k' of the output/],
    ['i->i->i', [[3]], /more than one arrow/],
    ['i1', [[3, 1]], /no term/],
  ] as const)('refuses %s', (equation, shapes, message) => {
    const inputs = shapes.map((shape) => float(...shape));
    expect(() => texts({ op: 'Einsum', inputs, attributes: { equation } })).toThrow(message);
  });
});

it('accumulates integers in int32 and requantises to the type of the zero point', () => {
  const scale = float();
  expect(texts({ op: 'MatMulInteger', inputs: [typed('uint8', 4, 3), typed('int8', 3, 2)] })).toEqual([
    'int32[4,2]',
  ]);
  const zero = typed('int8');
  expect(
    texts({
      op: 'QLinearMatMul',
      inputs: [typed('uint8', 4, 3), scale, typed('uint8'), typed('int8', 3, 2), scale, zero, scale, zero],
    }),
  ).toEqual(['int8[4,2]']);
});

describe('refuses', () => {
  const faults: readonly [string, NodeSketch, RegExp][] = [
    ['inner sizes that differ', { op: 'MatMul', inputs: [float(2, 3), float(4, 5)] }, /3 and 4/],
    ['a scalar', { op: 'MatMul', inputs: [float(), float(4, 5)] }, /scalar/],
    ['a stack in Gemm', { op: 'Gemm', inputs: [float(1, 2, 3), float(3, 4)] }, /rank 2/],
    [
      'a C that does not broadcast',
      { op: 'Gemm', inputs: [float(2, 3), float(3, 4), float(2)] },
      /broadcast/,
    ],
    ['a determinant of no square', { op: 'Det', inputs: [float(2, 3)] }, /sides/],
  ];
  it.each(faults)('%s', (_, sketch, message) => {
    expect(() => texts(sketch)).toThrow(message);
  });
});
