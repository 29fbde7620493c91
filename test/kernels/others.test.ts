/** Scratch of XNNPACK, of im2col and of the project's own kernels, by hand and by formula. */
import { describe, expect, it } from 'vitest';
import type { ElementType } from '../../src/graph/element-type.ts';
import {
  type CallSketch,
  CORTEX_A53,
  type ConvSketch,
  contractOf,
  convCall,
  library,
  outputSize,
  scratchOf,
  transposeCall,
} from '../support/kernels.ts';
import { asDepthwise, randomConv } from './random-conv.ts';

const floats: Partial<ConvSketch> = { type: 'float32', weight: 'float32' };
const xnnpack = library('xnnpack', undefined, undefined, CORTEX_A53);
const of = (type: ElementType, ...shape: readonly number[]) => ({ type, shape });
const seeds = Array.from({ length: 250 }, (_, i) => 9001 + i);

describe('XNNPACK', () => {
  it.each<[string, ConvSketch, number]>([
    // 12,544 pixels, rounded up to 4 and to 6: 12,546; 9 pointers of 8 bytes for each.
    [
      '3x3',
      {
        ...floats,
        channels: 3,
        filters: 32,
        size: [224, 224],
        kernel: [3, 3],
        stride: [2, 2],
        head: [0, 0],
        tail: [1, 1],
      },
      903_312,
    ],
    ['1x1', { ...floats, channels: 32, filters: 64, size: [7, 7], kernel: [1, 1] }, 0],
    // 16 pixels: 16 or 18.
    [
      '1x1, every second pixel',
      { ...floats, channels: 32, filters: 64, size: [7, 7], kernel: [1, 1], stride: [2, 2] },
      144,
    ],
    ['3x3 of int8: 49 pixels as 52', { channels: 32, filters: 64, size: [9, 9], kernel: [3, 3] }, 3744],
    // Seven rows of 9 + 6 x 1 x 3 pointers.
    [
      'depthwise 3x3',
      { ...floats, channels: 32, filters: 32, group: 32, size: [9, 9], kernel: [3, 3] },
      1520,
    ],
    // Windows that do not touch: 4 rows of 9 + 3 x 3 x 3.
    [
      'depthwise 3x3, stride 3',
      { ...floats, channels: 8, filters: 8, group: 8, size: [12, 12], kernel: [3, 3], stride: [3, 3] },
      1152,
    ],
    // Two taps run as three: one pointer more is read; 2 x 5 pointers and that on 16 bytes.
    ['depthwise 1x2', { ...floats, channels: 8, filters: 8, group: 8, size: [2, 5], kernel: [1, 2] }, 96],
    // 49 taps are too many for those kernels: 81 pixels as 84.
    [
      'depthwise 7x7',
      { ...floats, channels: 8, filters: 8, group: 8, size: [15, 15], kernel: [7, 7] },
      32_928,
    ],
  ])('%s', (_, conv, bytes) => {
    expect(scratchOf(xnnpack, convCall(conv))).toEqual([bytes]);
  });

  it('agrees with the formulas on 250 random shapes, in 32 and 64 bits', () => {
    const differ = [4, 8].flatMap((pointer) => {
      const kernels = pointer === 8 ? xnnpack : library('xnnpack');
      return seeds.flatMap((seed) => {
        const conv = { ...randomConv(seed), ...floats };
        const each = asDepthwise(conv, 1);
        const pairs = [
          ['plain', scratchOf(kernels, convCall(conv)), gathered(conv, [4, 6], pointer)],
          [
            'int8',
            scratchOf(kernels, convCall({ ...conv, type: 'int8', weight: 'int8' })),
            gathered(conv, [1, 4], pointer),
          ],
          ['depthwise', scratchOf(kernels, convCall(each)), depthwise(each, pointer)],
        ] as const;
        return pairs
          .filter(([, found, expected]) => String(found) !== String(expected))
          .map(([what, found, expected]) => `seed ${seed}, ${what}, ${pointer}: ${found}, not ${expected}`);
      });
    });
    expect(differ).toEqual([]);
  });

  it('may read 16 bytes past a tensor, and keeps to 16', () => {
    expect(xnnpack).toMatchObject({ slackBytes: 16, tensorAlignment: 16, layout: 'nhwc' });
  });

  it('does not say what pools and products of two results need', () => {
    const x = of('float32', 1, 8, 6, 6);
    expect(contractOf(xnnpack, { op: 'MaxPool', inputs: [x], outputs: [x] }).scratch).toBeUndefined();
    expect(contractOf(xnnpack, { op: 'MatMul', inputs: [x, x], outputs: [x] }).scratch).toBeUndefined();
    const weights: CallSketch = { op: 'MatMul', inputs: [x, { ...x, constant: true }], outputs: [x] };
    expect(contractOf(xnnpack, weights).scratch).toEqual([]);
  });
});

/** A pointer for each tap of each output pixel, in tiles of the kernel that needs most. */
function gathered(conv: ConvSketch, tiles: readonly number[], pointer: number): number {
  const [h, w] = outputSize(conv);
  const taps = conv.kernel[0] * conv.kernel[1];
  if (isPlain(conv)) return 0;
  return taps * Math.max(...tiles.map((tile) => Math.ceil((h * w) / tile) * tile)) * pointer;
}

