/** Live buffers found by their addresses, against looking at every one of them. */
import { describe, expect, it } from 'vitest';
import { createAddresses } from '../../src/verify/addresses.ts';
import { createRandom } from '../support/random.ts';

describe('createAddresses', () => {
  it.each([1, 2, 3, 4])('finds what touches a buffer and nothing else: seed %d', (seed) => {
    const random = createRandom(seed);
    const addresses = createAddresses<{ readonly offset: number; readonly bytes: number }>();
    const live: { readonly offset: number; readonly bytes: number }[] = [];
    let touched = 0;
    for (let i = 0; i < 600; i++) {
      // Sizes at and beside powers of two, for the lists are cut there.
      const bytes = Math.max(1, 2 ** random(9) + random(3) - 1);
      const buffer = { offset: random(1500), bytes };
      const found = addresses.touching(buffer);
      const expected = live.filter(
        (other) => other.offset < buffer.offset + bytes && buffer.offset < other.offset + other.bytes,
      );
      expect(new Set(found)).toEqual(new Set(expected));
      expect(found).toHaveLength(expected.length);
      touched += found.length;
      addresses.add(buffer);
      live.push(buffer);
      if (random(3) > 0) addresses.remove(live.splice(random(live.length), 1)[0]!);
    }
    expect(touched).toBeGreaterThan(600);
  });

  it('does not look at all that is live', () => {
    const count = 4000;
    let looks = 0;
    const addresses = createAddresses<{ readonly offset: number; readonly bytes: number }>();
    for (let i = 0, at = 0; i < count; i++) {
      const [offset, bytes] = [at, i % 50 === 0 ? 100_000 : 1 + (i % 64)];
      at += bytes;
      const buffer = {
        get offset() {
          looks++;
          return offset;
        },
        bytes,
      };
      expect(addresses.touching(buffer)).toEqual([]);
      addresses.add(buffer);
    }
    expect(looks).toBeLessThan(150 * count);
  });
});
