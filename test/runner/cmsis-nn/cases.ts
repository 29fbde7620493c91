/** Single operators on int8 with random sizes and scales: what CMSIS-NN is called for. */
import type { AttributeSpec } from '../../support/onnx.ts';
import { createRandom } from '../../support/random.ts';
import type { Case, Source } from '../operators.ts';

export interface CaseOptions {
  readonly seed: number;
  /** Release 5 knows no groups but single channels, and pools one image. */
  readonly version: 5 | 6 | 7;
}

/** Some ninety cases. */
export function cmsisCases({ seed, version }: CaseOptions): readonly Case[] {
  const random = createRandom(seed);
  const between = (least: number, most: number) => least + random(most - least + 1);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const count = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

  const images = version > 5 ? [1, 2] : [1];
  const data = (...shape: readonly number[]): Source => ({ type: 'int8', shape });
  const constant = (
    type: 'int8' | 'int32' | 'float32',
    shape: readonly number[],
    value: () => number,
  ): Source => {
    return { type, shape, values: Array.from({ length: count(shape) }, value) };
  };
  const scale = (least: number, most: number) => () =>
    (least + ((most - least) * random(10000)) / 10000) / 100;
  const zero = () => between(-128, 127);
  const q = (least = 0.5, most = 5) => [
    constant('float32', [], scale(least, most)),
    constant('int8', [], zero),
  ];
  const weights = (shape: readonly number[], channels: number, each: boolean) => [
    constant('int8', shape, () => between(-127, 127)),
    constant('float32', each ? [channels] : [], scale(0.2, 2)),
    constant('int8', each ? [channels] : [], () => 0),
  ];
  const bias = (channels: number) =>
    random(3) === 0 ? undefined : constant('int32', [channels], () => between(-20000, 20000));
  const make = (
    op: string,
    inputs: Case['inputs'],
    attributes: Readonly<Record<string, AttributeSpec>> = {},
    domain = '',
  ): Case => ({ op, inputs, attributes, outputs: 1, domain });

  function conv(kind: 'plain' | 'pointwise' | 'row' | 'depthwise' | 'multiplied' | 'grouped' | 'axis'): Case {
    const groups = kind === 'grouped' ? pick([2, 3]) : 1;
    const single = kind === 'depthwise' || kind === 'multiplied';
    const channels = single ? between(2, 20) : groups * between(1, 9);
    const filters = single ? channels * (kind === 'multiplied' ? between(2, 3) : 1) : groups * between(1, 9);
    const batch = pick([1, 1, 2]);
    const axes = kind === 'axis' ? 1 : 2;
    const kernel = Array.from({ length: axes }, (_, i) =>
      kind === 'pointwise' || (kind === 'row' && i === 0) ? 1 : between(1, 5),
    );
    const dilations = kernel.map(() => (kind === 'plain' || kind === 'multiplied' ? pick([1, 1, 2]) : 1));
    const reach = kernel.map((size, i) => (size - 1) * dilations[i]! + 1);
    const size = reach.map((least, i) => (kind === 'row' && i === 0 ? 1 : least + between(0, 6)));
    const strides = kernel.map(() => pick([1, 1, 2, 3]));
    const pads = [...kernel, ...kernel].map((taps) => (kind === 'pointwise' ? 0 : between(0, taps - 1)));
    if (kind === 'row') pads[0] = pads[2] = 0;
    const inside = single ? 1 : channels / groups;
    return make(
      'QLinearConv',
      [
        ...[data(batch, channels, ...size), ...q()],
        ...weights([filters, inside, ...kernel], filters, random(2) === 0),
        ...[...q(10, 60), bias(filters)],
      ],
      { kernel_shape: kernel, dilations, strides, pads, group: single ? channels : groups },
    );
  }

  function gemm(turned: boolean): Case {
    const [rows, depth, columns] = [between(1, 4), between(1, 40), between(1, 20)];
    const shape = turned ? [columns, depth] : [depth, columns];
    return make(
      'QGemm',
      [data(rows, depth), ...q(), ...weights(shape, columns, random(2) === 0), bias(columns), ...q(10, 60)],
      { transB: turned ? 1 : 0 },
      'com.microsoft',
    );
  }

  function pair(op: 'QLinearAdd' | 'QLinearMul'): Case {
    const shape = pick([[between(1, 70)], [1, between(1, 9), between(1, 5), between(1, 5)]]);
    const to = op === 'QLinearAdd' ? q(1, 8) : q(2, 40);
    return make(op, [data(...shape), ...q(), data(...shape), ...q(), ...to], {}, 'com.microsoft');
  }

  /** Windows of at most the image, borders narrower than the window. */
  function pool(op: 'MaxPool' | 'QLinearAveragePool'): Case {
    const kernel = [between(1, 4), between(1, 4)];
    const size = kernel.map((taps) => taps + between(0, 5));
    const pads = [...kernel, ...kernel].map((taps) => between(0, taps - 1));
    const attributes = { kernel_shape: kernel, strides: [between(1, 3), between(1, 3)], pads };
    const shape = [pick(images), between(1, 20), ...size];
    if (op === 'MaxPool') return make(op, [data(...shape)], attributes);
    const same = q();
    return make(op, [data(...shape), ...same, ...same], attributes, 'com.microsoft');
  }

  function globalAverage(): Case {
    const same = q();
    return make(
      'QLinearGlobalAveragePool',
      [data(pick(images), between(1, 20), between(1, 6), between(1, 6)), ...same, ...same],
      {},
      'com.microsoft',
    );
  }

  function softmax(shape: readonly number[], axis: number): Case {
    const shares = [constant('float32', [], () => 1 / 256), constant('int8', [], () => -128)];
    return make(
      'QLinearSoftmax',
      [data(...shape), ...q(2, 20), ...shares],
      { axis, opset: 13 },
      'com.microsoft',
    );
  }

  const times = <T>(n: number, one: () => T): readonly T[] => Array.from({ length: n }, one);
  return [
    ...times(10, () => conv('plain')),
    ...times(6, () => conv('pointwise')),
    ...times(6, () => conv('row')),
    ...times(10, () => conv('depthwise')),
    ...times(6, () => conv('multiplied')),
    ...(version > 5 ? times(4, () => conv('grouped')) : []),
    ...times(4, () => conv('axis')),
    ...times(4, () => gemm(true)),
    ...times(4, () => gemm(false)),
    make('QLinearMatMul', [data(3, 17), ...q(), ...weights([17, 6], 6, false), ...q(10, 60)]),
    make('QLinearMatMul', [data(3, 17), ...q(), ...weights([17, 6], 6, true), ...q(10, 60)]),
    ...times(6, () => pair('QLinearAdd')),
    ...times(4, () => pair('QLinearMul')),
    ...times(6, () => pool('MaxPool')),
    ...times(6, () => pool('QLinearAveragePool')),
    ...times(3, globalAverage),
    ...times(3, () => softmax([between(1, 3), between(1, 20)], 1)),
    softmax([1, 7, 2, 3], 1),
    make('QLinearSigmoid', [data(1, 5, 3, 2), ...q(), ...q(0.3, 0.5)], {}, 'com.microsoft'),
    make(
      'QLinearConcat',
      [...q(), ...[2, 1, 3].flatMap((channels) => [data(1, channels, 4, 5), ...q()])],
      { axis: 1 },
      'com.microsoft',
    ),
    make('Transpose', [data(2, 3, 4, 5)], { perm: [0, 2, 3, 1] }),
    make('Flatten', [data(2, 3, 4, 5)], { axis: 1 }),
  ];
}
