/** Places that become parts of other places. */
import { describe, expect, it } from 'vitest';
import { createPlaces } from '../../src/lifetime/places.ts';

describe('createPlaces', () => {
  it('follows a tensor through all places that took it in, whatever was asked before', () => {
    for (const early of [false, true]) {
      const places = createPlaces(4);
      places.move(0, 1, 4);
      if (early) expect([places.root(0), places.offset(0)]).toEqual([1, 4]);
      places.move(1, 2, 16);
      places.move(2, 3, 64);
      if (early) expect([places.root(1), places.offset(1)]).toEqual([3, 80]);
      expect([0, 1, 2, 3].map(places.root)).toEqual([3, 3, 3, 3]);
      expect([0, 1, 2, 3].map(places.offset)).toEqual([84, 80, 64, 0]);
    }
  });

  it('follows a hundred thousand places one inside the other', () => {
    const count = 100_000;
    const places = createPlaces(count);
    for (let tensor = 0; tensor < count - 1; tensor++) places.move(tensor, tensor + 1, 4);
    expect(places.root(0)).toBe(count - 1);
    expect(places.offset(0)).toBe(4 * (count - 1));
    expect(places.offset(count - 2)).toBe(4);
  });
});
