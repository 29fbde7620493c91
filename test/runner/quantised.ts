/** The quantised form of a network: every tensor goes through integers of eight bits, as QuantizeLinear and DequantizeLinear. */
import onnxProto, { type onnx } from 'onnx-proto';
import { type Chance, createChance } from '../fuzz/chance.ts';
import { node, tensor } from '../support/onnx.ts';

const { ModelProto } = onnxProto.onnx;

/** Steps of all tensors: a few, so that some neighbours agree and some do not. */
const SCALES = [0.05, 0.05, 0.05, 0.04] as const;
const WEIGHT_SCALE = 1 / 64;

interface Draft {
  readonly g: Chance;
  readonly type: 'int8' | 'uint8';
  readonly nodes: onnx.INodeProto[];
  readonly initializers: onnx.ITensorProto[];
  /** Scales by the tensors that have them. */
  readonly scales: Map<string, number>;
}

/** `bytes`: a network of float32 tensors, whose inputs and outputs stay so. The same seed makes the same network. */
export function quantised(bytes: Uint8Array, seed: number): Uint8Array {
  const model = ModelProto.toObject(ModelProto.decode(bytes)) as onnx.IModelProto;
  const graph = model.graph!;
  const g = createChance(seed, 17);
  const draft: Draft = { g, type: g.pick('int8', 'uint8'), nodes: [], initializers: [], scales: new Map() };
  const constants = new Map((graph.initializer ?? []).map((one) => [one.name!, one]));
  for (const { name } of graph.input ?? []) passThrough(draft, name!, `${name}/quantised`);
  for (const one of graph.node ?? []) {
    const input = (one.input as string[]).map((name, i) => {
      const constant = constants.get(name);
      if (constant === undefined) return draft.scales.has(`${name}/quantised`) ? `${name}/quantised` : name;
      return weight(draft, one, i, constant);
    });
    const outputs = one.output as string[];
    draft.nodes.push({ ...one, input, output: outputs.map((name) => `${name}/float`) });
    for (const name of outputs) passThrough(draft, `${name}/float`, name);
  }
  const { nodes, initializers } = draft;
  return ModelProto.encode({
    ...model,
    graph: { ...graph, node: nodes, initializer: initializers },
  }).finish();
}

function constant({ initializers }: Draft, name: string, value: onnx.ITensorProto): string {
  initializers.push({ ...value, name });
  return name;
}

/** `to` is `from` after rounding. */
function passThrough(draft: Draft, from: string, to: string): void {
  const { g, type, nodes, scales } = draft;
  const step = g.pick(...SCALES);
  const zero = (type === 'int8' ? 0 : 128) + g.pick(0, 0, 3);
  const scale = constant(draft, `${to}/scale`, tensor('float32', [], [step]));
  const zeroPoint = constant(draft, `${to}/zero`, tensor(type, [], [zero]));
  nodes.push(node('QuantizeLinear', [from, scale, zeroPoint], [`${to}/integers`]));
  nodes.push(node('DequantizeLinear', [`${to}/integers`, scale, zeroPoint], [to]));
  scales.set(to, step);
}

/** Weights of products become integers with a step of their own, biases the integers of the sums; others stay as they are. */
function weight(
  draft: Draft,
  { opType, input }: onnx.INodeProto,
  at: number,
  value: onnx.ITensorProto,
): string {
  const name = value.name!;
  const products = opType === 'Conv' || opType === 'Gemm' || opType === 'MatMul';
  if (!products)
    return draft.initializers.some((one) => one.name === name) ? name : constant(draft, name, value);
  const first = (input as string[])[0]!;
  const data = draft.scales.get(`${first}/quantised`) ?? draft.scales.get(first)!;
  const isBias = at === 2;
  const step = Math.fround(isBias ? Math.fround(data) * Math.fround(WEIGHT_SCALE) : WEIGHT_SCALE);
  const most = isBias ? 2 ** 31 - 1 : 127;
  const raw = value.rawData as Uint8Array;
  const reals = Array.from({ length: raw.length / 4 }, (_, i) =>
    new DataView(raw.buffer, raw.byteOffset).getFloat32(4 * i, true),
  );
  const integers = reals.map((real) => Math.max(-most, Math.min(most, Math.round(real / step))));
  const type = isBias ? 'int32' : 'int8';
  const shape = (value.dims ?? []).map(Number);
  const inputs = [
    constant(draft, `${name}/integers`, tensor(type, shape, integers)),
    constant(draft, `${name}/scale`, tensor('float32', [], [step])),
    constant(draft, `${name}/zero`, tensor(type, [], [0])),
  ];
  draft.nodes.push(node('DequantizeLinear', inputs, [`${name}/reals`]));
  return `${name}/reals`;
}
