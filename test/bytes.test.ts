/** Byte sizes as people write them. */
import { expect, it } from 'vitest';
import { parseBytes } from '../src/bytes.ts';

it.each<[string, number | undefined]>([
  ['0', 0],
  ['4096', 4096],
  [' 4096 ', 4096],
  ['4096B', 4096],
  ['4K', 4096],
  ['4KiB', 4096],
  ['4kB', 4000],
  ['1.5M', 1572864],
  ['2MB', 2000000],
  ['1GiB', 1073741824],
  ['0x1000', 4096],
  ['0XFF', 255],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', undefined], // 2^53: no longer exact
  ['8388608G', undefined], // 2^53
  ['0.3', undefined], // no whole number of bytes
  ['0.5K', 512],
  ['4KB', undefined], // decimal or binary? nobody can tell
  ['4k', undefined],
  ['', undefined],
  ['K', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['0x', undefined],
  ['4 K', undefined],
  ['4constructor', undefined],
])('%j', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});
