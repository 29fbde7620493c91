/** What memplan asks of `node:buffer`. */

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const Buffer = {
  /** Bytes that say as text what they spell, as UTF-8 or one character each. */
  from(source: ArrayBufferLike | Uint8Array | string, offset?: number, bytes?: number): Uint8Array {
    const view =
      typeof source === 'string'
        ? new TextEncoder().encode(source)
        : source instanceof Uint8Array
          ? source
          : new Uint8Array(source, offset, bytes);
    const spell = (encoding = 'utf8'): string =>
      encoding === 'latin1' ? String.fromCharCode(...view) : new TextDecoder().decode(view);
    return Object.defineProperty(new Uint8Array(view.buffer, view.byteOffset, view.length), 'toString', {
      value: spell,
    });
  },
};