function depthwise(conv: ConvSketch, pointer: number): number {
  const [h, w] = outputSize(conv);
  const [kh, kw] = conv.kernel;
  const tile = [3, 4, 9, 25].find((taps) => taps >= kh * kw);
  if (tile === undefined || isPlain(conv)) return gathered(conv, [4, 6], pointer);
  const step = conv.dilation![1] === 1 ? Math.min(conv.stride![1], kw) : kw;
  const pointers = h * (kh * kw + (w - 1) * step * kh) + (tile - kh * kw);
  return Math.ceil((pointers * pointer) / 16) * 16;
}

function isPlain({ kernel, stride, head, tail }: ConvSketch): boolean {
  return String([kernel, stride, head, tail]) === '1,1,1,1,0,0,0,0';
}

describe('im2col', () => {
  const whole = library('im2col');
  const tiled = library('im2col', 'tile=64');

  it.each<[string, ConvSketch, number, number]>([
    [
      '27 x 12,544 floats',
      { ...floats, channels: 3, filters: 32, size: [224, 224], kernel: [3, 3], stride: [2, 2], tail: [1, 1] },
      1_354_752,
      6912,
    ],
    [
      'the same in int8',
      { channels: 3, filters: 32, size: [224, 224], kernel: [3, 3], stride: [2, 2], tail: [1, 1] },
      338_688,
      1728,
    ],
    ['fewer pixels than a tile', { channels: 4, filters: 8, size: [5, 5], kernel: [3, 3] }, 324, 324],
    ['1x1: the image is the matrix', { channels: 4, filters: 8, size: [9, 9], kernel: [1, 1] }, 0, 0],
    [
      '1x1, every second pixel: 25 of them',
      { channels: 4, filters: 8, size: [9, 9], kernel: [1, 1], stride: [2, 2] },
      100,
      100,
    ],
  ])('%s', (_, conv, bytes, tile) => {
    expect(scratchOf(whole, convCall(conv))).toEqual([bytes]);
    expect(scratchOf(tiled, convCall(conv))).toEqual([tile]);
  });

  it('agrees with the definition on 250 random shapes', () => {
    const differ = seeds.flatMap((seed) => {
      const conv = randomConv(seed);
      const [h, w] = outputSize(conv);
      const products = conv.channels * conv.kernel[0] * conv.kernel[1];
      const columns = (tile: number): number => (isPlain(conv) ? 0 : products * Math.min(tile, h * w));
      const pixels = conv.size[0] * conv.size[1];
      const spread = conv.filters * conv.kernel[0] * conv.kernel[1] * 4;
      const pairs = [
        ['int8', scratchOf(whole, convCall(conv)), columns(Infinity)],
        ['float32', scratchOf(whole, convCall({ ...conv, ...floats })), 4 * columns(Infinity)],
        ['integers', scratchOf(tiled, convCall(conv, 'ConvInteger')), columns(64)],
        ['transposed', scratchOf(whole, transposeCall(conv)), spread * pixels],
        ['transposed by tile', scratchOf(tiled, transposeCall(conv)), spread * Math.min(64, pixels)],
      ] as const;
      return pairs
        .filter(([, found, expected]) => String(found) !== String(expected))
        .map(([what, found, expected]) => `seed ${seed}, ${what}: ${found}, not ${expected}`);
    });
    expect(differ).toEqual([]);
  });

  it('leaves everything else to reference kernels, and says nothing of it', () => {
    const x = of('float32', 1, 8, 6, 6);
    expect(contractOf(whole, { op: 'Relu', inputs: [x], outputs: [x] })).toEqual({
      scratch: [],
      inPlace: [0],
      proof: 'defined',
    });
  });
});

describe('the project’s own kernels', () => {
  const own = library('reference');
  const x = of('float32', 5, 2, 10);

  it('need no scratch but for recurrent ones: three vectors of the hidden units', () => {
    expect(
      scratchOf(own, convCall({ ...floats, channels: 3, filters: 8, size: [9, 9], kernel: [3, 3] })),
    ).toEqual([]);
    const recurrent = (op: string, gates: number): CallSketch => ({
      op,
      inputs: [
        x,
        { shape: [1, gates * 16, 10], constant: true },
        { shape: [1, gates * 16, 16], constant: true },
      ],
      outputs: [of('float32', 5, 1, 2, 16)],
    });
    expect(scratchOf(own, recurrent('LSTM', 4))).toEqual([192]);
    expect(scratchOf(own, recurrent('GRU', 3))).toEqual([192]);
  });

  it('do not know what operators without a plain loop need', () => {
    for (const op of ['TopK', 'Einsum', 'RNN', 'NotAnOperator']) {
      expect(scratchOf(own, { op, inputs: [x], outputs: [x] })).toBeUndefined();
    }
  });

  it('write in place where the operator walks element by element', () => {
    expect(contractOf(own, { op: 'Relu', inputs: [x], outputs: [x] })).toMatchObject({
      inPlace: [0],
      proof: 'defined',
    });
    expect(contractOf(own, { op: 'Conv', inputs: [x, x], outputs: [x] }).inPlace).toEqual([]);
  });

  it('say nothing of scratch where no library is assumed', () => {
    const none = library('none');
    expect(none.countsScratch).toBe(false);
    expect(scratchOf(none, { op: 'Relu', inputs: [x], outputs: [x] })).toBeUndefined();
  });
});
