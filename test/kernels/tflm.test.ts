/** What the kernels of TensorFlow Lite Micro ask of the arena, by hand and by formula. */
import { describe, expect, it } from 'vitest';
import type { ElementType } from '../../src/graph/element-type.ts';
import {
  type CallSketch,
  type ConvSketch,
  contractOf,
  convCall,
  library,
  outputSize,
  scratchOf,
  transposeCall,
} from '../support/kernels.ts';
import { createRandom } from '../support/random.ts';
import {
  type Build,
  convS8,
  convS16,
  depthwiseS4,
  depthwiseS8,
  transposeConvS8,
} from './cmsis-nn-formulas.ts';
import { asDepthwise, randomConv } from './random-conv.ts';

const reference = library('tflm', 'reference');
const BUILDS: readonly Build[] = ['scalar', 'dsp', 'mve'];
const optimised = (build: Build) => library('tflm', 'cmsis-nn', build);

const image: ConvSketch = { channels: 3, filters: 8, size: [9, 9], kernel: [3, 3] };
const of = (type: ElementType, ...shape: readonly number[]) => ({ type, shape });
const constant = (type: ElementType, ...shape: readonly number[]) =>
  ({ type, shape, constant: true }) as const;

const reduce = (
  op: string,
  type: ElementType,
  axes: readonly number[],
  ...output: readonly number[]
): CallSketch => ({
  op,
  inputs: [of(type, 1, 8, 6, 6)],
  outputs: [of(type, ...output)],
  attributes: { axes },
});

const lstm = (type: ElementType): CallSketch => ({
  op: 'LSTM',
  inputs: [of(type, 5, 2, 10), constant('int8', 1, 64, 10), constant('int8', 1, 64, 16)],
  outputs: [of(type, 5, 1, 2, 16)],
  attributes: { hidden_size: 16 },
});

describe('samples worked out by hand', () => {
  it.each<[string, CallSketch, readonly number[], readonly number[]]>([
    ['a convolution of floats', convCall({ ...image, type: 'float32', weight: 'float32' }), [], []],
    ['one of int8: 27 products', convCall(image), [], [112]],
    [
      'one with int4 weights: 8 x 27 bytes, or as with int8',
      convCall({ ...image, weight: 'int4' }),
      [216],
      [112],
    ],
    ['one of int16', convCall({ ...image, type: 'int16' }), [], [108]],
    // Sums of the output, 11 x 11 of 8 channels, in 4 and 8 bytes; with CMSIS-NN rows of 8 + 3 pixels, three of them.
    ['a transposed one of int8', transposeCall(image), [3872], [1056]],
    ['a transposed one of int16', transposeCall({ ...image, type: 'int16' }), [7744], [7744]],
    ['a transposed one of floats', transposeCall({ ...image, type: 'float32', weight: 'float32' }), [], []],
    // 8 sums of four bytes, 4 places, 2 axes.
    ['a mean of int8', reduce('ReduceMean', 'int8', [2, 3], 1, 8), [32, 16, 8], [32, 16, 8]],
    ['a mean of floats', reduce('ReduceMean', 'float32', [2, 3], 1, 8), [16, 8], [16, 8]],
    ['a maximum', reduce('ReduceMax', 'int8', [1], 1, 6, 6), [16, 4], [16, 4]],
    [
      'a global average is a mean',
      reduce('GlobalAveragePool', 'int8', [], 1, 8, 1, 1),
      [32, 16, 8],
      [32, 16, 8],
    ],
    ['an average pool', reduce('AveragePool', 'int8', [], 1, 8, 3, 3), [], [32]],
    ['a maximum pool', reduce('MaxPool', 'int8', [], 1, 8, 3, 3), [], []],
    ['two addends', { op: 'Sum', inputs: [of('int8', 4), of('int8', 4)], outputs: [of('int8', 4)] }, [], []],
    [
      'three addends',
      { op: 'Sum', inputs: [of('int8', 4), of('int8', 4), of('int8', 4)], outputs: [of('int8', 4)] },
      [12],
      [12],
    ],
    [
      'a mirrored border',
      {
        op: 'Pad',
        inputs: [of('int8', 1, 8, 6, 6)],
        outputs: [of('int8', 1, 8, 8, 8)],
        attributes: { mode: 'reflect' },
      },
      [16, 16],
      [16, 16],
    ],
    [
      'a constant border',
      { op: 'Pad', inputs: [of('int8', 1, 8, 6, 6)], outputs: [of('int8', 1, 8, 8, 8)] },
      [],
      [],
    ],
    // Four vectors of 2 x 16; the optimised kernels for integers keep three.
    ['an LSTM of floats', lstm('float32'), [128, 128, 128, 128], [128, 128, 128, 128]],
    ['an LSTM of int8', lstm('int8'), [64, 64, 64, 64], [64, 64, 64]],
    ['a softmax', { op: 'Softmax', inputs: [of('int8', 1, 10)], outputs: [of('int8', 1, 10)] }, [], []],
  ])('%s', (_, call, plain, dsp) => {
    const needs = (sizes: unknown) => (Array.isArray(sizes) ? sizes.filter((bytes) => bytes > 0) : sizes);
    expect(needs(scratchOf(reference, call))).toEqual(plain);
    expect(needs(scratchOf(optimised('dsp'), call))).toEqual(dsp);
  });

  it('fully connected layers of three and more dimensions run as 1x1 convolutions', () => {
    const call = (depth: number, ...scales: readonly number[]): CallSketch => ({
      op: 'QLinearMatMul',
      inputs: [
        of('int8', 2, 5, depth),
        ...[constant('float32'), constant('int8')],
        constant('int8', depth, 7),
        ...[constant('float32', ...scales), constant('int8'), constant('float32'), constant('int8')],
      ],
      outputs: [of('int8', 2, 5, 7)],
    });
    // A multiplier and a shift for each of 7 columns; with a scale for each they are there already.
    expect(scratchOf(optimised('mve'), call(12))).toEqual([0, 56]);
    expect(scratchOf(optimised('mve'), call(12, 7))).toEqual([0, 0]);
    // A depth of 10 is no multiple of 4: sums of the filters.
    expect(scratchOf(optimised('mve'), call(10))).toEqual([28]);
    expect(scratchOf(optimised('dsp'), call(10))).toEqual([0]);
    expect(scratchOf(reference, call(12))).toEqual([]);
  });

  it('keeps every tensor on 16 bytes', () => {
    expect(reference).toMatchObject({ tensorAlignment: 16, scratchAlignment: 16, layout: 'nhwc' });
  });

  it('has not been run in place', () => {
    const sum: CallSketch = { op: 'Add', inputs: [of('int8', 4), of('int8', 4)], outputs: [of('int8', 4)] };
    expect(contractOf(reference, sum)).toMatchObject({ inPlace: [0, 1], proof: 'unproved' });
  });
});

