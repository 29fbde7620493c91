/** The numbers of a convolution that scratch formulas are written in. */
import type { ElementType } from '../graph/element-type.ts';
import { autoPad, axesOf } from '../ops/spatial.ts';
import { dataOf, type KernelCall, weightOf } from './call.ts';

/** One spatial axis. */
export interface Span {
  readonly input: number;
  readonly output: number;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  /** Padding before the first element. */
  readonly pad: number;
  /** Padding behind the last. */
  readonly tail: number;
}

export interface Convolution {
  readonly type: ElementType;
  readonly weightType: ElementType;
  readonly batch: number;
  readonly inChannels: number;
  readonly outChannels: number;
  readonly group: number;
  readonly height: Span;
  readonly width: Span;
}

const ONE: Span = { input: 1, output: 1, kernel: 1, stride: 1, dilation: 1, pad: 0, tail: 0 };

/**
 * Of a Conv, QLinearConv, ConvInteger or FusedConv in two dimensions, or in one, which kernels run as a height of 1;
 * undefined for any other rank, and where a size is not known.
 */
export function convolutionOf(call: KernelCall): Convolution | undefined {
  const x = channelsFirst(call, dataOf(call)?.shape);
  const y = channelsFirst(call, call.outputs[0]?.shape);
  const weight = weightOf(call);
  if (x === undefined || y === undefined || weight === undefined) return undefined;
  const spans = spansOf(call, x.slice(2), y.slice(2), weight.shape.slice(2));
  return (
    spans && {
      type: dataOf(call)!.type,
      weightType: weight.type,
      ...{ batch: x[0]!, inChannels: x[1]!, outChannels: y[1]! },
      group: call.context.int('group', 1),
      ...spans,
    }
  );
}

/** The shape of three or four dimensions with the channels in place 1. */
export function channelsFirst(
  { node, context }: KernelCall,
  shape: readonly number[] | undefined,
): readonly number[] | undefined {
  if (shape === undefined || shape.length < 3 || shape.length > 4) return undefined;
  const isLast = node.op === 'NhwcMaxPool' || context.int('channels_last', 0) !== 0;
  return isLast ? [shape[0]!, shape.at(-1)!, ...shape.slice(1, -1)] : shape;
}

/** Height and width of a window; a single axis is the width. */
export function spansOf(
  call: KernelCall,
  input: readonly number[],
  output: readonly number[],
  kernel: readonly number[],
): { readonly height: Span; readonly width: Span } | undefined {
  if (kernel.length !== input.length || output.length !== input.length) return undefined;
  const pad = autoPad(call.context);
  const spans = axesOf(call.context, kernel).map((axis, i): Span => {
    const { stride, dilation, padHead, padTail } = axis;
    const reach = (kernel[i]! - 1) * dilation + 1;
    const total = pad.startsWith('SAME') ? Math.max((output[i]! - 1) * stride + reach - input[i]!, 0) : 0;
    const head = pad === 'SAME_LOWER' ? Math.ceil(total / 2) : Math.floor(total / 2);
    return {
      ...{ input: input[i]!, output: output[i]!, kernel: kernel[i]!, stride, dilation },
      ...(pad.startsWith('SAME') ? { pad: head, tail: total - head } : { pad: padHead, tail: padTail }),
    };
  });
  const [height, width] = spans.length === 1 ? [ONE, spans[0]!] : spans;
  return height && width && { height, width };
}

/** K: products per output element if every input channel took part. */
export function depthOf({ inChannels, height, width }: Convolution): number {
  return inChannels * height.kernel * width.kernel;
}

/** One filter per input channel; with one channel there is nothing to keep apart, and it is an ordinary convolution. */
export function isDepthwise({ group, inChannels }: Convolution): boolean {
  return group === inChannels && group > 1;
}

/** One pixel in, one pixel out: no window has to be gathered. */
export function isPointwise({ height, width }: Convolution): boolean {
  return [height, width].every(
    ({ kernel, stride, pad, tail }) => kernel === 1 && stride === 1 && pad === 0 && tail === 0,
  );
}

export function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
