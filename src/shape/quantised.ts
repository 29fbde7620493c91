/** Quantisation of the tensors that quantised operators read: scale and zero point stand beside them as constants. */
import type { Fact, Node, Quant } from '../graph/types.ts';
import { knownNumbers } from '../ops/rules.ts';
import { withValue } from '../ops/values.ts';
import type { State } from './state.ts';

/** Positions of a quantised operand, its scale and its zero point. */
type Operand = readonly [tensor: number, scale: number, zeroPoint: number];

/** By operator; for those of com.microsoft too, which keep the order of the standard. */
const OPERANDS: Readonly<Record<string, readonly Operand[]>> = {
  DequantizeLinear: [[0, 1, 2]],
  QLinearConv: [
    [0, 1, 2],
    [3, 4, 5],
  ],
  QLinearMatMul: [
    [0, 1, 2],
    [3, 4, 5],
  ],
  QGemm: [
    [0, 1, 2],
    [3, 4, 5],
  ],
  QLinearAdd: [
    [0, 1, 2],
    [3, 4, 5],
  ],
  QLinearMul: [
    [0, 1, 2],
    [3, 4, 5],
  ],
  QLinearSigmoid: [[0, 1, 2]],
  QLinearLeakyRelu: [[0, 1, 2]],
  QLinearSoftmax: [[0, 1, 2]],
  QLinearAveragePool: [[0, 1, 2]],
  QLinearGlobalAveragePool: [[0, 1, 2]],
  QLinearReduceMean: [[0, 1, 2]],
  QLinearWhere: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  MatMulIntegerToFloat: [
    [0, 2, 4],
    [1, 3, 5],
  ],
  DynamicQuantizeMatMul: [[1, 2, 3]],
};

/** Adds what the readers of a tensor say to facts that have no quantisation yet. */
export function addQuantisation(state: State, nodes: readonly Node[]): void {
  for (const node of nodes) {
    for (const operand of operandsOf(node)) addOperand(state, node, operand);
    for (const body of node.bodies) addQuantisation(state, body.nodes);
  }
}

/** The parts of a QLinearConcat come in threes, behind scale and zero point of the whole. */
function operandsOf(node: Node): readonly Operand[] {
  if (node.op !== 'QLinearConcat') return OPERANDS[node.op] ?? [];
  const parts = Math.floor((node.inputs.length - 2) / 3);
  return Array.from({ length: Math.max(0, parts) }, (_, i): Operand => [2 + 3 * i, 3 + 3 * i, 4 + 3 * i]);
}

function addOperand(state: State, node: Node, [position, scale, zeroPoint]: Operand): void {
  const tensor = node.inputs[position];
  const fact = tensor === undefined ? undefined : state.facts[tensor];
  if (tensor === undefined || fact === undefined || fact.quant !== undefined) return;
  const quant = quantOf(fact, factAt(state, node, scale), factAt(state, node, zeroPoint), axisOf(node));
  if (quant !== undefined) state.facts[tensor] = withValue({ ...fact, quant }, () => fact.value);
}

function factAt(state: State, node: Node, position: number): Fact | undefined {
  const tensor = node.inputs[position];
  return tensor === undefined ? undefined : state.facts[tensor];
}

/** Weights of products are quantised along their output channels; DequantizeLinear says its axis. */
function axisOf(node: Node): number {
  const axis = node.attributes.get('axis');
  if (axis?.kind === 'int') return Number(axis.value);
  return node.op === 'DequantizeLinear' ? 1 : node.op === 'QLinearConv' ? 0 : -1;
}

function quantOf(
  fact: Fact,
  scale: Fact | undefined,
  zeroPoint: Fact | undefined,
  axis: number,
): Quant | undefined {
  const scales = knownNumbers(scale);
  if (scales === undefined || scales.length === 0 || (scale?.shape?.length ?? 0) > 1) return undefined;
  const zeros = zeroPoint === undefined ? scales.map(() => 0) : knownNumbers(zeroPoint);
  if (zeros === undefined || zeros.length !== scales.length) return undefined;
  if (scales.length === 1) return { scale: scales, zeroPoint: zeros, axis: null };
  const rank = fact.shape?.length ?? 0;
  const positive = axis < 0 ? axis + rank : axis;
  if (fact.shape?.[positive] !== scales.length) return undefined;
  return { scale: scales, zeroPoint: zeros, axis: positive };
}
