/** C literals: each reads back as the number it stands for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { C_BYTES, ELEMENT_C, float, hexadecimal, signed, unsignedType } from '../../src/emit/literals.ts';
import { ELEMENT_BITS, type ElementType } from '../../src/graph/element-type.ts';

describe('float', () => {
  it.each([
    [0.1, '0.1f'],
    [1, '1.0f'],
    [0.003921568859368563, '0.003921569f'],
    [0, '0.0f'],
    [1e-45, '1e-45f'],
    [2 ** 100, '1.2676506e+30f'],
  ])('%d is %s', (value, text) => expect(float(value)).toBe(text));

  it('reads back as the same float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = float(value);
        expect(text).toMatch(/^-?\d[\d.]*(e[+-]\d+)?f$/);
        expect(Math.fround(Number(text.slice(0, -1)))).toBe(Math.fround(value) + 0);
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
});

it.each([
  [0, 'uint8_t'],
  [255, 'uint8_t'],
  [256, 'uint16_t'],
  [65535, 'uint16_t'],
  [65536, 'uint32_t'],
  [2 ** 32 - 1, 'uint32_t'],
  [2 ** 32, 'uint64_t'],
])('%d needs %s', (most, type) => expect(unsignedType(most)).toBe(type));

it('writes the smallest int32 as an expression: its digits alone are no int', () => {
  expect([signed(-(2 ** 31)), signed(-128)]).toEqual(['(-2147483647 - 1)', '-128']);
});

it('pads addresses to 32 bits', () => {
  expect([hexadecimal(0x24000000), hexadecimal(0), hexadecimal(2 ** 36)]).toEqual([
    '0x24000000u',
    '0x00000000u',
    '0x1000000000u',
  ]);
});

it.each(Object.keys(ELEMENT_C) as ElementType[])('the C type of %s divides its element', (type) => {
  const bytes = C_BYTES[ELEMENT_C[type]];
  const bits = ELEMENT_BITS[type];
  expect(bits < 8 ? bytes === 1 : (bits / 8) % bytes === 0).toBe(true);
});
