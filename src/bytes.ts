/** Byte sizes as people write them: `4096`, `4K`, `4KiB`, `4kB`, `0x1000`. */

/** Multipliers by suffix. A bare letter is binary, as in linker scripts; `kB` and `MB` are decimal, as in SI. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  K: 1024,
  KiB: 1024,
  kB: 1000,
  M: 1024 ** 2,
  MiB: 1024 ** 2,
  MB: 1000 ** 2,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
  GB: 1000 ** 3,
};

/** What `parseBytes` understands, for messages. */
export const BYTES_FORMS = '4096, 4K, 4KiB, 4kB or 0x1000';

/** A whole number of bytes, or undefined when the text is none (or is beyond 2^53). */
export function parseBytes(text: string): number | undefined {
  const match = /^(?:(0[xX][0-9a-fA-F]+)|(\d+(?:\.\d+)?)([a-zA-Z]*))$/.exec(text.trim());
  if (match === null) return undefined;
  const [, hex, digits, unit] = match;
  if (hex !== undefined) return exact(Number(hex));
  const factor = Object.hasOwn(UNITS, unit!) ? UNITS[unit!] : undefined;
  return factor === undefined ? undefined : exact(Number(digits) * factor);
}

function exact(bytes: number): number | undefined {
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** True for what an address can be aligned to. */
export function isPowerOfTwo(bytes: number): boolean {
  return Number.isSafeInteger(bytes) && bytes > 0 && 2 ** Math.round(Math.log2(bytes)) === bytes;
}
