/** Models of many single operators: what each family of kernels must compute. */
import type { onnx } from 'onnx-proto';
import type { ElementType } from '../../src/graph/element-type.ts';
import { type AttributeSpec, float, type ModelSpec, node, tensor } from '../support/onnx.ts';

/** An operand: a graph input with the range of its numbers, or a constant. */
export interface Source {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly range?: readonly [number, number];
  readonly values?: readonly number[];
}

export interface Case {
  readonly op: string;
  readonly inputs: readonly (Source | undefined)[];
  readonly attributes: Readonly<Record<string, AttributeSpec>>;
  readonly outputs: number;
  readonly domain: string;
}

export interface Family {
  readonly name: string;
  readonly opset: number;
  readonly cases: readonly Case[];
}

type Attributes = Case['attributes'];

/** A float32 input. */
export const x = (...shape: readonly number[]): Source => ({ type: 'float32', shape });
const within = (least: number, most: number, ...shape: readonly number[]): Source => {
  return { type: 'float32', shape, range: [least, most] };
};
const typed = (type: ElementType, shape: readonly number[], range?: readonly [number, number]): Source => {
  return range === undefined ? { type, shape } : { type, shape, range };
};
const constant = (type: ElementType, shape: readonly number[], values: readonly number[]): Source => {
  return { type, shape, values };
};
const ints = (...values: readonly number[]) => constant('int64', [values.length], values);
const real = (value: number) => constant('float32', [], [value]);

/** A float32 weight with numbers that look random and are always the same. */
function w(...shape: readonly number[]): Source {
  return constant(
    'float32',
    shape,
    spread(shape, (v) => v / 2),
  );
}

function spread(shape: readonly number[], of: (unit: number) => number): readonly number[] {
  const count = shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: count }, (_, i) => of(Math.sin(i * 12.9898 + count) * 0.99));
}

function bytes(type: 'int8' | 'uint8', ...shape: readonly number[]): Source {
  return constant(
    type,
    shape,
    spread(shape, (v) => Math.round(v * 127) + (type === 'int8' ? 0 : 128)),
  );
}

function op(name: string, inputs: Case['inputs'], attributes: Attributes = {}, outputs = 1): Case {
  return { op: name, inputs, attributes, outputs, domain: '' };
}

function ms(name: string, inputs: Case['inputs'], attributes: Attributes = {}): Case {
  return { ...op(name, inputs, attributes), domain: 'com.microsoft' };
}

/** Scale and zero point. */
const q = (type: 'int8' | 'uint8', scale: number, zero: number): readonly Source[] => [
  real(scale),
  constant(type, [], [zero]),
];

const SHAPE = [2, 3, 5] as const;

