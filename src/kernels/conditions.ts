/** Conditions that kernels of several libraries share: each says why a call is refused. */
import { liesTheSame } from '../graph/memory-order.ts';
import { dataOf, type KernelCall, sameShape, weightOf, weightPosition } from './call.ts';
import { channelsFirst } from './convolution.ts';

type Condition = (call: KernelCall) => string | undefined;

/** The first reason that applies. */
export function all(...conditions: readonly Condition[]): Condition {
  return (call) => {
    for (const condition of conditions) {
      const reason = condition(call);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

/** Element by element: neither operand is repeated. */
export const noBroadcast =
  (a: number, b: number): Condition =>
  ({ inputs }) =>
    sameShape(inputs[a], inputs[b]) ? undefined : 'one operand is repeated';

export const twoOperands: Condition = ({ node }) =>
  node.inputs.length === 2 ? undefined : 'it has other than two operands';

/** What comes out has the element type of what goes in: sums are brought back to it. */
export const keepsType: Condition = (call) =>
  dataOf(call)?.type === call.outputs[0]?.type ? undefined : `its output is ${call.outputs[0]?.type}`;

/** Three or four dimensions: an image or a row of them. */
export const isImage: Condition = (call) =>
  channelsFirst(call, dataOf(call)?.shape) === undefined
    ? 'its input does not have three or four dimensions'
    : undefined;

export const oneImage: Condition = (call) =>
  dataOf(call)?.shape[0] === 1 ? undefined : 'it has several images';

/** Pools without holes that do not count their padding. */
export const plainPool: Condition = ({ context }) => {
  if ((context.ints('dilations') ?? []).some((dilation) => dilation !== 1)) return 'its window has holes';
  const padded = (context.ints('pads') ?? []).some((pad) => pad !== 0);
  return padded && context.int('count_include_pad', 0) !== 0 ? 'it counts the padding' : undefined;
};

/** Along the axis whose elements lie side by side when channels come last. */
export const alongChannels: Condition = (call) => {
  const rank = dataOf(call)?.shape.length ?? 0;
  const standard = call.context.opset < 13 && call.node.domain === '' ? 1 : -1;
  const axis = call.context.int('axis', standard);
  const innermost = rank >= 3 ? 1 : rank - 1;
  if ((axis < 0 ? axis + rank : axis) === innermost) return undefined;
  return 'its axis is not the innermost one in memory';
};

/** A product of the last axis by a matrix. */
export const plainProduct: Condition = ({ context }) =>
  context.int('transA', 0) === 0 ? undefined : 'its first factor is transposed';

export const needsConstantWeight: Condition = (call) =>
  weightOf(call)?.constant === true ? undefined : 'its second factor is not constant';

/** Elements are compared or averaged as they are: all operands and the result mean the same by them. */
export const oneScale: Condition = (call) => {
  const sides = [...call.node.inputs.map((_, i) => call.quantOf('input', i)), call.quantOf('output', 0)];
  const [first, ...others] = sides.filter((quant) => quant !== undefined);
  const equal = others.every(
    ({ scale, zeroPoint }) => scale[0] === first!.scale[0] && zeroPoint[0] === first!.zeroPoint[0],
  );
  return equal ? undefined : 'its scales differ';
};

/** Its result is in 256ths from the least element on. */
export const inShares: Condition = (call) => {
  const quant = call.quantOf('output', 0);
  if (quant === undefined || call.outputs[0]?.type !== 'int8') return undefined;
  return quant.scale[0] === 1 / 256 && quant.zeroPoint[0] === -128
    ? undefined
    : 'its result is not in 256ths above -128';
};

export const symmetricWeight: Condition = (call) => {
  const zeros = call.quantOf('input', weightPosition(call.node.op))?.zeroPoint ?? [];
  return zeros.every((zero) => zero === 0) ? undefined : 'its weights have a zero point';
};

/** The last axis is the innermost one in memory although channels come last. */
export const rowsInMemory: Condition = ({ inputs, outputs }) =>
  [inputs[0], outputs[0]].every((operand) => operand === undefined || liesTheSame(operand.shape))
    ? undefined
    : 'its last axis is not the innermost one in memory';

export const atMostFourAxes: Condition = (call) =>
  (dataOf(call)?.shape.length ?? 5) <= 4 ? undefined : 'its input has more than four dimensions';
