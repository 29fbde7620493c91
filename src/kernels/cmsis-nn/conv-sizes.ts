/**
 * Scratch of CMSIS-NN convolutions in bytes, as its get_buffer_size functions have it
 * (Source/ConvolutionFunctions/arm_convolve_get_buffer_sizes_*.c). The library picks a kernel by conditions that those
 * functions do not always repeat; where they fall short, what the kernel writes counts.
 */
import { type Convolution, depthOf, roundUp } from '../convolution.ts';
import type { CmsisNn } from './build.ts';

/** `arm_convolve_wrapper_s8`. Groups are told apart by its 1x1 and 1xN kernels from version 6 on. */
export function convS8(c: Convolution, lib: CmsisNn): number {
  if (isOneByOne(c)) return isPointwise(c) ? pointwise(c, lib) : 0;
  if (lib.build !== 'mve' || !isOneByN(c)) return genericS8(c, lib);
  return lib.version === 5 ? 0 : (rowS8(c) ?? genericS8(c, lib));
}

/** `arm_convolve_s8`: columns of two pixels in 16 bits, with Helium of four in 8. */
export function genericS8(c: Convolution, { version, build }: CmsisNn): number {
  if (build !== 'mve') return 4 * roundUp(depthOf(c), 4);
  return 4 * roundUp(depthOf(c), version === 5 ? 8 : 16);
}

/** `arm_convolve_wrapper_s16`. Version 5 has a fast kernel for DSP and small windows, and else needs nothing. */
export function convS16(c: Convolution, { version, build }: CmsisNn): number {
  if (version > 5) return build === 'mve' ? 8 * roundUp(depthOf(c), 8) : 4 * depthOf(c);
  const isFast = build === 'dsp' && depthOf(c) < 512 && isDense(c);
  return isFast ? 4 * depthOf(c) : 0;
}

/** `arm_convolve_wrapper_s4`: 8-bit data, 4-bit weights. Version 6 asks for what 8-bit weights would need. */
export function convS4(c: Convolution, { version, build }: CmsisNn): number {
  if (isOneByOne(c)) return 0;
  if (build !== 'mve' || version === 5) return 4 * depthOf(c);
  const row = isOneByN(c) ? rowS8(c) : undefined;
  if (row === undefined) return 4 * roundUp(depthOf(c), 16);
  return version === 6 ? row : 0;
}

function isOneByOne(c: Convolution): boolean {
  const { height, width } = c;
  const oneTap = [height, width].every(
    ({ kernel, pad, dilation }) => kernel === 1 && pad === 0 && dilation === 1,
  );
  return oneTap && c.group === 1;
}

function isPointwise({ height, width }: Convolution): boolean {
  return height.stride === 1 && width.stride === 1;
}

function pointwise({ inChannels }: Convolution, { version, build, armclang }: CmsisNn): number {
  return version === 7 && build === 'dsp' && armclang ? 4 * inChannels : 0;
}

function isOneByN({ height, width, inChannels, group }: Convolution): boolean {
  const isRow = height.input === 1 && height.kernel === 1 && width.dilation === 1;
  return isRow && (width.stride * inChannels) % 4 === 0 && group === 1;
}

function isDense({ height, width }: Convolution): boolean {
  return height.dilation === 1 && width.dilation === 1;
}

/**
 * The 1xN kernel copies only what lies in the padding on the left and on the right; undefined where those parts and
 * the middle do not add up to the output, and the generic kernel runs.
 */
function rowS8({ width, inChannels }: Convolution): number | undefined {
  const { input, output, kernel, stride, pad } = width;
  // As in C: the remainder of a negative number is negative.
  const odd = ((output - 1) * stride + kernel - input) % 2;
  const places = (padding: number): number =>
    padding === 0 ? 0 : Math.max(1, Math.trunc((padding + stride - 1) / stride));
  const left = places(pad);
  const right = places(pad + odd);
  const middle = Math.max(output - left - right, 0);
  if (left + middle + right !== output) return undefined;
  const tail = odd !== 0 ? right : pad;
  return inChannels * Math.max(kernel + pad, kernel - 1 + tail);
}