export const FAMILIES: readonly Family[] = [
  {
    name: 'activations',
    opset: 20,
    cases: [
      ...['Relu', 'Sigmoid', 'Tanh', 'Softplus', 'Softsign', 'HardSwish', 'Mish', 'Gelu', 'Elu', 'Selu'].map(
        (name) => op(name, [within(-8, 8, ...SHAPE)]),
      ),
      op('LeakyRelu', [within(-8, 8, 7)], { alpha: float(0.2) }),
      op('ThresholdedRelu', [within(-8, 8, 7)], { alpha: float(1.5) }),
      op('Celu', [within(-8, 8, 7)], { alpha: float(1.5) }),
      op('HardSigmoid', [within(-8, 8, 7)], { alpha: float(0.3), beta: float(0.4) }),
      op('Shrink', [within(-2, 2, 7)], { bias: float(0.25), lambd: float(0.75) }),
      op('Gelu', [within(-4, 4, 7)], { approximate: 'tanh' }),
      op('Clip', [within(-8, 8, 7), real(-1.5), real(2.5)]),
      op('Clip', [within(-8, 8, 7), undefined, real(2.5)]),
      op('Clip', [within(-8, 8, 7), real(-0.5)]),
    ],
  },
  {
    name: 'functions',
    opset: 17,
    cases: [
      ...[
        'Abs',
        'Neg',
        'Sign',
        'Ceil',
        'Floor',
        'Round',
        'Exp',
        'Sin',
        'Cos',
        'Tan',
        'Atan',
        'Sinh',
        'Cosh',
      ].map((name) => op(name, [within(-1.4, 1.4, ...SHAPE)])),
      ...['Asinh', 'Erf'].map((name) => op(name, [within(-3, 3, 11)])),
      ...['Asin', 'Acos', 'Atanh'].map((name) => op(name, [within(-0.9, 0.9, 11)])),
      ...['Sqrt', 'Log', 'Reciprocal'].map((name) => op(name, [within(0.1, 9, 11)])),
      op('Acosh', [within(1, 9, 11)]),
    ],
  },
  {
    name: 'pairs',
    opset: 17,
    cases: [
      ...['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min'].flatMap((name) => [
        op(name, [within(0.5, 4, 2, 3, 4), within(0.5, 4, 2, 3, 4)]),
        op(name, [within(0.5, 4, 2, 3, 4), within(0.5, 4, 3, 1)]),
        op(name, [within(0.5, 4, 4), within(0.5, 4, 2, 1, 4)]),
        op(name, [within(0.5, 4, 2, 1, 4, 1), within(0.5, 4, 3, 1, 5)]),
        op(name, [w(3, 4), within(0.5, 4, 1)]),
      ]),
      op('Pow', [within(0.5, 4, 2, 3), real(2)]),
      op('Pow', [within(0.5, 4, 2, 3), within(-2, 2, 3)]),
      op('PRelu', [within(-4, 4, 2, 3, 4), w(3, 1)]),
      op('Mod', [within(-4, 4, 6), within(0.5, 4, 6)], { fmod: 1 }),
      op('Sum', [x(2, 3), x(3), x(2, 1)]),
      op('Mean', [x(2, 3), x(2, 3), x(3)]),
      op('Max', [x(2, 3), x(3), x(2, 1)]),
      op('Min', [x(2, 3)]),
      op('Sum', [x(3), x(2, 3), x(2, 1), x(1)]),
    ],
  },
  {
    name: 'integers',
    opset: 17,
    cases: [
      ...(['int32', 'int64'] as const).flatMap((type) => [
        ...['Add', 'Sub', 'Mul', 'Max', 'Min'].map((name) =>
          op(name, [typed(type, [2, 5], [-9, 9]), typed(type, [5], [-9, 9])]),
        ),
        op('Div', [typed(type, [2, 5], [-9, 9]), typed(type, [5], [1, 5])]),
        op('Mod', [typed(type, [2, 9], [-9, 9]), constant(type, [9], [-4, -3, -2, -1, 1, 2, 3, 4, 5])]),
        op('Equal', [typed(type, [2, 9]), typed(type, [9])]),
        op('Less', [typed(type, [2, 9]), typed(type, [9])]),
        op('GreaterOrEqual', [typed(type, [2, 9]), typed(type, [9])]),
        op('Where', [typed('bool', [9]), typed(type, [2, 9]), typed(type, [1])]),
      ]),
      op('Less', [x(3, 4), x(4)]),
      op('LessOrEqual', [x(3, 4), x(4)]),
      op('Greater', [x(3, 4), x(4)]),
      op('Equal', [within(0, 0, 3, 4), within(0, 0, 4)]),
      op('And', [typed('bool', [3, 4]), typed('bool', [4])]),
      op('Or', [typed('bool', [3, 4]), typed('bool', [3, 4])]),
      op('Xor', [typed('bool', [3, 4]), typed('bool', [3, 1])]),
      op('Equal', [typed('bool', [3, 4]), typed('bool', [4])]),
      op('Not', [typed('bool', [5])]),
      op('Where', [typed('bool', [3, 1]), x(3, 4), x(4)]),
      op('Where', [typed('bool', [2, 1, 4]), x(3, 1), x(2, 3, 4)]),
    ],
  },
  {
    name: 'casts',
    opset: 17,
    cases: [
      ...([6, 7, 2, 3, 9] as const).map((to) => op('Cast', [within(0, 100, 9)], { to })),
      ...([1, 7, 3, 9] as const).map((to) => op('Cast', [typed('int32', [9], [-500, 500])], { to })),
      ...([1, 6, 2] as const).map((to) => op('Cast', [typed('int64', [9], [-500, 500])], { to })),
      ...([1, 6, 9] as const).map((to) => op('Cast', [typed('uint8', [9])], { to })),
      ...([1, 7] as const).map((to) => op('Cast', [typed('bool', [9])], { to })),
      ...([1, 6] as const).map((to) => op('Cast', [typed('int8', [9])], { to })),
    ],
  },
  {
    name: 'moves',
    opset: 17,
    cases: [
      op('Transpose', [x(2, 3, 4)]),
      op('Transpose', [x(2, 3, 4, 5)], { perm: [0, 2, 3, 1] }),
      op('Transpose', [typed('int8', [2, 3, 4, 5])], { perm: [3, 0, 2, 1] }),
      op('Transpose', [typed('int64', [5, 1, 4])], { perm: [2, 1, 0] }),
      op('Concat', [x(2, 3), x(2, 1), w(2, 2)], { axis: 1 }),
      op('Concat', [x(2, 3), x(1, 3)], { axis: 0 }),
      op('Concat', [typed('uint8', [2, 2, 3]), typed('uint8', [2, 1, 3])], { axis: -2 }),
      op('Split', [x(2, 6), ints(1, 2, 3)], { axis: 1 }, 3),
      op('Split', [x(6, 2), ints(1, 5)], {}, 2),
      op('Slice', [x(4, 6), ints(1, -4), ints(3, -1)]),
      op('Slice', [x(4, 6), ints(-1), ints(-100), ints(1), ints(-2)]),
      op('Slice', [x(4, 6, 3), ints(0, 1), ints(4, 6), ints(0, 1), ints(3, 2)]),
      op('Expand', [x(3, 1), ints(2, 1, 4)]),
      op('Tile', [x(2, 3), ints(2, 3)]),
      op('Pad', [x(2, 3), ints(1, 0, 2, 3), real(1.5)]),
      op('Pad', [x(3, 4), ints(-1, 2, 1, -2)]),
      op('Pad', [x(2, 3, 4), ints(0, 2, 1, 0, 1, 3)], { mode: 'edge' }),
      op('Pad', [x(2, 3, 4), ints(0, 2, 3, 0, 1, 1)], { mode: 'reflect' }),
      op('Gather', [x(4, 3), ints(2, 0, -1)]),
      op('Gather', [x(2, 4, 3), typed('int64', [2, 2])], { axis: 1 }),
      op('Gather', [w(4, 3), typed('int32', [3])], { axis: 0 }),
      op('OneHot', [typed('int64', [2, 3], [-4, 6]), ints(4), constant('float32', [2], [0.5, 2])]),
      op(
        'OneHot',
        [typed('int32', [2, 3], [0, 5]), constant('int32', [1], [5]), constant('float32', [2], [-1, 3])],
        { axis: 1 },
      ),
      op('ScatterND', [x(4, 3), constant('int64', [2, 1], [2, 0]), x(2, 3)]),
      op('ScatterND', [x(4, 3), constant('int64', [2, 2], [2, 1, 0, 0]), x(2)]),
      op('DepthToSpace', [x(1, 8, 2, 3)], { blocksize: 2 }),
      op('DepthToSpace', [x(1, 8, 2, 3)], { blocksize: 2, mode: 'CRD' }),
      op('SpaceToDepth', [x(2, 2, 4, 6)], { blocksize: 2 }),
      op('Identity', [x(5)]),
      op('Dropout', [x(5)], {}, 2),
      op('Reshape', [x(2, 6), ints(3, -1)]),
    ],
  },
  {
    name: 'what opset 19 added',
    opset: 19,
    cases: [
      op('Pad', [x(2, 3, 4), ints(0, 1, 2, 0, 2, 1)], { mode: 'wrap' }),
      op('Pad', [x(2, 3, 4), ints(1, -1), real(2), ints(-1)]),
      op('Split', [x(2, 7)], { axis: -1, num_outputs: 3 }, 3),
      op('AveragePool', [x(1, 2, 9, 8)], { kernel_shape: [3, 2], dilations: [2, 3], pads: [1, 1, 1, 1] }),
      op('AveragePool', [x(1, 2, 8, 9)], {
        ...{ kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1], ceil_mode: 1, count_include_pad: 1 },
      }),
      resize('half_pixel_symmetric', 'linear', [1, 1, 1.3, 0.7]),
      resize('half_pixel_symmetric', 'nearest', [1, 1, 1.3, 0.7]),
      op('Resize', [x(1, 2, 5, 4), undefined, constant('float32', [2], [2, 0.5])], {
        mode: 'linear',
        axes: [2, 3],
      }),
    ],
  },
  {
    name: 'convolutions',
    opset: 17,
    cases: [
      op('Conv', [x(1, 3, 8, 7), w(4, 3, 3, 3)]),
      op('Conv', [x(2, 4, 9, 8), w(6, 2, 3, 2), w(6)], { group: 2, strides: [2, 1], pads: [1, 0, 2, 1] }),
      op('Conv', [x(1, 5, 9, 9), w(5, 1, 3, 3), w(5)], { group: 5, pads: [1, 1, 1, 1], dilations: [2, 1] }),
      op('Conv', [x(1, 3, 11, 10), w(4, 3, 4, 3)], { auto_pad: 'SAME_UPPER', strides: [2, 3] }),
      op('Conv', [x(1, 3, 11, 10), w(4, 3, 4, 2)], { auto_pad: 'SAME_LOWER', strides: [3, 1] }),
      op('Conv', [x(1, 3, 6, 5), w(4, 3, 2, 3)], { auto_pad: 'VALID' }),
      op('Conv', [x(2, 3, 20), w(4, 3, 5), w(4)], { strides: [2], pads: [3, 1], dilations: [2] }),
      op('Conv', [x(1, 16, 3, 3), w(8, 16, 1, 1), w(8)]),
      op('Conv', [x(1, 2, 3, 3), w(2, 2, 5, 5)], { pads: [4, 4, 4, 4] }),
      op('Conv', [x(1, 4, 6, 6), x(3, 4, 3, 3)]),
      op('ConvTranspose', [x(1, 3, 4, 5), w(3, 2, 3, 3)]),
      op('ConvTranspose', [x(2, 4, 4, 5), w(4, 3, 3, 2), w(6)], {
        ...{ group: 2, strides: [2, 3], pads: [1, 0, 1, 1], output_padding: [1, 2] },
      }),
      op('ConvTranspose', [x(1, 3, 5), w(3, 2, 4)], { strides: [2], dilations: [2] }),
      op('ConvTranspose', [x(1, 3, 4, 4), w(3, 2, 3, 3)], { auto_pad: 'SAME_UPPER', strides: [2, 2] }),
    ],
  },
  {
    name: 'products',
    opset: 17,
    cases: [
      op('MatMul', [x(3, 7), w(7, 5)]),
      op('MatMul', [x(2, 3, 4), x(2, 4, 5)]),
      op('MatMul', [x(2, 1, 3, 4), x(5, 4, 2)]),
      op('MatMul', [x(4), x(4, 3)]),
      op('MatMul', [x(2, 3, 4), x(4)]),
      op('MatMul', [x(4), x(4)]),
      op('Gemm', [x(3, 7), w(7, 5), w(5)]),
      op('Gemm', [x(7, 3), w(5, 7), w(3, 1)], { transA: 1, transB: 1, alpha: float(0.5), beta: float(2) }),
      op('Gemm', [x(3, 7), w(5, 7)], { transB: 1 }),
      op('Gemm', [x(3, 4), x(4, 2), x(3, 2)]),
      op('Gemm', [x(3, 4), x(4, 2), real(0.5)]),
    ],
  },
  {
    name: 'pools',
    opset: 17,
    cases: [
      op('MaxPool', [x(1, 3, 8, 7)], { kernel_shape: [3, 2], strides: [2, 2], pads: [1, 0, 1, 1] }),
      op('MaxPool', [x(2, 2, 9)], { kernel_shape: [3], dilations: [2] }),
      op('MaxPool', [x(1, 2, 7, 8)], { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 }),
      op('MaxPool', [x(1, 2, 7, 8)], { kernel_shape: [3, 3], strides: [2, 3], auto_pad: 'SAME_LOWER' }),
      op('MaxPool', [typed('uint8', [1, 3, 6, 6])], { kernel_shape: [2, 2], strides: [2, 2] }),
      op('MaxPool', [typed('int8', [1, 3, 6, 6])], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }),
      op('AveragePool', [x(1, 3, 8, 7)], { kernel_shape: [3, 2], strides: [2, 2], pads: [1, 0, 1, 1] }),
      op('AveragePool', [x(1, 3, 8, 7)], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], count_include_pad: 1 }),
      op('AveragePool', [x(1, 2, 8, 9)], { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 }),
      op('AveragePool', [x(2, 2, 9)], { kernel_shape: [4], strides: [3], auto_pad: 'SAME_UPPER' }),
      op('GlobalAveragePool', [x(2, 3, 4, 5)]),
      op('GlobalMaxPool', [x(2, 3, 4, 5)]),
      op('GlobalAveragePool', [x(2, 3, 7)]),
      op('GlobalAveragePool', [x(1, 2, 3, 2, 4)]),
    ],
  },
  {
    name: 'reductions',
    opset: 17,
    cases: [
      ...['Mean', 'Max', 'Min', 'Prod', 'L1', 'L2', 'SumSquare', 'LogSumExp'].flatMap((name) => [
        op(`Reduce${name}`, [x(2, 3, 4)], { axes: [1] }),
        op(`Reduce${name}`, [x(2, 3, 4, 2)], { axes: [-1, 1], keepdims: 0 }),
        op(`Reduce${name}`, [x(2, 3)]),
      ]),
      op('ReduceLogSum', [within(0.5, 2, 2, 3)], { axes: [0] }),
      op('ReduceSum', [x(2, 3, 4), ints(2, 0)]),
      op('ReduceSum', [x(2, 3)], { noop_with_empty_axes: 1 }),
      op('ArgMax', [x(3, 5, 2)], { axis: 1 }),
      op('ArgMin', [x(3, 5, 2)], { axis: -1, keepdims: 0 }),
      op('ArgMax', [within(0, 0, 3, 5)], { axis: 1, select_last_index: 1 }),
      op('Softmax', [within(-9, 9, 2, 3, 4)]),
      op('Softmax', [within(-9, 9, 2, 3, 4)], { axis: 1 }),
      op('LogSoftmax', [within(-9, 9, 2, 3, 4)], { axis: 0 }),
    ],
  },
  {
    name: 'reductions by an input',
    opset: 18,
    cases: [
      op('ReduceMean', [x(2, 3, 4), ints(1)]),
      op('ReduceMax', [x(2, 3, 4), ints(0, 2)], { keepdims: 0 }),
    ],
  },
  {
    name: 'older versions',
    opset: 11,
    cases: [
      op('Softmax', [within(-9, 9, 2, 3, 4)]),
      op('LogSoftmax', [within(-9, 9, 2, 3, 4)], { axis: 2 }),
      op('ReduceSum', [x(2, 3, 4)], { axes: [0, 2] }),
      op('Split', [x(2, 6)], { axis: 1, split: [2, 4] }, 2),
      op('Split', [x(2, 6)], { axis: 1 }, 3),
      op('Resize', [x(1, 2, 3, 3), constant('float32', [0], []), constant('float32', [4], [1, 1, 2.5, 2])], {
        ...{ mode: 'nearest', coordinate_transformation_mode: 'tf_half_pixel_for_nn', nearest_mode: 'floor' },
      }),
      op('Resize', [x(1, 2, 3, 3), constant('float32', [0], []), constant('float32', [4], [1, 1, 2, 2])], {
        ...{ mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
      }),
    ],
  },
  {
    name: 'the oldest versions',
    opset: 9,
    cases: [
      op('BatchNormalization', [x(4, 3), w(3), w(3), w(3), constant('float32', [3], [0.5, 1, 2])]),
      op('Slice', [x(4, 6)], { starts: [1, -3], ends: [3, 100], axes: [0, 1] }),
      op('Clip', [within(-8, 8, 9)], { min: float(-1), max: float(6) }),
      op('Pad', [x(2, 3)], { pads: [1, 0, 0, 2], value: float(0.5) }),
      op('Upsample', [x(1, 2, 3, 2), constant('float32', [4], [1, 1, 2, 3])], { mode: 'nearest' }),
      op('Upsample', [x(1, 2, 3, 2), constant('float32', [4], [1, 1, 2, 2])], { mode: 'linear' }),
    ],
  },
  {
    name: 'normalisation',
    opset: 17,
    cases: [
      op('BatchNormalization', [x(2, 3, 4, 2), w(3), w(3), w(3), constant('float32', [3], [0.5, 1, 2])]),
      op('InstanceNormalization', [x(2, 3, 4, 5), w(3), w(3)], { epsilon: float(1e-3) }),
      op('LayerNormalization', [x(2, 3, 8), w(8), w(8)]),
      op('LayerNormalization', [x(2, 3, 4), w(3, 4)], { axis: 1 }),
      op('LRN', [x(1, 7, 3, 3)], { size: 3, alpha: float(0.5), beta: float(0.6), bias: float(1.5) }),
    ],
  },
  {
    name: 'resizing',
    opset: 18,
    cases: [
      ...['half_pixel', 'pytorch_half_pixel', 'asymmetric', 'align_corners'].flatMap((mode) => [
        resize(mode, 'linear', [1, 1, 2, 1.5]),
        resize(mode, 'linear', [1, 1, 0.6, 3]),
        ...['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'].map((rounding) =>
          resize(mode, 'nearest', [1, 1, 1.7, 0.5], { nearest_mode: rounding }),
        ),
      ]),
      op('Resize', [x(1, 2, 5, 4), undefined, undefined, ints(1, 2, 7, 9)], { mode: 'linear' }),
      op('Resize', [x(2, 5, 4), undefined, undefined, ints(2, 10, 8)], { mode: 'nearest' }),
      op('Resize', [typed('uint8', [1, 2, 3, 3]), undefined, constant('float32', [4], [1, 1, 2, 2])], {
        mode: 'nearest',
      }),
    ],
  },
  {
    name: 'quantisation',
    opset: 17,
    cases: [
      op('QuantizeLinear', [within(-3, 3, 3, 40), ...q('uint8', 0.02, 128)]),
      op('QuantizeLinear', [within(-3, 3, 3, 40), ...q('int8', 0.02, -3)]),
      op('QuantizeLinear', [within(-3, 3, 3, 40), real(0.01)]),
      op(
        'QuantizeLinear',
        [
          within(-3, 3, 3, 40),
          constant('float32', [3], [0.01, 0.02, 0.5]),
          constant('int8', [3], [1, 0, -5]),
        ],
        { axis: 0 },
      ),
      op('DequantizeLinear', [typed('uint8', [3, 4]), ...q('uint8', 0.02, 128)]),
      op('DynamicQuantizeLinear', [within(-2, 3, 5, 7)], {}, 3),
      op('DynamicQuantizeLinear', [within(1, 3, 9)], {}, 3),
      op('DynamicQuantizeLinear', [within(0, 0, 9)], {}, 3),
      op('Relu', [typed('int8', [300])]),
      op('DequantizeLinear', [typed('int8', [3, 4]), real(0.1)]),
      op('DequantizeLinear', [typed('int32', [3, 4], [-5000, 5000]), real(0.001)]),
      op('DequantizeLinear', [typed('int8', [3, 4]), constant('float32', [4], [1, 2, 3, 4])], { axis: -1 }),
      ...(['uint8', 'int8'] as const).flatMap((type) => quantizedProducts(type)),
    ],
  },
  {
    name: 'recurrent layers',
    opset: 14,
    cases: [
      op('LSTM', [x(5, 2, 3), w(1, 16, 3), w(1, 16, 4), w(1, 32)], { hidden_size: 4 }, 3),
      op('LSTM', [x(5, 2, 3), w(1, 16, 3), w(1, 16, 4), w(1, 32), constant('int32', [2], [5, 5])], {
        hidden_size: 4,
      }),
      op('LSTM', [x(5, 1, 3), w(1, 16, 3), w(1, 16, 4)], { hidden_size: 4, direction: 'reverse' }, 3),
      op(
        'LSTM',
        [x(4, 2, 3), w(2, 16, 3), w(2, 16, 4), w(2, 32), undefined, x(2, 2, 4), x(2, 2, 4), w(2, 12)],
        { hidden_size: 4, direction: 'bidirectional' },
        3,
      ),
      op('GRU', [x(5, 2, 3), w(1, 12, 3), w(1, 12, 4), w(1, 24)], { hidden_size: 4 }, 2),
      op(
        'GRU',
        [x(5, 2, 3), w(1, 12, 3), w(1, 12, 4), w(1, 24)],
        { hidden_size: 4, linear_before_reset: 1 },
        2,
      ),
      op(
        'GRU',
        [x(4, 2, 3), w(2, 12, 3), w(2, 12, 4), w(2, 24), undefined, x(2, 2, 4)],
        { hidden_size: 4, direction: 'bidirectional' },
        2,
      ),
    ],
  },
];

