/** Makes models as a post-training quantiser writes them: every tensor between QuantizeLinear and DequantizeLinear. */
import type { ElementType } from '../../src/graph/element-type.ts';
import { type AttributeSpec, type GraphSpec, type ModelSpec, node, type TensorSpec, tensor } from './onnx.ts';

export interface Scale {
  readonly scale: number | readonly number[];
  /** Default 0. */
  readonly zeroPoint?: number;
  /** Of a scale per channel. */
  readonly axis?: number;
  readonly type?: ElementType;
}

export interface QdqModel {
  readonly input: (name: string, type: ElementType, shape: readonly number[]) => string;
  readonly constant: (
    name: string,
    type: ElementType,
    shape: readonly number[],
    values?: readonly number[],
  ) => string;
  /** Nodes are called after what they write. */
  readonly run: (
    op: string,
    inputs: readonly string[],
    output: string,
    attributes?: Readonly<Record<string, AttributeSpec>>,
  ) => string;
  /** QuantizeLinear: writes `<x>_q`, or `to`. */
  readonly quantise: (x: string, scale: Scale, to?: string) => string;
  /** DequantizeLinear: writes `<x>_f`, or `to`. */
  readonly dequantise: (x: string, scale: Scale, to?: string) => string;
  /** A constant with its DequantizeLinear. */
  readonly weight: (name: string, shape: readonly number[], scale: Scale, type?: ElementType) => string;
  readonly output: (name: string) => void;
  readonly spec: (opset?: number) => ModelSpec;
}

export function qdqModel(): QdqModel {
  const nodes: NonNullable<GraphSpec['nodes']>[number][] = [];
  const inputs: [string, TensorSpec][] = [];
  const initializers: [string, ReturnType<typeof tensor>][] = [];
  const outputs: string[] = [];
  const run: QdqModel['run'] = (op, from, output, attributes = {}) => {
    nodes.push(node(op, from, [output], attributes, { name: output }));
    return output;
  };
  const constant: QdqModel['constant'] = (name, type, shape, values) => {
    const zeros = new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(0);
    initializers.push([name, tensor(type, shape, values ?? zeros)]);
    return name;
  };
  /** Scale and zero point get the names of the node. */
  const parameters = (of: string, { scale, zeroPoint = 0, type = 'int8' }: Scale): readonly string[] => {
    const scales = typeof scale === 'number' ? [scale] : scale;
    const shape = typeof scale === 'number' ? [] : [scales.length];
    return [
      constant(`${of}_scale`, 'float32', shape, scales),
      constant(
        `${of}_zero`,
        type,
        shape,
        scales.map(() => zeroPoint),
      ),
    ];
  };
  const axisOf = ({ axis }: Scale): Readonly<Record<string, AttributeSpec>> =>
    axis === undefined ? {} : { axis };
  const dequantise: QdqModel['dequantise'] = (x, scale, to = `${x}_f`) =>
    run('DequantizeLinear', [x, ...parameters(to, scale)], to, axisOf(scale));
  return {
    run,
    constant,
    dequantise,
    quantise: (x, scale, to = `${x}_q`) =>
      run('QuantizeLinear', [x, ...parameters(to, scale)], to, axisOf(scale)),
    weight: (name, shape, scale, type = 'int8') =>
      dequantise(constant(name, type, shape), { ...scale, type }),
    input: (name, type, shape) => {
      inputs.push([name, [type, shape]]);
      return name;
    },
    output: (name) => outputs.push(name),
    spec: (opset = 17) => ({ opset, inputs, outputs, nodes, initializers }),
  };
}
