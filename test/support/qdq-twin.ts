/** Rewrites a model of QLinear operators as the QDQ model that means the same. */
import onnxProto, { type onnx } from 'onnx-proto';
import { tensor } from './onnx.ts';

const { ModelProto } = onnxProto.onnx;

type Node = onnx.INodeProto;

interface Rewriting {
  readonly constants: ReadonlyMap<string, onnx.ITensorProto>;
  readonly added: onnx.ITensorProto[];
}

/**
 * Each QLinearConv becomes DequantizeLinear of data, weight and bias, a Conv, and a QuantizeLinear that writes the
 * tensor under its old name; a Flatten of integers likewise. The bias gets the scale that the arithmetic gives it.
 */
export function qdqTwin(bytes: Uint8Array): Uint8Array {
  const model = ModelProto.toObject(ModelProto.decode(bytes)) as onnx.IModelProto;
  const graph = model.graph!;
  const constants = new Map((graph.initializer ?? []).map((proto) => [proto.name!, proto]));
  const rewriting: Rewriting = { constants, added: [] };
  const node = (graph.node ?? []).flatMap((node) => {
    if (node.opType === 'QLinearConv') return convolution(rewriting, node);
    return node.opType === 'Flatten' ? moved(node) : [node];
  });
  const initializer = [...(graph.initializer ?? []), ...rewriting.added];
  return ModelProto.encode({ ...model, graph: { ...graph, node, initializer } }).finish();
}

function convolution({ constants, added }: Rewriting, node: Node): readonly Node[] {
  const [x, xScale, xZero, w, wScale, wZero, yScale, yZero, bias] = node.input as string[];
  const [y] = node.output as string[];
  const scales = floats(constants.get(wScale!)!).map((scale) =>
    Math.fround(scale * floats(constants.get(xScale!)!)[0]!),
  );
  const channels = scales.length;
  added.push({ ...tensor('float32', [channels], scales), name: `${y}/bias_scale` });
  added.push({ ...tensor('int32', [channels], new Array<number>(channels).fill(0)), name: `${y}/bias_zero` });
  const axis = [{ name: 'axis', type: 2, i: 0 }];
  return [
    dequantize(`${y}/x`, [x!, xScale!, xZero!]),
    { ...dequantize(`${y}/w`, [w!, wScale!, wZero!]), attribute: axis },
    { ...dequantize(`${y}/b`, [bias!, `${y}/bias_scale`, `${y}/bias_zero`]), attribute: axis },
    { ...node, opType: 'Conv', input: [`${y}/x`, `${y}/w`, `${y}/b`], output: [`${y}/float`] },
    quantize(y!, [`${y}/float`, yScale!, yZero!]),
  ];
}

/** The example's constants are named after what they belong to: `<tensor>_scale`. */
function moved(node: Node): readonly Node[] {
  const [x] = node.input as string[];
  const [y] = node.output as string[];
  return [
    dequantize(`${y}/x`, [x!, `${x}_scale`, `${x}_zero_point`]),
    { ...node, input: [`${y}/x`], output: [`${y}/float`] },
    quantize(y!, [`${y}/float`, `${y}_scale`, `${y}_zero_point`]),
  ];
}

function dequantize(output: string, input: string[]): Node {
  return { opType: 'DequantizeLinear', name: `${output}/dequantize`, input, output: [output] };
}

function quantize(output: string, input: string[]): Node {
  return { opType: 'QuantizeLinear', name: `${output}/quantize`, input, output: [output] };
}

function floats({ rawData }: onnx.ITensorProto): readonly number[] {
  return [...new Float32Array(Uint8Array.from(rawData!).buffer)];
}
