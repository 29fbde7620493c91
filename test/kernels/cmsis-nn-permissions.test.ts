/** What CMSIS-NN has no kernel for, and where its kernels may write over what they read. */
import { describe, expect, it } from 'vitest';
import {
  type CallSketch,
  type ConvSketch,
  contractOf,
  convCall,
  library,
  scratchOf,
} from '../support/kernels.ts';
import type { Build, Version } from './cmsis-nn-formulas.ts';

const BUILDS: readonly Build[] = ['scalar', 'dsp', 'mve'];
const VERSIONS: readonly Version[] = ['5', '6', '7', '7-armclang'];

const conv = (
  channels: number,
  filters: number,
  size: readonly [number, number],
  kernel: readonly [number, number],
  more: Partial<ConvSketch> = {},
): ConvSketch => ({ channels, filters, size, kernel, ...more });

describe('what the library has no kernel for', () => {
  const seven = library('cmsis-nn', '7', 'dsp');
  const five = library('cmsis-nn', '5', 'dsp');
  const x = { type: 'int8', shape: [1, 8, 6, 6] } as const;
  const row = { type: 'int8', shape: [1, 8, 1, 1] } as const;
  const two = { type: 'int8', shape: [2, 8, 6, 6] } as const;
  const square = { type: 'int8', shape: [6, 6] } as const;

  it.each<[string, CallSketch, RegExp]>([
    [
      'float32',
      convCall(conv(3, 8, [9, 9], [3, 3], { type: 'float32', weight: 'float32' })),
      /works on float32/,
    ],
    ['uint8', convCall(conv(3, 8, [9, 9], [3, 3], { type: 'uint8' })), /works on uint8/],
    ['uint8 weights', convCall(conv(3, 8, [9, 9], [3, 3], { weight: 'uint8' })), /weights are uint8/],
    [
      '16-bit data with 4-bit weights',
      convCall(conv(3, 8, [9, 9], [3, 3], { type: 'int16', weight: 'int4' })),
      /int4/,
    ],
    ['16-bit data in groups', convCall(conv(4, 8, [9, 9], [3, 3], { type: 'int16', group: 2 })), /2 groups/],
    ['sums as they are', convCall(conv(3, 8, [9, 9], [3, 3]), 'ConvInteger'), /there is none/],
    ['an operator', { op: 'Erf', inputs: [x], outputs: [x] }, /there is none/],
    ['another domain', { op: 'Add', domain: 'acme', inputs: [x, x], outputs: [x] }, /there is none/],
    ['a repeated operand', { op: 'Add', inputs: [x, row], outputs: [x] }, /one operand is repeated/],
    ['a softmax over rows', { op: 'Softmax', inputs: [x], outputs: [x], attributes: { axis: 3 } }, /axis/],
    [
      'a maximum with holes',
      { op: 'MaxPool', inputs: [x], outputs: [x], attributes: { dilations: [2, 2] } },
      /holes/,
    ],
    [
      'a maximum with indices',
      { op: 'MaxPool', inputs: [x], outputs: [x, { type: 'int64', shape: [1] }] },
      /indices/,
    ],
    [
      'an average that counts padding',
      {
        op: 'AveragePool',
        inputs: [x],
        outputs: [x],
        attributes: { pads: [1, 1, 1, 1], count_include_pad: 1 },
      },
      /counts the padding/,
    ],
    [
      'five dimensions',
      { op: 'MaxPool', inputs: [{ type: 'int8', shape: [1, 8, 6, 6, 6] }], outputs: [x] },
      /dimensions/,
    ],
    [
      'rows that lie across the channels',
      {
        op: 'MatMul',
        inputs: [
          { type: 'int8', shape: [2, 8, 6] },
          { ...square, constant: true },
        ],
        outputs: [{ type: 'int8', shape: [2, 8, 6] }],
      },
      /innermost/,
    ],
    [
      'a mirrored border',
      { op: 'Pad', inputs: [x], outputs: [x], attributes: { mode: 'reflect' } },
      /reflect/,
    ],
  ])('%s', (_, call, reason) => {
    expect(scratchOf(seven, call)).toMatch(reason);
  });

  it.each<[string, CallSketch, RegExp]>([
    ['groups', convCall(conv(4, 8, [9, 9], [3, 3], { group: 2 })), /2 groups/],
    [
      'a product of two results',
      { op: 'MatMul', inputs: [square, square], outputs: [square] },
      /not constant/,
    ],
    ['a maximum of two', { op: 'Max', inputs: [x, x], outputs: [x] }, /there is none/],
    ['a pool of two images', { op: 'MaxPool', inputs: [two], outputs: [two] }, /several images/],
  ])('in version 5: %s', (_, call, reason) => {
    expect(scratchOf(five, call)).toMatch(reason);
    expect(typeof scratchOf(seven, call)).toBe('object');
  });

  it('leaves the node to a reference kernel', () => {
    const call: CallSketch = { op: 'Sub', inputs: [x, x], outputs: [x] };
    expect(contractOf(seven, call)).toMatchObject({
      missing: 'there is none',
      scratch: [],
      proof: 'defined',
    });
    const unknown: CallSketch = { op: 'TopK', inputs: [x, row], outputs: [x, x] };
    expect(contractOf(seven, unknown).scratch).toBeUndefined();
  });
});

describe('in place', () => {
  const x = { type: 'int8', shape: [1, 8, 6, 6] } as const;
  const scale = { shape: [], constant: true } as const;
  const sum: CallSketch = { op: 'Add', inputs: [x, { ...x }], outputs: [x] };

  it.each(VERSIONS.flatMap((version) => BUILDS.map((build) => [version, build] as const)))(
    'sums, products and softmax of version %s, build %s were run',
    (version, build) => {
      const kernels = library('cmsis-nn', version, build);
      expect(contractOf(kernels, sum)).toMatchObject({ inPlace: [0, 1], proof: 'proved' });
      expect(contractOf(kernels, { ...sum, op: 'Mul' })).toMatchObject({ inPlace: [0, 1], proof: 'proved' });
      const softmax: CallSketch = { op: 'Softmax', inputs: [{ type: 'int8', shape: [4, 10] }], outputs: [x] };
      expect(contractOf(kernels, softmax)).toMatchObject({ inPlace: [0], proof: 'proved' });
    },
  );

  it('knows where the operands of quantised operators stand', () => {
    const call: CallSketch = {
      op: 'QLinearAdd',
      domain: 'com.microsoft',
      inputs: [x, scale, scale, x, scale, scale, scale, scale],
      outputs: [x],
    };
    expect(contractOf(library('cmsis-nn'), call)).toMatchObject({ inPlace: [0, 3], proof: 'proved' });
  });

  it('holds for two operands of one shape', () => {
    const row = { type: 'int8', shape: [1, 8, 1, 1] } as const;
    const larger: CallSketch = { op: 'Max', inputs: [x, x], outputs: [x] };
    expect(contractOf(library('cmsis-nn'), larger)).toMatchObject({ inPlace: [0, 1], proof: 'proved' });
    const repeated = contractOf(library('cmsis-nn'), { ...larger, inputs: [x, row] });
    expect(repeated).toEqual({ scratch: [], inPlace: [], proof: 'unproved' });
  });

  it('is not allowed for pools, reshapes and transpositions', () => {
    for (const op of ['MaxPool', 'Reshape', 'Transpose']) {
      expect(contractOf(library('cmsis-nn'), { op, inputs: [x], outputs: [x] }).inPlace).toEqual([]);
    }
  });
});
