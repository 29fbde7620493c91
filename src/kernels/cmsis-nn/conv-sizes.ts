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
  if (lib.build !== 'mve' || !isOneByN(c) || refusesRow(c, lib)) return genericS8(c, lib);
  return lib.version === 5 ? 0 : (rowS8(c) ?? genericS8(c, lib));
}

/**
 * Rows that the Helium kernel for 1xN must not have: it answers ARM_CMSIS_NN_FAILURE where the padding is not the same
 * on both sides but for one pixel (in version 5 also where the padded parts meet), and reads past the row where the
 * kernel is longer than it, or where the windows at its end do not begin as many pixels before the end as it copies.
 * They are run as a column, which takes `arm_convolve_s8`.
 */
export function refusesRow(c: Convolution, { version, build }: CmsisNn): boolean {
  if (build !== 'mve' || !isOneByN(c) || isOneByOne(c)) return false;
  const { input, output, kernel, stride, pad } = c.width;
  const total = (output - 1) * stride + kernel - input;
  if (2 * pad + (total % 2) !== total || kernel > input) return true;
  const parts = rowParts(c);
  if (parts === undefined) return version === 5;
  const copied = (parts.left + parts.middle) * stride - pad + kernel - 1;
  return parts.right > 0 ? copied !== input : copied > input;
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

/** How many output pixels the 1xN kernel takes as padded on the left, as not padded, and as padded on the right. */
interface RowParts {
  readonly left: number;
  readonly middle: number;
  readonly right: number;
  /** The padding is one pixel longer on the right. */
  readonly odd: boolean;
}

/** Undefined where the parts do not add up to the output, and the generic kernel runs. */
function rowParts({ width: { input, output, kernel, stride, pad } }: Convolution): RowParts | undefined {
  // As in C: the remainder of a negative number is negative.
  const odd = ((output - 1) * stride + kernel - input) % 2;
  const places = (padding: number): number =>
    padding === 0 ? 0 : Math.max(1, Math.trunc((padding + stride - 1) / stride));
  const left = places(pad);
  const right = places(pad + odd);
  const middle = Math.max(output - left - right, 0);
  return left + middle + right === output ? { left, middle, right, odd: odd !== 0 } : undefined;
}

/** The 1xN kernel copies only what lies in the padding on the left and on the right. */
function rowS8(c: Convolution): number | undefined {
  const parts = rowParts(c);
  const { kernel, pad } = c.width;
  return parts && c.inChannels * Math.max(kernel + pad, kernel - 1 + (parts.odd ? parts.right : pad));
}
