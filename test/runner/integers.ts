/** Operators between DequantizeLinear and QuantizeLinear: a model in which each that is fused is tried. */
import type { ElementType } from '../../src/graph/element-type.ts';
import { type AttributeSpec, type ModelSpec, node, tensor } from '../support/onnx.ts';

type Byte = 'int8' | 'uint8';

/** An operand that is dequantised: a graph input, or a constant where it has a scale for each of an axis. */
interface Data {
  readonly shape: readonly number[];
  readonly scale: number | readonly number[];
  readonly zero?: number;
  readonly axis?: number;
  readonly constant?: boolean;
}

/** An operand that is not: a constant or an input of another type. */
interface Plain {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly values?: readonly number[];
}

export interface IntegerCase {
  readonly op: string;
  readonly inputs: readonly (Data | Plain | undefined)[];
  readonly attributes: Readonly<Record<string, AttributeSpec>>;
  /** Of the results. */
  readonly scale: number;
  /** Where it is not that of the first operand. */
  readonly zero?: number;
  readonly outputs: number;
  /** An activation between the operator and the QuantizeLinear. */
  readonly behind?: string;
}

/** A power of two: the floats that onnxruntime works with are exact, and so are ties. */
const S = 1 / 32;

const data = (shape: readonly number[], scale = S, zero?: number): Data =>
  zero === undefined ? { shape, scale } : { shape, scale, zero };
const weights = (shape: readonly number[], axis: number): Data => ({
  ...{ shape, axis, zero: 0, constant: true },
  scale: Array.from({ length: shape[axis]! }, (_, i) => 2 ** -(5 + (i % 3))),
});
const plain = (type: ElementType, shape: readonly number[], values?: readonly number[]): Plain =>
  values === undefined ? { type, shape } : { type, shape, values };
const ints = (...values: readonly number[]) => plain('int64', [values.length], values);
const floats = (...values: readonly number[]) => plain('float32', [values.length], values);
const real = (value: number) => plain('float32', [], [value]);

interface More extends Partial<Pick<IntegerCase, 'scale' | 'zero' | 'outputs' | 'behind'>> {
  readonly attributes?: IntegerCase['attributes'];
}

const one = (op: string, inputs: IntegerCase['inputs'], more: More = {}): IntegerCase => ({
  ...{ op, inputs, attributes: {}, scale: S, outputs: 1 },
  ...more,
});

const IMAGE = [1, 3, 6, 5] as const;
const functions = ['Relu', 'Elu', 'Gelu', 'Sigmoid', 'HardSigmoid', 'HardSwish', 'Tanh', 'LeakyRelu'];

