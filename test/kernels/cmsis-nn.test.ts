/** Scratch of CMSIS-NN: samples worked out by hand. */
import { describe, expect, it } from 'vitest';
import type { ElementType } from '../../src/graph/element-type.ts';
import {
  type CallSketch,
  type ConvSketch,
  convCall,
  library,
  scratchOf,
  transposeCall,
} from '../support/kernels.ts';
import type { Build, Version } from './cmsis-nn-formulas.ts';

const BUILDS: readonly Build[] = ['scalar', 'dsp', 'mve'];

/** Version 7 unless said otherwise: scalar, DSP, MVE. */
type Sizes = readonly [scalar: number, dsp: number, mve: number];

const conv = (
  channels: number,
  filters: number,
  size: readonly [number, number],
  kernel: readonly [number, number],
  more: Partial<ConvSketch> = {},
): ConvSketch => ({ channels, filters, size, kernel, ...more });

/** Padded so that the size stays. */
const SAME = { head: [1, 1] } as const;

describe('samples worked out by hand', () => {
  it.each<[string, ConvSketch, Sizes]>([
    // 27 products: on whole words 28, times two columns of two bytes; with Helium 32, times four columns of one.
    [
      'the first layer of MobileNet',
      conv(3, 8, [224, 224], [3, 3], { stride: [2, 2], tail: [1, 1] }),
      [112, 112, 128],
    ],
    ['3x3 over 16 channels: 144', conv(16, 32, [32, 32], [3, 3], SAME), [576, 576, 576]],
    ['5x5 over 1 channel: 25', conv(1, 6, [28, 28], [5, 5]), [112, 112, 128]],
    ['10x4 over 1 channel: 40', conv(1, 64, [49, 10], [10, 4], { stride: [2, 2] }), [160, 160, 192]],
    [
      '7x7 over 3 channels: 147',
      conv(3, 64, [224, 224], [7, 7], { stride: [2, 2], head: [3, 3] }),
      [592, 592, 640],
    ],
    ['1x1', conv(64, 128, [14, 14], [1, 1]), [0, 0, 0]],
    ['1x1 every second pixel', conv(64, 128, [14, 14], [1, 1], { stride: [2, 2] }), [0, 0, 0]],
    ['1x1 in two groups is no 1x1: 64', conv(64, 128, [14, 14], [1, 1], { group: 2 }), [256, 256, 256]],
    ['1x1 with padding: 8', conv(8, 8, [4, 4], [1, 1], { head: [1, 1] }), [32, 32, 64]],
    [
      '3x3 in two groups: all 16 channels count',
      conv(16, 16, [8, 8], [3, 3], { ...SAME, group: 2 }),
      [576, 576, 576],
    ],
    // A row of 16, kernel 3, padding 1 and 1: max(3 x 4 + 4, 2 x 4 + 4) with Helium.
    ['1x3 over a row of 4 channels', conv(4, 8, [1, 16], [1, 3], { head: [0, 1] }), [48, 48, 16]],
    // 1 in front, 2 behind: odd, two places on the right: max(4 x 8 + 8, 3 x 8 + 2 x 8).
    [
      '1x4 over a row of 8 channels, uneven',
      conv(8, 8, [1, 20], [1, 4], { head: [0, 1], tail: [0, 2] }),
      [128, 128, 40],
    ],
    // 2 in front, 1 behind: the Helium kernel answers that it cannot, and 4 x 32 runs as a column.
    [
      '1x4 with the longer padding in front',
      conv(8, 8, [1, 20], [1, 4], { head: [0, 2], tail: [0, 1] }),
      [128, 128, 128],
    ],
    [
      '1x3 over a row of 3 channels: no whole words',
      conv(3, 8, [1, 16], [1, 3], { head: [0, 1] }),
      [48, 48, 64],
    ],
    // One place of padding on either side: 2 x (3 + 1).
    [
      '1x3 in every second place, 2 channels',
      conv(2, 8, [1, 17], [1, 3], { stride: [1, 2], head: [0, 1], tail: [0, 1] }),
      [32, 32, 8],
    ],
    // The Helium kernel would copy two pixels from the eighteenth on: 4 x 16 as a column.
    ['1x3 in every second place, no padding', conv(2, 8, [1, 17], [1, 3], { stride: [1, 2] }), [32, 32, 64]],
    ['1x3 with holes', conv(4, 8, [1, 16], [1, 3], { dilation: [1, 2] }), [48, 48, 64]],
  ])('int8 %s', (_, sketch, sizes) => {
    const found = BUILDS.map((build) => scratchOf(library('cmsis-nn', '7', build), convCall(sketch)));
    expect(found).toEqual(sizes.map((bytes) => [bytes]));
  });

  const depthwise = (channels: number, kernel: readonly [number, number], more: Partial<ConvSketch> = {}) =>
    conv(channels, channels, [20, 20], kernel, { group: channels, ...more });

  it.each<[string, ConvSketch, Sizes]>([
    ['3x3 with padding 1', depthwise(8, [3, 3], SAME), [0, 0, 4464]],
    ['3x3 with padding 2: 8 x 9 in 16 bits', depthwise(8, [3, 3], { head: [2, 2] }), [0, 144, 4464]],
    ['5x5: 32 x 25 in 16 bits', depthwise(32, [5, 5]), [0, 1600, 12400]],
    ['7x7 over all of 256 channels', depthwise(256, [7, 7]), [0, 25088, 24304]],
    ['two images', depthwise(8, [5, 5], { batch: 2 }), [0, 0, 0]],
    ['holes', depthwise(8, [5, 5], { dilation: [2, 1] }), [0, 0, 0]],
    ['two filters a channel', { ...depthwise(8, [5, 5]), filters: 16 }, [0, 0, 0]],
  ])('int8 depthwise %s', (_, sketch, sizes) => {
    const found = BUILDS.map((build) => scratchOf(library('cmsis-nn', '7', build), convCall(sketch)));
    expect(found).toEqual(sizes.map((bytes) => [bytes]));
  });

  it.each<[string, ConvSketch, Sizes]>([
    ['int16 3x3 over 5 channels: 45', conv(5, 4, [9, 9], [3, 3], { type: 'int16' }), [180, 180, 384]],
    ['int16 1x1 over 16: no path of its own', conv(16, 4, [9, 9], [1, 1], { type: 'int16' }), [64, 64, 128]],
    ['int16 depthwise 3x3 of 8', { ...depthwise(8, [3, 3], SAME), type: 'int16' }, [0, 144, 584]],
    [
      'int16 depthwise, 512 taps',
      { ...depthwise(8, [32, 16], { size: [40, 40] }), type: 'int16' },
      [0, 0, 0],
    ],
    ['int4 3x3 over 5 channels: 45', conv(5, 4, [9, 9], [3, 3], { weight: 'int4' }), [180, 180, 192]],
    ['int4 1x1', conv(5, 4, [9, 9], [1, 1], { weight: 'int4' }), [0, 0, 0]],
    ['int4 1x3 over a row', conv(4, 4, [1, 9], [1, 3], { weight: 'int4' }), [48, 48, 0]],
    ['int4 depthwise 3x3 of 8', { ...depthwise(8, [3, 3], SAME), weight: 'int4' }, [144, 144, 4464]],
  ])('%s', (_, sketch, sizes) => {
    const found = BUILDS.map((build) => scratchOf(library('cmsis-nn', '7', build), convCall(sketch)));
    expect(found).toEqual(sizes.map((bytes) => [bytes]));
  });

  it.each<[string, Version, Build, CallSketch, readonly number[]]>([
    ['five: Helium in eights', '5', 'mve', convCall(conv(3, 8, [9, 9], [3, 3])), [128]],
    ['five: Helium in eights', '5', 'mve', convCall(conv(5, 8, [9, 9], [3, 3])), [192]],
    ['six: in sixteens', '6', 'mve', convCall(conv(5, 8, [9, 9], [3, 3])), [192]],
    ['five: in eights', '5', 'mve', convCall(conv(4, 8, [9, 9], [3, 3])), [160]],
    ['six: in sixteens', '6', 'mve', convCall(conv(4, 8, [9, 9], [3, 3])), [192]],
    ['five: a row needs nothing', '5', 'mve', convCall(conv(4, 8, [1, 16], [1, 3], { head: [0, 1] })), [0]],
    ['five: int16 on DSP', '5', 'dsp', convCall(conv(5, 4, [9, 9], [3, 3], { type: 'int16' })), [180]],
    ['five: int16 elsewhere', '5', 'scalar', convCall(conv(5, 4, [9, 9], [3, 3], { type: 'int16' })), [0]],
    [
      'five: 576 products of int16',
      '5',
      'dsp',
      convCall(conv(64, 4, [9, 9], [3, 3], { type: 'int16' })),
      [0],
    ],
    ['armclang: 1x1', '7-armclang', 'dsp', convCall(conv(64, 8, [9, 9], [1, 1])), [256]],
    ['armclang: 1x1, no DSP', '7-armclang', 'scalar', convCall(conv(64, 8, [9, 9], [1, 1])), [0]],
    // 17 channels, strides 2: an ordinary 3x3 over 153, and the filters turned round.
    ['turned round', '7', 'dsp', transposeCall(conv(17, 8, [6, 6], [3, 3], { stride: [2, 2] })), [624, 1224]],
    ['turned round', '7', 'mve', transposeCall(conv(17, 8, [6, 6], [3, 3], { stride: [2, 2] })), [640, 1224]],
    // 16 channels: rows of (6 - 1) x 2 + 3 pixels, 3 of them, 8 sums of 4 bytes each.
    ['rolling rows', '7', 'dsp', transposeCall(conv(16, 8, [6, 6], [3, 3], { stride: [2, 2] })), [1248]],
    // Horizontal stride 4: (2 - 1) x 4 + 4 pixels are written, where the size function says + 2.
    ['uneven strides', '7', 'dsp', transposeCall(conv(3, 2, [2, 2], [2, 2], { stride: [1, 4] })), [128]],
    [
      'six: all columns, and the output',
      '6',
      'dsp',
      transposeCall(conv(16, 8, [6, 6], [3, 3])),
      [10368, 2048],
    ],
  ])('%s (%s, %s)', (_, version, build, call, sizes) => {
    expect(scratchOf(library('cmsis-nn', version, build), call)).toEqual(sizes);
  });

  const data = { type: 'int8', shape: [20, 30] } as const;
  const matrix = { type: 'int8', shape: [30, 7], constant: true } as const;
  const image = { type: 'int8', shape: [1, 24, 7, 7] } as const;
  const pooled = { type: 'int8', shape: [1, 24, 1, 1] } as const;
  const scale = { shape: [], constant: true } as const;
  const step = (type: ElementType) => [
    { type, shape: [5, 3, 10] },
    { type: 'int8', shape: [1, 64, 10], constant: true } as const,
    { type: 'int8', shape: [1, 64, 16], constant: true } as const,
  ];

  it.each<[string, CallSketch, readonly [unknown, unknown, unknown]]>([
    [
      'a product: four bytes a column',
      { op: 'MatMul', inputs: [data, matrix], outputs: [{ type: 'int8', shape: [20, 7] }] },
      [[0], [0], [28]],
    ],
    [
      'a product of 16-bit data',
      {
        op: 'MatMul',
        inputs: [{ ...data, type: 'int16' }, matrix],
        outputs: [{ type: 'int16', shape: [20, 7] }],
      },
      [[0], [0], [0]],
    ],
    [
      'a product by its own operator',
      {
        op: 'QLinearMatMul',
        inputs: [data, scale, scale, matrix, scale, scale, scale, scale],
        outputs: [{ type: 'int8', shape: [20, 7] }],
      },
      [[0], [0], [28]],
    ],
    ['an average', { op: 'GlobalAveragePool', inputs: [image], outputs: [pooled] }, [[0], [96], [0]]],
    [
      'an average of com.microsoft',
      {
        op: 'QLinearGlobalAveragePool',
        domain: 'com.microsoft',
        inputs: [image, scale, scale, scale, scale],
        outputs: [pooled],
      },
      [[0], [96], [0]],
    ],
    [
      'the same, channels last: 7',
      {
        op: 'QLinearGlobalAveragePool',
        domain: 'com.microsoft',
        inputs: [image, scale, scale, scale, scale],
        outputs: [pooled],
        attributes: { channels_last: 1 },
      },
      [[0], [28], [0]],
    ],
    ['a maximum', { op: 'MaxPool', inputs: [image], outputs: [pooled] }, [[], [], []]],
    // Three buffers of 3 x 16 values in 16 bits.
    [
      'an LSTM',
      {
        op: 'LSTM',
        inputs: step('int8'),
        outputs: [{ type: 'int8', shape: [5, 1, 3, 16] }],
        attributes: { hidden_size: 16 },
      },
      [
        [96, 96, 96],
        [96, 96, 96],
        [96, 96, 96],
      ],
    ],
    ['a reshape', { op: 'Reshape', inputs: [image], outputs: [pooled] }, [[], [], []]],
  ])('%s', (_, call, sizes) => {
    expect(BUILDS.map((build) => scratchOf(library('cmsis-nn', '7', build), call))).toEqual(sizes);
  });
});
