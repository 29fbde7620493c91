/** Numbers and names in an ELF file, which nobody vouches for: whatever lies outside it is a fault. */
import { fail } from '../errors.ts';

export interface ElfBytes {
  readonly file: string;
  readonly wide: boolean;
  readonly length: number;
  readonly half: (at: number) => number;
  readonly word: (at: number) => number;
  /** An address or size: 4 bytes in ELF32, 8 in ELF64. */
  readonly long: (at: number) => number;
  readonly text: (from: number, end: number) => string;
}

/** Throws E_ELF, as all reading does. */
export function damaged(file: string, what: string): never {
  return fail('E_ELF', `${file} is a damaged ELF file: ${what}.`, { hint: 'link the firmware anew' });
}

export function elfBytes(bytes: Uint8Array, wide: boolean, file: string): ElfBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const inside = (at: number, size: number): number => {
    if (!(at >= 0 && at + size <= bytes.length)) damaged(file, 'it ends before its tables do');
    return at;
  };
  const word = (at: number) => view.getUint32(inside(at, 4), true);
  return {
    file,
    wide,
    length: bytes.length,
    half: (at) => view.getUint16(inside(at, 2), true),
    word,
    long: (at) => {
      if (!wide) return word(at);
      const value = view.getBigUint64(inside(at, 8), true);
      return value > BigInt(Number.MAX_SAFE_INTEGER) ? damaged(file, 'a size is beyond 2^53') : Number(value);
    },
    text: (from, end) => {
      let stop = inside(from, 0);
      while (stop < end && bytes[inside(stop, 1)] !== 0) stop++;
      return Buffer.from(bytes.buffer, bytes.byteOffset + from, stop - from).toString('latin1');
    },
  };
}