export const INTEGER_CASES: readonly IntegerCase[] = [
  one('Conv', [data(IMAGE), weights([4, 3, 3, 3], 0), floats(1, -0.5, 0.25, 2)], { scale: 1 / 8, zero: 5 }),
  one('Conv', [data(IMAGE), weights([4, 3, 3, 3], 0)], { scale: 1 / 8, zero: -9, behind: 'Relu' }),
  one('ConvTranspose', [data([2, 4, 3, 4]), weights([4, 3, 3, 2], 1), floats(1, -0.5, 0.25)], {
    ...{ attributes: { strides: [2, 1], pads: [1, 0, 0, 1], output_padding: [1, 0] }, scale: 1 / 8, zero: 5 },
  }),
  one('ConvTranspose', [data([1, 4, 5]), { ...weights([4, 2, 3], 1), scale: S }], {
    ...{ attributes: { strides: [2], dilations: [2], group: 2 }, scale: 1 / 8, behind: 'Relu' },
  }),
  one('Gemm', [data([3, 7]), weights([5, 7], 0), floats(1, 2, 3, 4, 5)], {
    attributes: { transB: 1 },
    scale: 1 / 8,
  }),
  one('MatMul', [data([2, 3, 7]), weights([7, 5], 1)], { scale: 1 / 8, zero: 3 }),
  one('Add', [data(IMAGE), data([3, 1, 1], S / 2, 4)], { zero: 8 }),
  one('Sub', [data(IMAGE), data([3, 1, 1], S / 2, 4)], { zero: 8 }),
  one('Mul', [data(IMAGE), data([5], S / 2, 4)], { zero: 8, behind: 'Relu' }),
  one('PRelu', [data(IMAGE), data([3, 1, 1], S / 4, 4)], { zero: 8 }),
  one('AveragePool', [data(IMAGE)], {
    attributes: { kernel_shape: [3, 2], strides: [2, 1], pads: [1, 0, 1, 1] },
  }),
  one('AveragePool', [data(IMAGE)], {
    ...{
      attributes: { kernel_shape: [2, 2], pads: [1, 1, 1, 1], count_include_pad: 1 },
      scale: S / 2,
      zero: 3,
    },
  }),
  one('AveragePool', [data([2, 3, 9])], { attributes: { kernel_shape: [4] } }),
  one('GlobalAveragePool', [data([2, 3, 4, 4])], { zero: 3 }),
  one('ReduceMean', [data([2, 3, 4, 2]), ints(1, 2)], { scale: S / 2 }),
  one('ReduceMean', [data([2, 3, 4])], { attributes: { keepdims: 0 } }),
  one('Softmax', [data([2, 3, 5])], { scale: 1 / 256 }),
  one('LogSoftmax', [data([2, 3, 5])], { zero: 20, attributes: { axis: 1 } }),
  ...functions.map((op) => one(op, [data([300])], { zero: 3 })),
  one('Gelu', [data([300])], { attributes: { approximate: 'tanh' } }),
  one('Clip', [data([300]), real(-1), real(2.5)], { scale: S / 2 }),
  one('Where', [plain('bool', [3, 1]), data([3, 4]), data([2, 1, 4], S * 2, 9)], { zero: 1 }),
  one('Concat', [data([1, 2, 3, 2]), data([1, 1, 3, 2], S * 2, 9)], { attributes: { axis: 1 }, zero: 1 }),
  one('Max', [data([2, 3]), data([3]), data([2, 1])]),
  one('Min', [data([2, 3]), data([3])]),
  one('MaxPool', [data(IMAGE)], { attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] } }),
  one('GlobalMaxPool', [data(IMAGE)]),
  one('ReduceMax', [data([2, 3, 4]), ints(0, 2)]),
  one('Resize', [data([1, 2, 5, 4]), undefined, floats(1, 1, 2, 0.5)], { attributes: { mode: 'linear' } }),
  one('Resize', [data([1, 2, 5, 4]), undefined, undefined, ints(1, 2, 10, 2)], {
    attributes: { mode: 'nearest' },
  }),
  one('Pad', [data([2, 3]), ints(1, 0, 2, 3)]),
  one('Pad', [data([2, 3]), ints(1, 0, -1, 3), real(1.5)]),
  one('Pad', [data([2, 3]), ints(0, 1, 0, 2)], { attributes: { mode: 'reflect' } }),
  one('Slice', [data([4, 6]), ints(1, -4), ints(3, -1)]),
  one('Split', [data([2, 6]), ints(1, 5)], { attributes: { axis: 1 }, outputs: 2 }),
  one('Gather', [data([4, 3]), ints(2, 0, -1)]),
  one('Reshape', [data([2, 6]), ints(3, -1)]),
  one('Flatten', [data([2, 3, 2])]),
  one('Squeeze', [data([2, 1, 3]), ints(1)]),
  one('Unsqueeze', [data([2, 3]), ints(1)]),
  one('Transpose', [data([2, 3, 4])]),
  one('Expand', [data([3, 1]), ints(2, 1, 4)]),
  one('Tile', [data([2, 3]), ints(2, 3)]),
  one('DepthToSpace', [data([1, 8, 2, 3])], { attributes: { blocksize: 2 } }),
  one('SpaceToDepth', [data([2, 2, 4, 6])], { attributes: { blocksize: 2 } }),
];

