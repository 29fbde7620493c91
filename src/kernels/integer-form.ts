/**
 * Spells a fused DequantizeLinear -> operator -> QuantizeLinear as one operator on integers, with scales and zero points
 * among its inputs: as the QLinear operators of the standard and of com.microsoft do, or in the domain `qdq`, whose
 * operators read their operands, each with scale and zero point, then those of the result, then what else they need.
 */
import type { Attribute, Node, TypedGraph } from '../graph/types.ts';
import { knownNumbers } from '../ops/rules.ts';
import { settledContext } from '../ops/settled.ts';

export const QDQ_DOMAIN = 'qdq';

/** Real numbers between which an activation behind the operator keeps its result. */
export interface Limits {
  readonly least: number;
  readonly most: number;
}

export interface IntegerForm {
  readonly node: Node;
  readonly limits: Limits;
  /** Constants that are added to each output channel before it is quantised, besides the bias among the inputs. */
  readonly added: readonly number[];
}

/** Tensor, scale, zero point. */
type Quantised = readonly [number | undefined, number | undefined, number | undefined];

const NONE: Limits = { least: -Infinity, most: Infinity };
const MICROSOFT = 'com.microsoft';

/** Undefined where the node is no such group. */
export function integerForm(graph: TypedGraph, node: Node): IntegerForm | undefined {
  const members = node.group?.members ?? [];
  const results = members.filter(
    ({ op, outputs }) => op === 'QuantizeLinear' && node.outputs.includes(passedOn(members, outputs[0])),
  );
  const main = members.find(({ label }) => label === node.label);
  if (main === undefined || results.length === 0) return undefined;

  const read = (tensor: number | undefined): Quantised => {
    const from = members.find(({ op, inputs }) => op === 'DequantizeLinear' && inputs[0] === tensor);
    return [tensor, from?.inputs[1], from?.inputs[2]];
  };
  const [, ...to] = results[0]!.inputs;
  const opset = settledContext(graph, main).opset;
  const spelt = (
    domain: string,
    op: string,
    inputs: Node['inputs'],
    attributes = node.attributes,
  ): IntegerForm => {
    const { group: _, ...rest } = node;
    const behind = members.filter((member) => member !== main);
    return {
      node: { ...rest, domain, op, inputs, attributes, opset },
      limits: behind.reduce((limits, member) => within(graph, member, limits), NONE),
      added: behind.flatMap((member) => addend(graph, member)).filter((tensor) => !inputs.includes(tensor)),
    };
  };
  const [x, w] = [read(node.inputs[0]), read(node.inputs[1])];
  const [scale, zero] = [to[0], to[1]];
  switch (node.op) {
    case 'Conv':
      return spelt('', 'QLinearConv', [...x, ...w, scale, zero, node.inputs[2]]);
    case 'MatMul':
      return spelt('', 'QLinearMatMul', [...x, ...w, scale, zero, node.inputs[2]]);
    case 'Gemm':
      return spelt(MICROSOFT, 'QGemm', [...x, ...w, node.inputs[2], scale, zero]);
    case 'Add':
    case 'Mul':
      return spelt(MICROSOFT, `QLinear${node.op}`, [...x, ...w, scale, zero]);
    case 'GlobalAveragePool':
      return spelt(MICROSOFT, 'QLinearGlobalAveragePool', [...x, scale, zero]);
    case 'AveragePool':
      return spelt(MICROSOFT, 'QLinearAveragePool', [...x, scale, zero], withInt(node, 'rounds_first', 1));
    case 'Softmax':
      return spelt(MICROSOFT, 'QLinearSoftmax', [...x, scale, zero], withInt(node, 'opset', opset));
    case 'Concat':
      return spelt(MICROSOFT, 'QLinearConcat', [scale, zero, ...node.inputs.flatMap(read)]);
    case 'ConvTranspose':
      return spelt(QDQ_DOMAIN, 'ConvTranspose', [...x, ...w, scale, zero, node.inputs[2]]);
    case 'Sub':
    case 'PRelu':
      return spelt(QDQ_DOMAIN, node.op, [...x, ...w, scale, zero]);
    case 'Where':
      return spelt(MICROSOFT, 'QLinearWhere', [node.inputs[0], ...w, ...read(node.inputs[2]), scale, zero]);
    case 'Pad': {
      // What it fills with is a real number, or an element with a scale of its own.
      const [, pads, value, axes] = node.inputs;
      const fill = read(value).slice(1);
      return spelt(QDQ_DOMAIN, 'Pad', [node.inputs[0], pads, value, axes, scale, zero, ...fill]);
    }
    case 'Resize': {
      // Ties between two elements are rounded by the numbers that they stand for.
      const rest = [1, 2, 3].map((position) => node.inputs[position]);
      return spelt(QDQ_DOMAIN, 'Resize', [node.inputs[0], ...rest, scale, zero]);
    }
    default:
      return MOVING.has(node.op)
        ? spelt(node.domain, node.op, node.inputs)
        : spelt(QDQ_DOMAIN, node.op, [...x, scale, zero, ...node.inputs.slice(1)]);
  }
}

/** Operators that a group has behind what it writes where the result must have their output's name. */
export const PASSING: ReadonlySet<string> = new Set(['Identity', 'Dropout']);

/** What a member of a group writes, under the last name that others behind it give it. */
function passedOn(members: readonly Node[], written: number | undefined): number | undefined {
  return members.reduce(
    (tensor, { op, inputs, outputs }) => (PASSING.has(op) && inputs[0] === tensor ? outputs[0] : tensor),
    written,
  );
}

/** Its attributes and one more, for what QLinear operators say or do in another way. */
function withInt({ attributes }: Node, name: string, value: number): Node['attributes'] {
  return new Map<string, Attribute>(attributes).set(name, { kind: 'int', value });
}

/** Elements pass through: what goes in and what comes out is quantised by the same numbers. */
const MOVING: ReadonlySet<string> = new Set(
  `Max Min MaxPool GlobalMaxPool ReduceMax Slice Split Gather Reshape Flatten Squeeze Unsqueeze Transpose
   Expand Tile DepthToSpace SpaceToDepth`.split(/\s+/),
);

function within(graph: TypedGraph, member: Node, limits: Limits): Limits {
  if (member.op === 'Relu') return { ...limits, least: Math.max(limits.least, 0) };
  if (member.op !== 'Clip') return limits;
  const c = settledContext(graph, member);
  const limit = (position: number, attribute: string, standard: number): number => {
    if (c.opset < 11) return c.float(attribute, standard);
    return knownNumbers(c.optional(position))?.[0] ?? standard;
  };
  return {
    least: Math.max(limits.least, limit(1, 'min', -Infinity)),
    most: Math.min(limits.most, limit(2, 'max', Infinity)),
  };
}

/** The constant operand of an Add behind a product. */
function addend(graph: TypedGraph, member: Node): readonly number[] {
  if (member.op !== 'Add') return [];
  return member.inputs.filter(
    (tensor): tensor is number => tensor !== undefined && graph.tensors[tensor]?.constant !== undefined,
  );
}
