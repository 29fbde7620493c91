/** Constants that are worked out for kernels before the network runs. */
import { encodeValue } from '../model/bytes.ts';
import { address } from './arguments.ts';
import type { Argument, Operand, Prepared, RunnerNode } from './types.ts';

export function prepared(constant: Prepared): Argument {
  return { kind: 'prepared', constant };
}

/** The elements of a constant, in another order: element `i` of the result is element `from(i)`. */
export function reordered(
  n: RunnerNode,
  weight: Operand,
  how: string,
  shape: readonly number[],
  from: (i: number) => number,
): Argument {
  const elements = n.elements(weight);
  return prepared({
    name: `${weight.name}.${how}`,
    type: weight.type,
    shape,
    of: weight.tensor,
    bytes: encodeValue(
      weight.type,
      Array.from({ length: weight.count }, (_, i) => elements[from(i)]!),
    )!,
  });
}

/**
 * The int32 bias of a product with these scales, a null pointer for none. One in floats is rounded to the scale of the
 * products (ties to even), and so is what else is added to the channels. `needed`: zeros for none.
 */
export function biasArgument(
  n: RunnerNode,
  bias: Operand | undefined,
  scales: { readonly x: number; readonly w: readonly number[] },
  channels: number,
  needed = false,
): Argument {
  const isGiven = bias !== undefined || !needed;
  if (isGiven && n.added.length === 0 && (bias === undefined || bias.type === 'int32')) return address(bias);
  const parts = [...(bias === undefined ? [] : [bias]), ...n.added];
  const sums = new Array<number>(channels).fill(0);
  for (const part of parts) {
    if (part.count !== channels) n.refuse(`for ${part.name}, which is not one number for each channel`);
    n.elements(part).forEach((value, channel) => {
      const scale = scales.x * (scales.w[channel] ?? scales.w[0]!);
      sums[channel]! += part.type === 'int32' ? value : value / scale;
    });
  }
  const values = sums.map((sum) => Math.min(Math.max(toEven(sum), -(2 ** 31)), 2 ** 31 - 1));
  const name = `${n.c.node.label}.bias.int32`;
  const of = parts.length === 1 ? parts[0]!.tensor : undefined;
  return prepared({
    name,
    type: 'int32',
    shape: [channels],
    bytes: encodeValue('int32', values)!,
    ...(of !== undefined && { of }),
  });
}

/** The nearest integer, ties to even. */
export function toEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}
