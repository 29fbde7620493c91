/** Parts of a place that are free for a time, where very many tensors lie in it. */
import { describe, expect, it } from 'vitest';
import { gapsOf, type Tenant } from '../../src/lifetime/gaps.ts';

const each = (count: number, make: (i: number) => Tenant): readonly Tenant[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('gapsOf', () => {
  it('finds every part that is written one after the other', () => {
    const count = 20_000;
    const tenants = each(count, (i) => ({ first: i, end: count + 1, offset: 4 * i, bytes: 4 }));
    const gaps = gapsOf({ first: 0, end: count + 1, bytes: 4 * count, tenants }, 4 * count, 0);
    // The first part is there from the first step on.
    expect(gaps).toHaveLength(count - 1);
    expect(gaps.at(-1)).toEqual({ first: 0, end: count - 1, from: 4 * (count - 1), to: 4 * count });
  });

  it('finds what tensors in one another leave free, but none where it would take too long to look', () => {
    const nested = (count: number) =>
      gapsOf(
        {
          ...{ first: 0, end: count + 1, bytes: 4 * count },
          tenants: each(count, (i) => ({ first: i, end: i + 2, offset: 0, bytes: 4 * (i + 1) })),
        },
        4 * count,
        0,
      );
    expect(nested(3)).toEqual([
      { first: 0, end: 1, from: 4, to: 8 },
      { first: 0, end: 2, from: 8, to: 12 },
    ]);
    expect(nested(1000)).toHaveLength(999);
    expect(nested(3000)).toEqual([]);
  });
});
