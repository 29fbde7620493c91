/** What a step of several nodes is made of: one operator on integers, or float operators that follow one another. */
import type { Node, TypedGraph } from '../graph/types.ts';
import { integerForm, type Limits, PASSING } from '../kernels/integer-form.ts';
import { address, call, numbers, size } from './arguments.ts';
import { refuse } from './node.ts';
import { toEven } from './prepared.ts';
import type { Call, RunnerNode } from './types.ts';

/** An operator that is carried out as one. */
export interface Part {
  readonly node: Node;
  readonly limits?: Limits;
  readonly added?: readonly number[];
}

/** Operators that others take in behind them, each element by element over its own result. */
const BEHIND: ReadonlySet<string> = new Set(
  'BatchNormalization Add Relu Clip LeakyRelu HardSigmoid HardSwish Sigmoid Tanh'.split(' '),
);

/** The first part reads what the step reads, and each writes the step's result. */
export function membersInTurn(graph: TypedGraph, node: Node): readonly Part[] {
  if (node.group === undefined) return [{ node }];
  const form = integerForm(graph, node);
  if (form !== undefined) return [form];
  const { members } = node.group;
  const at = members.findIndex(({ label }) => label === node.label);
  const main = members[at];
  const behind = members.slice(at + 1);
  if (main === undefined || !behind.every(({ op }) => BEHIND.has(op) || PASSING.has(op)))
    return refuse(' that does the work of several nodes: use --fuse none');
  const { group: _, ...rest } = node;
  const inputs = main.inputs.map((tensor, position) => (position === 0 ? node.inputs[0] : tensor));
  const [result] = node.outputs;
  let before = main.outputs[0];
  return [
    { node: { ...rest, inputs } },
    ...behind.flatMap((member): readonly Part[] => {
      const over = member.inputs.map((tensor) => (tensor === before ? result : tensor));
      before = member.outputs[0];
      return PASSING.has(member.op) ? [] : [{ node: { ...member, inputs: over, outputs: [result] } }];
    }),
  ];
}

/** Keeps the bytes of a result within the limits of the activation behind it, where they are narrower than the type. */
export function limited(n: RunnerNode, result: number): readonly Call[] {
  if (n.limits.least === -Infinity && n.limits.most === Infinity) return [];
  const y = n.output(0);
  const signed = y.type === 'int8';
  if ((!signed && y.type !== 'uint8') || y.tensor !== result) n.refuse(`with limits for ${y.type}`);
  const [least, most] = byteLimits(n);
  const table = Array.from({ length: 256 }, (_, bits) => {
    const stored = signed && bits > 127 ? bits - 256 : bits;
    return Math.min(Math.max(stored, least), most) & 0xff;
  });
  if (table.every((entry, bits) => entry === bits)) return [];
  return [call('qelementwise', 'lookup_8', address(y), address(y), size(y.count), numbers('uint8_t', table))];
}

/** The limits as elements of the result, which is quantised by the last scale and zero point among the inputs. */
export function byteLimits(n: RunnerNode): readonly [least: number, most: number] {
  const y = n.output(0);
  const [least, most] = y.type === 'uint8' ? [0, 255] : [-128, 127];
  const quant = n.quant(y) ?? n.refuse('for a result whose scale is not known');
  const stored = (real: number) => toEven(Math.fround(Math.fround(real) / quant.scale)) + quant.zero;
  const clamp = (value: number) => Math.min(Math.max(value, least), most);
  return [clamp(stored(n.limits.least)), clamp(stored(n.limits.most))];
}
