/**
 * Scratch of CMSIS-NN depthwise convolutions in bytes
 * (Source/ConvolutionFunctions/arm_depthwise_conv_get_buffer_sizes_*.c).
 */
import type { Convolution } from '../convolution.ts';
import type { CmsisNn } from './build.ts';
import { convS8 } from './conv-sizes.ts';

/** Channels that the Helium kernel works on at once (CH_IN_BLOCK_MVE). */
const BLOCK_MVE = 124;

/** `arm_depthwise_conv_wrapper_s8` */
export function depthwiseS8(c: Convolution, lib: CmsisNn): number {
  if (spreadsOneChannel(c, lib)) return convS8({ ...c, group: 1 }, lib) + c.outChannels * taps(c);
  if (!isPlain(c) || lib.build === 'scalar') return 0;
  if (lib.build === 'mve') return 4 * BLOCK_MVE * taps(c);
  return isSmall(c) ? 0 : 2 * c.inChannels * taps(c);
}

/** `arm_depthwise_conv_wrapper_s4` */
export function depthwiseS4(c: Convolution, { version, build }: CmsisNn): number {
  if (!isPlain(c)) return 0;
  return build === 'mve' && version > 5 ? 4 * BLOCK_MVE * taps(c) : 2 * c.inChannels * taps(c);
}

/** `arm_depthwise_conv_wrapper_s16`; the Helium kernel reads eight bytes past its columns, which are counted in. */
export function depthwiseS16(c: Convolution, { build }: CmsisNn): number {
  const { height, width, inChannels, outChannels } = c;
  const isFast = inChannels === outChannels && height.dilation === 1 && width.dilation === 1 && taps(c) < 512;
  if (!isFast || build === 'scalar') return 0;
  return build === 'mve' ? 8 * inChannels * taps(c) + 8 : 2 * inChannels * taps(c);
}

function taps({ height, width }: Convolution): number {
  return height.kernel * width.kernel;
}

/** One filter per channel, one image, no holes. */
function isPlain({ inChannels, outChannels, batch, height, width }: Convolution): boolean {
  return inChannels === outChannels && batch === 1 && height.dilation === 1 && width.dilation === 1;
}

/** The kernel for 3x3 windows needs none. */
function isSmall({ height, width }: Convolution): boolean {
  return [height, width].every(({ kernel, pad }) => kernel === 3 && pad <= 1);
}

/** From version 7 on the Helium build runs several filters over one channel as an ordinary convolution. */
function spreadsOneChannel({ inChannels, outChannels }: Convolution, lib: CmsisNn): boolean {
  return lib.version === 7 && lib.build === 'mve' && inChannels === 1 && outChannels > (lib.armclang ? 8 : 1);
}