function resize(mode: string, how: string, scales: readonly number[], more: Attributes = {}): Case {
  return op('Resize', [x(1, 2, 5, 4), undefined, constant('float32', [4], scales)], {
    ...{ mode: how, coordinate_transformation_mode: mode },
    ...more,
  });
}

function quantizedProducts(type: 'uint8' | 'int8'): readonly Case[] {
  const zero = type === 'uint8' ? 120 : -7;
  const data = (...shape: readonly number[]) => typed(type, shape);
  const each = constant('float32', [6], [0.01, 0.02, 0.005, 0.01, 0.03, 0.02]);
  const none = constant('int8', [6], [0, 0, 0, 0, 0, 0]);
  // A converter that divides by a tiny scale ends at the limit of the type; there onnxruntime wraps around.
  const bias = constant('int32', [6], [100, -200, 300, 0, -(2 ** 31), 2 ** 31 - 1]);
  return [
    op(
      'QLinearConv',
      [
        ...[data(1, 3, 7, 6), ...q(type, 0.02, zero)],
        ...[
          bytes(type, 6, 3, 3, 3),
          ...q(type, 0.01, type === 'uint8' ? 128 : 0),
          ...q(type, 0.05, zero),
          bias,
        ],
      ],
      { pads: [1, 1, 1, 1], strides: [2, 1] },
    ),
    op(
      'QLinearConv',
      [
        ...[data(1, 6, 7, 6), ...q(type, 0.02, zero), bytes('int8', 6, 1, 3, 3), each, none],
        ...[...q(type, 0.03, zero), bias],
      ],
      { group: 6, pads: [0, 1, 1, 0] },
    ),
    op('QLinearMatMul', [
      ...[
        data(4, 9),
        ...q(type, 0.02, zero),
        bytes(type, 9, 5),
        ...q(type, 0.01, type === 'uint8' ? 128 : 0),
      ],
      ...q(type, 0.05, zero),
    ]),
    op('MatMulInteger', [
      data(2, 3, 9),
      bytes('int8', 9, 5),
      typed(type, []),
      constant('int8', [5], [1, 2, -3, 4, 0]),
    ]),
    op('MatMulInteger', [data(3, 9), typed('int8', [9, 5])]),
    op('ConvInteger', [data(1, 3, 7, 6), bytes(type, 6, 3, 3, 3), typed(type, [])], {
      ...{ pads: [1, 1, 1, 1], strides: [2, 1] },
    }),
    ms('QLinearAdd', [
      data(2, 3, 9),
      ...q(type, 0.02, zero),
      data(3, 9),
      ...q(type, 0.03, 3),
      ...q(type, 0.04, 5),
    ]),
    ms('QLinearMul', [
      data(2, 3, 9),
      ...q(type, 0.02, zero),
      data(9),
      ...q(type, 0.03, 3),
      ...q(type, 0.04, 5),
    ]),
    ms(
      'QLinearConcat',
      [...q(type, 0.04, 5), ...[1, 2].flatMap((c) => [data(1, c, 3, 2), ...q(type, 0.02 * c, zero)])],
      { axis: 1 },
    ),
    ...[
      { kernel_shape: [3, 2], strides: [2, 2], pads: [1, 0, 1, 1] },
      { kernel_shape: [3, 3], pads: [1, 1, 1, 1], count_include_pad: 1 },
    ].map((attributes) =>
      ms(
        'QLinearAveragePool',
        [data(1, 3, 8, 7), ...q(type, 1 / 64, zero), ...q(type, 1 / 128, 3)],
        attributes,
      ),
    ),
    ms('QLinearWhere', [
      typed('bool', [2, 1, 4]),
      ...[data(3, 1), ...q(type, 0.02, zero), data(2, 3, 4), ...q(type, 0.03, 3), ...q(type, 0.04, 5)],
    ]),
    ...['ReduceMax', 'ReduceMin'].map((name) => op(name, [data(2, 3, 4)], { axes: [0, 2] })),
    op('ArgMax', [data(3, 9, 2)], { axis: 1 }),
    op('ArgMax', [data(9, 300)], { axis: 1, select_last_index: 1 }),
    op('Clip', [data(300), constant(type, [], [type === 'uint8' ? 9 : -20]), constant(type, [], [100])]),
    ms('QLinearGlobalAveragePool', [data(2, 3, 5, 5), ...q(type, 0.02, zero), ...q(type, 0.01, 3)]),
    ms('QLinearSigmoid', [
      data(300),
      ...q(type, 0.03, zero),
      ...q(type, 1 / 256, type === 'uint8' ? 0 : -128),
    ]),
    // Along the last axis, one in the midst, and all from one on.
    ...[
      { axis: -1, opset: 13 },
      { axis: 1, opset: 13 },
      { axis: 1, opset: 11 },
    ].map((attributes) =>
      ms(
        'QLinearSoftmax',
        [data(2, 3, 5), ...q(type, 0.02, zero), ...q(type, 1 / 256, type === 'uint8' ? 0 : -128)],
        attributes,
      ),
    ),
    ms('QLinearLeakyRelu', [data(300), ...q(type, 0.03, zero), ...q(type, 0.025, zero)], {
      alpha: float(0.1),
    }),
    ms(
      'QGemm',
      [
        ...[data(4, 9), ...q(type, 0.02, zero), bytes('int8', 6, 9), each, none, bias],
        ...q(type, 0.05, zero),
      ],
      { transB: 1 },
    ),
  ];
}

