/** Reads protobuf fields from a source and refuses, with the byte, what breaks the format. */
import { fail } from '../errors.ts';
import type { Source } from './source.ts';
import { BYTES, FIXED32, FIXED64, VARINT } from './writer.ts';

/** All positions are bytes of the file; `end` is where the message at hand ends. */
export interface FieldReader {
  readonly position: () => number;
  readonly varint: (end: number) => number;
  /** The byte count in front of a field's content, checked against `end`. */
  readonly length: (end: number) => number;
  /** Bytes of the content that follows a tag of this wire type (for BYTES: after reading its length). */
  readonly contentBytes: (wireType: number, end: number) => number;
  readonly skip: (wireType: number, end: number) => void;
  readonly damaged: (what: string, at: number) => never;
}

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

  function varint(end: number): number {
    const from = source.position();
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

  function length(end: number): number {
    const bytes = varint(end);
    const from = source.position();
    return bytes > end - from ? cut(from, bytes, end) : bytes;
  }

  function contentBytes(wireType: number, end: number): number {
    const from = source.position();
    if (wireType === BYTES) return length(end);
    let bytes = wireType === FIXED32 ? 4 : 8;
    if (wireType === VARINT) {
      varint(end);
      bytes = source.position() - from;
      source.seek(from);
    }
    return bytes > end - from ? cut(from, bytes, end) : bytes;
  }

  return {
    position: source.position,
    varint,
    length,
    contentBytes,
    skip: (wireType, end) => {
      const bytes = contentBytes(wireType, end);
      source.seek(source.position() + bytes);
    },
    damaged,
  };
}

export function isWireType(wireType: number): boolean {
  return wireType === VARINT || wireType === FIXED64 || wireType === BYTES || wireType === FIXED32;
}
