/** A file through a window: whatever the steps it is read in, the bytes are those of the file. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSource, readRange, type Source } from '../../src/model/source.ts';
import { emptyFolder } from '../support/generated.ts';

const WINDOW = 256 * 1024;
const bytes = Uint8Array.from({ length: 3 * WINDOW + 5 }, (_, i) => (i * 31 + (i >> 8)) % 251);

function withFile(use: (source: Source, file: number) => void): void {
  const path = join(emptyFolder(), 'bytes');
  writeFileSync(path, bytes);
  const file = openSync(path, 'r');
  try {
    use(openSource(file, bytes.length), file);
  } finally {
    closeSync(file);
  }
}

const READERS: readonly [string, (source: Source, count: number) => Uint8Array][] = [
  ['byte', (source, count) => Uint8Array.from({ length: count }, () => source.byte())],
  ['view', (source, count) => source.view(count).slice()],
  [
    'copy',
    (source, count) => {
      const into = new Uint8Array(count + 2);
      source.copy(into, 1, count);
      expect([into[0], into[count + 1]]).toEqual([0, 0]);
      return into.subarray(1, count + 1);
    },
  ],
];

it.each(READERS)('%s reads on across the ends of the window', (_, read) => {
  withFile((source) => {
    const found: Uint8Array[] = [];
    let position = 0;
    for (const count of [0, 1, WINDOW - 3, 7, WINDOW, 5000, WINDOW - 5000]) {
      expect(source.position()).toBe(position);
      found.push(read(source, count));
      position += count;
    }
    expect(Buffer.concat(found).equals(bytes)).toBe(true);
    expect(source.position()).toBe(source.size);
  });
});

it.each(READERS)('%s reads where it was sent', (_, read) => {
  withFile((source) => {
    for (const to of [10, 4, 2 * WINDOW + 1, WINDOW - 2, 0, bytes.length - 9]) {
      source.seek(to);
      expect(read(source, 9)).toEqual(bytes.subarray(to, to + 9));
    }
  });
});

it('says that the file became shorter', () => {
  withFile((_, file) => {
    const source = openSource(file, bytes.length + 1);
    source.seek(bytes.length);
    expect(() => source.byte()).toThrow(/became shorter/);
    expect(() => source.view(1)).toThrow(/became shorter/);
  });
});

it('reads a range, and no more than there is', () => {
  withFile((_, file) => {
    expect(readRange(file, 5, 3)).toEqual(bytes.subarray(5, 8));
    expect(readRange(file, bytes.length - 2, 10)).toEqual(bytes.subarray(-2));
  });
});