describe('formulas, on 200 random shapes', () => {
  const seeds = Array.from({ length: 200 }, (_, i) => 5001 + i);

  it('reference kernels', () => {
    const differ = seeds.flatMap((seed) => {
      const conv = randomConv(seed);
      const output =
        conv.filters * [0, 1].reduce((a, axis) => a * full(conv, axis as 0 | 1), conv.batch ?? 1);
      const pairs: readonly (readonly [string, unknown, unknown])[] = [
        ['int8', scratchOf(reference, convCall(conv)), []],
        [
          'int4',
          scratchOf(reference, convCall({ ...conv, weight: 'int4' })),
          [conv.filters * conv.channels * conv.kernel[0] * conv.kernel[1]],
        ],
        ['transposed int8', scratchOf(reference, transposeCall(conv)), [4 * output]],
        ['transposed int16', scratchOf(reference, transposeCall({ ...conv, type: 'int16' })), [8 * output]],
        ...reductions(seed),
      ];
      return wrong(seed, pairs);
    });
    expect(differ).toEqual([]);
  });

  it.each(BUILDS)('kernels that call CMSIS-NN, build %s', (build) => {
    const kernels = optimised(build);
    const differ = seeds.flatMap((seed) => {
      const conv = randomConv(seed);
      const each = asDepthwise(conv, 1);
      const one = (sketch: ConvSketch): unknown => scratchOf(kernels, convCall(sketch));
      const channels = conv.channels;
      const pool: CallSketch = {
        op: 'AveragePool',
        inputs: [of('int8', 1, channels, ...conv.size)],
        outputs: [of('int8', 1, channels, ...outputSize(conv))],
      };
      return wrong(seed, [
        ['int8', one(conv), [convS8(conv, '7', build)]],
        ['int4', one({ ...conv, weight: 'int4' }), [convS8(conv, '7', build)]],
        ['int16', one({ ...conv, type: 'int16' }), [convS16(conv, '7', build)]],
        ['depthwise int8', one(each), [depthwiseS8(each, '7', build)]],
        ['depthwise int4', one({ ...each, weight: 'int4' }), [depthwiseS4(each, '7', build)]],
        ['depthwise int16', one({ ...each, type: 'int16' }), []],
        ['transposed', scratchOf(kernels, transposeCall(conv)), transposeConvS8(conv, '7', build)],
        ['average', scratchOf(kernels, pool), [build === 'dsp' ? 4 * channels : 0]],
      ]);
    });
    expect(differ).toEqual([]);
  });
});

function full(conv: ConvSketch, axis: 0 | 1): number {
  return (conv.size[axis] - 1) * (conv.stride ?? [1, 1])[axis] + conv.kernel[axis];
}

function reductions(seed: number): readonly (readonly [string, unknown, unknown])[] {
  const random = createRandom(seed);
  const shape = Array.from({ length: 2 + random(3) }, () => 1 + random(9));
  const axes = shape.map((_, axis) => axis).filter(() => random(2) === 0);
  const kept = shape.filter((_, axis) => !axes.includes(axis));
  const call = (op: string, type: ElementType): CallSketch => ({
    op,
    inputs: [of(type, ...shape)],
    outputs: [of(type, ...kept)],
    attributes: { axes },
  });
  const counters = [4 * shape.length, 4 * axes.length];
  const sums = 4 * kept.reduce((a, b) => a * b, 1);
  return [
    ['sum of int16', scratchOf(reference, call('ReduceSum', 'int16')), [sums, ...counters]],
    ['sum of floats', scratchOf(reference, call('ReduceSum', 'float32')), counters],
    ['minimum', scratchOf(reference, call('ReduceMin', 'int8')), counters],
  ];
}

function wrong(seed: number, pairs: readonly (readonly [string, unknown, unknown])[]): readonly string[] {
  return pairs
    .filter(([, found, expected]) => String(found) !== String(expected))
    .map(([what, found, expected]) => `seed ${seed}, ${what}: ${found}, not ${expected}`);
}
