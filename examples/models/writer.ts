/** Writes ONNX models: collects nodes and constants, keeps track of shapes, encodes the file. */
import onnxProto, { type onnx } from 'onnx-proto';
import { seedOf, uniform } from './random.ts';

const proto = onnxProto.onnx;

/** Element types the examples need, with their number in the format and their bytes. */
const TYPES = {
  float32: { code: 1, bytes: 4 },
  int8: { code: 3, bytes: 1 },
  int32: { code: 6, bytes: 4 },
  int64: { code: 7, bytes: 8 },
} as const;

export type ElementType = keyof typeof TYPES;

/** A tensor of the model under construction. */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
}

type AttributeValue = number | string | readonly number[] | { readonly float: number };

export interface WriterOptions {
  /**
   * `seeded` stores random weights. `light` stores none: each weight is a ConstantOfShape, so that a large
   * architecture fits into some kilobytes.
   */
  readonly weights?: 'seeded' | 'light';
}

export interface ModelWriter {
  readonly input: (name: string, type: ElementType, shape: readonly number[]) => Value;
  /** Marks a value as a result of the model. */
  readonly output: (value: Value) => void;
  /** A constant with the given elements in row-major order. */
  readonly constant: (
    name: string,
    type: ElementType,
    shape: readonly number[],
    elements: ArrayLike<number>,
  ) => Value;
  /** Random float32 weights in [-limit, limit), drawn from the weight's name. */
  readonly weight: (name: string, shape: readonly number[], limit: number) => Value;
  /** Adds a node with one output, named after the node. */
  readonly node: (
    op: string,
    name: string,
    inputs: readonly Value[],
    output: { readonly type: ElementType; readonly shape: readonly number[] },
    attributes?: Readonly<Record<string, AttributeValue>>,
  ) => Value;
  /** Inputs and outputs of nodes, by name: what shape inference must find. */
  readonly activations: ReadonlyMap<string, Value>;
  /** Weights and other constants by name. */
  readonly constants: ReadonlyMap<string, Value>;
  readonly encode: () => Uint8Array;
}

/** Opset 17 and IR version 8: old enough for every runtime in use. */
export function newModel(name: string, options: WriterOptions = {}): ModelWriter {
  const nodes: onnx.INodeProto[] = [];
  const initializer: onnx.ITensorProto[] = [];
  const inputs: Value[] = [];
  const outputs: Value[] = [];
  const activations = new Map<string, Value>();
  const constants = new Map<string, Value>();

  function remember(into: Map<string, Value>, value: Value): Value {
    if (activations.has(value.name) || constants.has(value.name)) {
      throw new Error(`two tensors of ${name} are named ${value.name}`);
    }
    into.set(value.name, value);
    return value;
  }

  function constant(
    of: string,
    type: ElementType,
    shape: readonly number[],
    elements: ArrayLike<number>,
  ): Value {
    if (elements.length !== count(shape))
      throw new Error(`${of}: ${elements.length} elements for [${shape}]`);
    const rawData = encodeElements(type, elements);
    initializer.push({ name: of, dataType: TYPES[type].code, dims: [...shape], rawData });
    return remember(constants, { name: of, type, shape });
  }

  function lightWeight(of: string, shape: readonly number[]): Value {
    const dims = constant(`${of}_shape`, 'int64', [shape.length], shape);
    nodes.push({ opType: 'ConstantOfShape', name: of, input: [dims.name], output: [of] });
    return remember(constants, { name: of, type: 'float32', shape });
  }

  return {
    activations,
    constants,
    constant,
    input(of, type, shape) {
      const value = remember(activations, { name: of, type, shape });
      inputs.push(value);
      return value;
    },
    output(value) {
      outputs.push(value);
    },
    weight(of, shape, limit) {
      if (options.weights === 'light') return lightWeight(of, shape);
      return constant(of, 'float32', shape, uniform(seedOf(of), count(shape), limit));
    },
    node(op, of, from, { type, shape }, attributes = {}) {
      nodes.push({
        opType: op,
        name: of,
        input: from.map((value) => value.name),
        output: [of],
        attribute: Object.entries(attributes).map(([key, value]) => encodeAttribute(key, value)),
      });
      return remember(activations, { name: of, type, shape });
    },
    encode() {
      const model: onnx.IModelProto = {
        irVersion: 8,
        producerName: 'memplan-examples',
        opsetImport: [{ domain: '', version: 17 }],
        graph: {
          name,
          node: nodes,
          initializer,
          input: inputs.map(encodeValueInfo),
          output: outputs.map(encodeValueInfo),
        },
      };
      return proto.ModelProto.encode(model).finish();
    },
  };
}

/** Elements of a tensor of this shape. */
export function count(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}

/** Bytes of a tensor. */
export function bytesOf({ type, shape }: Pick<Value, 'type' | 'shape'>): number {
  return count(shape) * TYPES[type].bytes;
}

function encodeElements(type: ElementType, elements: ArrayLike<number>): Uint8Array {
  const width = TYPES[type].bytes;
  const bytes = new Uint8Array(elements.length * width);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < elements.length; i++) {
    const value = elements[i]!;
    if (type === 'float32') view.setFloat32(i * width, value, true);
    else if (type === 'int32') view.setInt32(i * width, value, true);
    else if (type === 'int64') view.setBigInt64(i * width, BigInt(value), true);
    else view.setInt8(i, value);
  }
  return bytes;
}

function encodeAttribute(name: string, value: AttributeValue): onnx.IAttributeProto {
  const { AttributeType } = proto.AttributeProto;
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: value };
  if (typeof value === 'string')
    return { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) };
  if ('float' in value) return { name, type: AttributeType.FLOAT, f: value.float };
  return { name, type: AttributeType.INTS, ints: [...value] };
}

function encodeValueInfo({ name, type, shape }: Value): onnx.IValueInfoProto {
  const dim = shape.map((dimValue) => ({ dimValue }));
  return { name, type: { tensorType: { elemType: TYPES[type].code, shape: { dim } } } };
}
