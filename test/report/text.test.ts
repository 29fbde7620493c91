import { expect, test } from 'vitest';
import { percent } from '../../src/percent.ts';
import { table } from '../../src/report/table.ts';
import {
  counted,
  grouped,
  printable,
  printableLines,
  scaled,
  shortened,
  sizeText,
  wrapped,
} from '../../src/report/text.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [2 ** 53 - 1, '9,007,199,254,740,991'],
])('%i is grouped', (value, text) => {
  expect(grouped(value)).toBe(text);
});

test.each([
  [0, '0.0 KiB'],
  [512, '0.5 KiB'],
  [301056, '294.0 KiB'],
  [10 * 2 ** 20 - 1, '10240.0 KiB'],
  [10 * 2 ** 20, '10.0 MiB'],
])('%i bytes are scaled', (bytes, text) => {
  expect(scaled(bytes)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1000, '1,000 bytes'],
  [524288, '512 KiB'],
  [1081344, '1,056 KiB'],
  [2 ** 21, '2 MiB'],
  [2 ** 30, '1 GiB'],
])('a memory of %i bytes', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test.each([
  [0, 100, '0.0 %'],
  [1, 2, '50.0 %'],
  [1, 3, '33.3 %'],
  [1, 100000, '0.001 %'],
  [99999, 100000, '99.999 %'],
  [100, 100, '100.0 %'],
  [100001, 100000, '100.001 %'],
  [1, 3000, '0.03 %'],
  [131071, 131072, '99.999 %'],
  [2 ** 53 - 2, 2 ** 53 - 1, '99.99999999999999 %'],
  [300, 200, '150.0 %'],
  [0, 0, '0 %'],
  [5, 0, 'all of 0'],
])('%i of %i', (part, whole, text) => {
  expect(percent(part, whole)).toBe(text);
});

test('counts agree with their noun', () => {
  expect([counted(1, 'step'), counted(0, 'step'), counted(1234, 'byte')]).toEqual([
    '1 step',
    '0 steps',
    '1,234 bytes',
  ]);
});

test('a terminal obeys nothing in a name', () => {
  expect(printable('a\u001b[31mb\n\u007f\u0085')).toBe('a\\x1b[31mb\\x0a\\x7f\\x85');
  expect(printable('evil\u202etxt\u200b')).toBe('evil\\u{202e}txt\\u{200b}');
  expect(printable('\ud800')).toBe('\\u{d800}');
  expect(printable('Größe/重み 1')).toBe('Größe/重み 1');
  expect(printableLines('a\nb\r')).toBe('a\nb\\x0d');
});

test.each([
  ['short', 10, 'short'],
  ['abcdefghij', 10, 'abcdefghij'],
  ['abcdefghijk', 10, 'abcd...ijk'],
  ['abcdefghijk', 4, 'a...'],
  ['😀😀😀😀😀😀', 5, '😀...😀'],
])('%s in %i characters', (name, most, text) => {
  expect(shortened(name, most)).toBe(text);
});

test('words are wrapped, never cut', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapped('incomprehensibilities a', 5)).toEqual(['incomprehensibilities', 'a']);
  expect(wrapped('', 5)).toEqual(['']);
});

test('tables count what is seen, not what colours it', () => {
  const red = (text: string) => `<<${text}>>`;
  expect(
    table(
      [
        ['a', { text: '10', colour: red }, 'x'],
        ['bcd', '5'],
        ['alone in its line'],
        ['', '', { text: 'y', colour: red }],
      ],
      ['left', 'right', 'left'],
    ),
  ).toEqual(['a    <<10>>  x', 'bcd   5', 'alone in its line', '         <<y>>']);
});
