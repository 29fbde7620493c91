/** Reads protobuf fields from a source and refuses, with the byte, what breaks the format. */
import { fail } from '../errors.ts';
import type { Encoding } from './schema.ts';
import type { Source } from './source.ts';
import { BYTES, FIXED32, FIXED64, VARINT } from './writer.ts';

/** All positions are bytes of the file; `end` is where the message at hand ends. */
export interface FieldReader {
  /** A field's number times 8 plus its wire type; `at` is where it stands. */
  readonly tag: (message: string, at: number, end: number) => number;
  /** Bytes of the content that follows a tag of this wire type; of BYTES the length in front of it is read. */
  readonly contentBytes: (wireType: number, end: number) => number;
  readonly damaged: (what: string, at: number) => never;
}

const WIRE_TYPES: ReadonlySet<number> = new Set([VARINT, FIXED32, FIXED64, BYTES]);

const FETCH_AGAIN = 'Fetch or export the model again, and compare its size with the original.';

/** `name` is what messages call the file. Everything throws E_MODEL. */
export function fieldReader(source: Source, name: string): FieldReader {
  function damaged(what: string, at: number): never {
    return fail('E_MODEL', `${name} is damaged: ${what} (byte ${at} of ${source.size}).`, {
      hint: FETCH_AGAIN,
    });
  }

  /** A field at `from` needs more than what is left before `end`. */
  function cut(from: number, wanted: number, end: number): never {
    const there = source.size - from;
    if (wanted > there) {
      return fail(
        'E_MODEL',
        `${name} is truncated or damaged: a field at byte ${from} needs ${wanted} more bytes, but the file has ${there}.`,
        { hint: FETCH_AGAIN },
      );
    }
    return damaged(`a field reaches ${from + wanted - end} bytes past the message it stands in`, from);
  }

  /** `from` is where it stands. */
  function varint(from: number, end: number): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 10; i++) {
      if (from + i >= end) return cut(from, i + 1, end);
      const byte = source.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    return damaged('a number has more than ten bytes', from);
  }

  function length(from: number, end: number): number {
    const bytes = varint(from, end);
    const start = source.position();
    return bytes > end - start ? cut(start, bytes, end) : bytes;
  }

  function tag(message: string, at: number, end: number): number {
    const number = varint(at, end);
    if (number < 8 || number >= 2 ** 32 || !WIRE_TYPES.has(number % 8)) {
      damaged(`no field of a ${message} starts with the number ${number}`, at);
    }
    return number;
  }

  function contentBytes(wireType: number, end: number): number {
    const from = source.position();
    if (wireType === BYTES) return length(from, end);
    let bytes = wireType === FIXED32 ? 4 : 8;
    if (wireType === VARINT) {
      varint(from, end);
      bytes = source.position() - from;
      source.seek(from);
    }
    return bytes > end - from ? cut(from, bytes, end) : bytes;
  }

  return {
    tag,
    contentBytes,
    damaged,
  };
}

/** True where the bytes are whole numbers, one after the other. */
export function isPacked(encoding: Encoding, bytes: Uint8Array): boolean {
  if (encoding === 'raw') return true;
  if (encoding !== 'varint') return bytes.length % (encoding === 'fixed32' ? 4 : 8) === 0;
  let length = 0;
  for (const byte of bytes) {
    length += 1;
    if (length > 10) return false;
    if (byte < 0x80) length = 0;
  }
  return length === 0;
}