/** All cases in one model, of bytes of each type. Outputs are named after their operator. */
export function integerModel(
  cases: readonly IntegerCase[],
  types: readonly Byte[] = ['uint8', 'int8'],
): ModelSpec {
  const parts = types.map((type) => partOf(type, cases));
  return {
    opset: 20,
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
    outputs: parts.flatMap(({ outputs }) => outputs),
    initializers: Object.assign({}, ...parts.map(({ initializers }) => initializers)),
    nodes: parts.flatMap(({ nodes }) => nodes),
  };
}

interface Part {
  readonly inputs: Readonly<Record<string, readonly [ElementType, readonly number[]]>>;
  readonly outputs: readonly string[];
  readonly initializers: Readonly<Record<string, ReturnType<typeof tensor>>>;
  readonly nodes: readonly ReturnType<typeof node>[];
}

function partOf(type: Byte, cases: readonly IntegerCase[]): Part {
  const inputs: Record<string, readonly [ElementType, readonly number[]]> = {};
  const initializers: Record<string, ReturnType<typeof tensor>> = {};
  const outputs: string[] = [];
  const nodes: ReturnType<typeof node>[] = [];
  const zeroOf = (zero = type === 'uint8' ? 120 : -7) => (type === 'uint8' && zero < 0 ? zero + 128 : zero);
  const parameters = (name: string, scale: Data['scale'], zero: number, of: Byte) => {
    const scales = typeof scale === 'number' ? [scale] : scale;
    const shape = typeof scale === 'number' ? [] : [scales.length];
    const zeros = scales.map(() => zero);
    initializers[`${name}_s`] = tensor('float32', shape, scales);
    initializers[`${name}_z`] = tensor(of, shape, zeros);
    return [`${name}_s`, `${name}_z`];
  };
  const dequantised = (name: string, given: Data): string => {
    const { shape, scale, axis, constant } = given;
    const of = constant ? 'int8' : type;
    if (constant) initializers[name] = tensor(of, shape, wave(shape));
    else inputs[name] = [of, shape];
    const by = parameters(name, scale, constant ? 0 : zeroOf(given.zero), of);
    const attributes = axis === undefined ? {} : { axis };
    nodes.push(node('DequantizeLinear', [name, ...by], [`${name}_f`], attributes, { name: `${name}_f` }));
    return `${name}_f`;
  };
  for (const [i, { op, inputs: given, attributes, scale, zero, outputs: count, behind }] of cases.entries()) {
    const label = `${type}_${op}_${i}`;
    const read = given.map((source, k) => {
      const name = `${label}_in${k}`;
      if (source === undefined) return '';
      if (!('type' in source)) return dequantised(name, source);
      if (source.values === undefined) inputs[name] = [source.type, source.shape];
      else initializers[name] = tensor(source.type, source.shape, source.values);
      return name;
    });
    const made = Array.from({ length: count }, (_, k) => `${label}_out${k}`);
    nodes.push(
      node(
        op,
        read,
        made.map((name) => `${name}_r`),
        attributes,
        { name: label },
      ),
    );
    for (const name of made) {
      const from = behind === undefined ? `${name}_r` : `${name}_b`;
      if (behind !== undefined) nodes.push(node(behind, [`${name}_r`], [from], {}, { name: from }));
      nodes.push(node('QuantizeLinear', [from, ...parameters(name, scale, zeroOf(zero), type)], [name]));
      outputs.push(name);
    }
  }
  return { inputs, outputs, initializers, nodes };
}

function wave(shape: readonly number[]): readonly number[] {
  const count = shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: count }, (_, i) => Math.round(Math.sin(i * 12.9898 + count) * 127));
}
