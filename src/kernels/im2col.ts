/**
 * Convolutions as one matrix product over windows that are copied side by side first: the whole image at once, or as
 * many output pixels as a tile has. Everything else is as in the reference kernels.
 */
import { ELEMENT_BITS } from '../graph/element-type.ts';
import { type Convolution, convolutionOf, depthOf, isPointwise } from './convolution.ts';
import { libraryOf } from './library.ts';
import type { KernelLibrary, KernelRow, Layout } from './types.ts';

/** `tile` in output pixels; undefined: all of them. */
export function im2col(layout: Layout, tile?: number): KernelLibrary {
  const gathers = (op: string, bytes: (c: Convolution) => number): KernelRow => ({
    op,
    scratch: (call) => {
      const c = convolutionOf(call);
      return c && [{ part: '', bytes: bytes(c) }];
    },
  });
  const columns = (c: Convolution): number => {
    const pixels = c.height.output * c.width.output;
    // The image itself is the matrix.
    return isPointwise(c) ? 0 : depthOf(c) * Math.min(pixels, tile ?? pixels) * elementBytes(c);
  };
  return libraryOf({
    ...{ name: 'im2col', layout, isPartial: true, fuses: false },
    version: tile === undefined ? 'whole' : `tile=${tile}`,
    rows: [
      ...['Conv', 'FusedConv', 'QLinearConv', 'ConvInteger'].map((op) => gathers(op, columns)),
      gathers('ConvTranspose', (c) => spread(c, tile)),
    ],
  });
}

/** The products of every input pixel, before they are added up where they overlap. */
function spread(c: Convolution, tile: number | undefined): number {
  const pixels = c.height.input * c.width.input;
  const products = c.outChannels * c.height.kernel * c.width.kernel;
  return products * Math.min(pixels, tile ?? pixels) * Math.max(4, elementBytes(c));
}

function elementBytes({ type }: Convolution): number {
  return ELEMENT_BITS[type] / 8;
}
