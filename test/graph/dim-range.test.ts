import { describe, expect, it } from 'vitest';
import { type DimRanges, rangeOf } from '../../src/graph/dim-range.ts';
import {
  add,
  ceilDiv,
  type Dim,
  floorDiv,
  isKnown,
  max,
  min,
  mod,
  mul,
  sub,
  substitute,
  symbol,
} from '../../src/graph/dims.ts';
import { createRandom } from '../support/random.ts';

const [n, h, w] = [symbol('n'), symbol('h'), symbol('w')];

function randomDim(random: (below: number) => number, depth: number): Dim {
  if (depth === 0) return [n, h, w, 1 + random(9)][random(4)]!;
  const a = randomDim(random, depth - 1);
  const b = randomDim(random, depth - 1);
  const by = 1 + random(4);
  return [add(a, b), sub(a, b), mul(a, b), floorDiv(a, by), ceilDiv(a, by), mod(a, by), min(a, b), max(a, b)][
    random(8)
  ]!;
}

/** By trying every combination. */
function truth(dim: Dim, ranges: DimRanges): readonly [number, number] {
  const values: number[] = [];
  const [rn, rh, rw] = ['n', 'h', 'w'].map((name) => ranges.get(name)!);
  for (let i = rn!.least; i <= rn!.most; i++) {
    for (let j = rh!.least; j <= rh!.most; j++) {
      for (let k = rw!.least; k <= rw!.most; k++) {
        const sizes: Record<string, number> = { n: i, h: j, w: k };
        const value = substitute(dim, (name) => sizes[name]);
        if (!isKnown(value)) throw new Error('a symbol is left');
        values.push(value);
      }
    }
  }
  return [Math.min(...values), Math.max(...values)];
}

describe('the range of a dimension', () => {
  it.each([
    [add(mul(n, 2), 1), 3, 21],
    [sub(12, n), 2, 11],
    [mul(n, sub(12, n)), 11, 36],
    [floorDiv(add(n, 3), 2), 2, 6],
    [7, 7, 7],
  ] as const)('%j', (dim, least, most) => {
    expect(rangeOf(dim, new Map([['n', { least: 1, most: 10 }]]))).toEqual({ least, most });
  });

  it('is exact where few combinations are possible (seeds 1 to 400)', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed);
      const dim = randomDim(random, 3);
      const ranges = new Map(
        ['n', 'h', 'w'].map((name) => {
          const least = random(4);
          return [name, { least, most: least + random(4) }] as const;
        }),
      );
      const [least, most] = truth(dim, ranges);
      expect(rangeOf(dim, ranges), `seed ${seed}`).toEqual({ least, most });
    }
  });

  it('is never too small where they are many: every size is within it (seeds 1 to 60)', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const dim = randomDim(random, 3);
      const ranges = new Map(['n', 'h', 'w'].map((name) => [name, { least: 1, most: 18 }] as const));
      const found = rangeOf(dim, ranges);
      if (found === undefined) continue;
      const [least, most] = truth(dim, ranges);
      expect(found.least, `seed ${seed}`).toBeLessThanOrEqual(least);
      expect(found.most, `seed ${seed}`).toBeGreaterThanOrEqual(most);
    }
  });

  it('is not known where a symbol has none', () => {
    expect(rangeOf(add(n, h), new Map([['n', { least: 1, most: 2 }]]))).toBeUndefined();
  });
});
