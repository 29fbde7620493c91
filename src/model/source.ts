/** A file read through one small window, so that its size does not matter. */
import { readSync } from 'node:fs';
import { fail } from '../errors.ts';

const WINDOW_BYTES = 256 * 1024;

/** A cursor over an open file. Reading past `size` is the caller's fault: ask `position` and `size` first. */
export interface Source {
  readonly size: number;
  readonly position: () => number;
  readonly seek: (to: number) => void;
  readonly byte: () => number;
  /** The next bytes, which stay there until something else is read, and moves on. */
  readonly view: (bytes: number) => Uint8Array;
  /** Copies the next bytes to `into` at `at` and moves on. */
  readonly copy: (into: Uint8Array, at: number, bytes: number) => void;
}

/** Reads `bytes` bytes at `offset`; fewer only where the file ends. */
export function readRange(file: number, offset: number, bytes: number): Uint8Array {
  const into = new Uint8Array(bytes);
  let done = 0;
  while (done < bytes) {
    const got = readSync(file, into, done, bytes - done, offset + done);
    if (got === 0) break;
    done += got;
  }
  return into.subarray(0, done);
}

export function openSource(file: number, size: number): Source {
  const window = new Uint8Array(Math.min(WINDOW_BYTES, Math.max(size, 1)));
  let start = 0;
  let filled = 0;
  let at = 0;

  function refill(): void {
    start += at;
    at = 0;
    filled = readSync(file, window, 0, Math.min(window.length, size - start), start);
    if (filled === 0) fail('E_FILE', 'The model file became shorter while it was read.');
  }

  function copy(into: Uint8Array, offset: number, bytes: number): void {
    let done = 0;
    while (done < bytes) {
      if (at >= filled) refill();
      const part = Math.min(bytes - done, filled - at);
      into.set(window.subarray(at, at + part), offset + done);
      at += part;
      done += part;
    }
  }

  return {
    size,
    position: () => start + at,
    seek: (to) => {
      if (to >= start && to <= start + filled) at = to - start;
      else {
        start = to;
        at = 0;
        filled = 0;
      }
    },
    byte: () => {
      if (at >= filled) refill();
      return window[at++]!;
    },
    view: (bytes) => {
      if (at + bytes > filled) {
        const across = new Uint8Array(bytes);
        copy(across, 0, bytes);
        return across;
      }
      at += bytes;
      return window.subarray(at - bytes, at);
    },
    copy,
  };
}
