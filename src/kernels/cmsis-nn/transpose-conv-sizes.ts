/** Scratch of CMSIS-NN transposed convolutions (Source/ConvolutionFunctions/arm_transpose_conv_*_s8.c). */
import { type Convolution, depthOf } from '../convolution.ts';
import type { Scratch } from '../types.ts';
import type { CmsisNn } from './build.ts';
import { genericS8 } from './conv-sizes.ts';

/** From this many input channels on an ordinary convolution with the filter turned round is faster. */
const REVERSE_ABOVE = 16;

/** Of `height` and `width` the input, kernel and stride count. */
export function transposeConvS8(c: Convolution, lib: CmsisNn): readonly Scratch[] {
  if (lib.version < 7) {
    const { height, width, outChannels } = c;
    return [
      {
        part: '',
        bytes: 4 * height.kernel * width.kernel * height.input * width.input * outChannels,
      },
      { part: 'output', bytes: 4 * height.output * width.output * outChannels },
    ];
  }
  if (!isReversed(c)) return [{ part: '', bytes: rollingRows(c) }];
  return [
    { part: '', bytes: genericS8(c, lib) },
    { part: 'filter', bytes: depthOf(c) * c.outChannels },
  ];
}

function isReversed({ height, width, inChannels }: Convolution): boolean {
  return height.stride <= 2 && width.stride <= 2 && inChannels > REVERSE_ABOVE;
}

/**
 * 32-bit sums of as many output rows as one input row reaches. The size function takes the vertical stride for the
 * width of a row, the kernel the horizontal one: the larger counts.
 */
function rollingRows({ height, width, outChannels }: Convolution): number {
  const row = (width.input - 1) * width.stride + Math.max(width.kernel, width.stride, height.stride);
  return 4 * row * outChannels * Math.max(height.kernel, height.stride);
}
