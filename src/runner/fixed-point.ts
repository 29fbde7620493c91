/** Real factors as integer kernels take them: mantissa / 2^31 * 2^shift. */

export interface Multiplier {
  /** 0, or at least 2^30 and below 2^31. */
  readonly mantissa: number;
  readonly shift: number;
}

const ONE = 2 ** 31;

/** The nearest for a factor of at least 0, halves away from zero; below 2^-32 it is 0. */
export function multiplierOf(factor: number): Multiplier {
  if (factor === 0) return { mantissa: 0, shift: 0 };
  let shift = Math.floor(Math.log2(factor)) + 1;
  // The logarithm is rounded; next to a power of two it may be one off.
  while (factor / 2 ** shift >= 1) shift++;
  while (factor / 2 ** shift < 0.5) shift--;
  let mantissa = Math.round((factor / 2 ** shift) * ONE);
  if (mantissa === ONE) {
    mantissa /= 2;
    shift++;
  }
  return shift < -31 ? { mantissa: 0, shift: 0 } : { mantissa, shift };
}
