/** Who lies in a place, found by bytes, against looking at every tensor. */
import { describe, expect, it } from 'vitest';
import { createTenants } from '../../src/lifetime/tenants.ts';
import { createRandom } from '../support/random.ts';

interface Lying {
  readonly end: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Tensors come in the order of the steps; each is asked who blocks it. */
function compared(seed: number, count: number, most: number): readonly (number | undefined)[] {
  const random = createRandom(seed);
  const all: Lying[] = [{ end: 1 + random(3), offset: 0, bytes: most }];
  const tenants = createTenants({
    endOf: (tensor) => all[tensor]!.end,
    offsetOf: (tensor) => all[tensor]!.offset,
    bytesOf: (tensor) => all[tensor]!.bytes,
  });
  const inside: number[] = [0];
  const found: (number | undefined)[] = [];
  for (let tensor = 1, step = 0; tensor < count; tensor++, step += random(4) === 0 ? 1 : 0) {
    const offset = random(most);
    // Now and then one of many bytes, or of none, or one that reaches beyond the place.
    const bytes = [0, 1 + random(8), 1 + random(8), random(most)][random(4)]!;
    all.push({ end: step + 1 + random(random(8) === 0 ? count : 6), offset, bytes });
    const { offset: from, bytes: size } = all[tensor]!;
    const expected = inside.find((one) => {
      const other = all[one]!;
      return other.end > step && other.offset < from + size && from < other.offset + other.bytes;
    });
    expect(tenants.blocker(0, tensor, step)).toBe(expected);
    found.push(expected);
    tenants.add(0, step, [tensor]);
    inside.push(tensor);
    if (random(40) === 0) {
      expect(tenants.live(0, step)).toEqual(inside.filter((one) => all[one]!.end > step));
    }
  }
  return found;
}

describe('who would be written over', () => {
  it.each([
    ['a few tensors', 20, 64],
    ['many in a small place', 600, 40],
    ['many in a large one', 600, 100_000],
  ])('is the same as when every tensor is looked at: %s', (_, count, most) => {
    const found = [1, 2, 3, 4, 5].flatMap((seed) => compared(seed, count, most));
    expect(found.some((one) => one === undefined)).toBe(true);
    expect(found.some((one) => one !== undefined)).toBe(true);
  });

  it('is nobody where all that was there is read no more, and never the tensor itself', () => {
    const at = { endOf: () => 3, offsetOf: () => 0, bytesOf: () => 8 };
    const tenants = createTenants(at);
    expect(tenants.blocker(0, 0, 1)).toBeUndefined();
    expect(tenants.blocker(0, 1, 1)).toBe(0);
    expect(tenants.blocker(0, 1, 3)).toBeUndefined();
  });

  it('is not sought among those that are read no more again and again', () => {
    const count = 4000;
    let asked = 0;
    const tenants = createTenants({
      endOf: (tensor) => {
        asked++;
        return count + tensor;
      },
      offsetOf: () => 0,
      bytesOf: () => 8,
    });
    const others = Array.from({ length: count - 1 }, (_, i) => i + 1);
    tenants.add(0, 0, others);
    // One after the other goes, and is written over while the next one is still there.
    for (const tensor of others.slice(0, -1))
      expect(tenants.blocker(0, tensor, count + tensor)).toBe(tensor + 1);
    expect(asked).toBeLessThan((count * count) / 4);
  });
});
