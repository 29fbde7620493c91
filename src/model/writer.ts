/** Writes protobuf fields into a buffer that grows; the counterpart of the walker in wire.ts. */
import type { Source } from './source.ts';

export interface Writer {
  readonly length: () => number;
  readonly tag: (field: number, wireType: number) => void;
  readonly varint: (value: number) => void;
  readonly number: (field: number, value: number) => void;
  readonly bytes: (field: number, content: Uint8Array) => void;
  readonly copy: (source: Source, bytes: number) => void;
  /** Starts a nested message and returns the token that `close` needs. */
  readonly open: (field: number) => number;
  readonly close: (token: number) => void;
  readonly finish: () => Uint8Array;
}

const LENGTH_BYTES = 5;

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

export function newWriter(): Writer {
  let buffer = new Uint8Array(1024);
  let length = 0;

  function reserve(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + bytes));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  function varint(value: number): void {
    reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      buffer[length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    buffer[length++] = rest;
  }

  function tag(field: number, wireType: number): void {
    varint(field * 8 + wireType);
  }

  return {
    length: () => length,
    tag,
    varint,
    number: (field, value) => {
      tag(field, VARINT);
      varint(value);
    },
    bytes: (field, content) => {
      tag(field, BYTES);
      varint(content.length);
      reserve(content.length);
      buffer.set(content, length);
      length += content.length;
    },
    copy: (source, bytes) => {
      reserve(bytes);
      source.copy(buffer, length, bytes);
      length += bytes;
    },
    open: (field) => {
      tag(field, BYTES);
      reserve(LENGTH_BYTES);
      length += LENGTH_BYTES;
      return length;
    },
    close: (token) => {
      let rest = length - token;
      for (let i = 0; i < LENGTH_BYTES; i++) {
        buffer[token - LENGTH_BYTES + i] = (rest % 0x80) + (i < LENGTH_BYTES - 1 ? 0x80 : 0);
        rest = Math.floor(rest / 0x80);
      }
    },
    finish: () => buffer.subarray(0, length),
  };
}