/** One model of all cases of a family. Outputs are named after their operator. */
export function modelOf({ opset, cases }: Omit<Family, 'name'>): ModelSpec {
  const inputs: Record<string, readonly [ElementType, readonly number[]]> = {};
  const initializers: Record<string, onnx.ITensorProto> = {};
  const outputs: string[] = [];
  const nodes = cases.map((one, i) => {
    const names = one.inputs.map((source, k) => {
      if (source === undefined) return '';
      const name = `${one.op}_${i}_in${k}`;
      if (source.values === undefined) inputs[name] = [source.type, source.shape];
      else initializers[name] = tensor(source.type, source.shape, source.values);
      return name;
    });
    const made = Array.from({ length: one.outputs }, (_, k) => `${one.op}_${i}_out${k}`);
    outputs.push(...made);
    return node(one.op, names, made, one.attributes, { name: `${one.op}_${i}`, domain: one.domain });
  });
  return { opset: { '': opset, 'com.microsoft': 1 }, inputs, outputs, initializers, nodes };
}

/** Ranges of the graph inputs of that model. */
export function rangesOf({
  cases,
}: Pick<Family, 'cases'>): Readonly<Record<string, readonly [number, number]>> {
  const ranges: Record<string, readonly [number, number]> = {};
  for (const [i, one] of cases.entries()) {
    for (const [k, source] of one.inputs.entries()) {
      if (source?.range !== undefined) ranges[`${one.op}_${i}_in${k}`] = source.range;
    }
  }
  return ranges;
}
