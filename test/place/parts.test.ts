/** Lists of buffers that share no byte, over several memories: which of them comes first. */
import { expect, it } from 'vitest';
import { placeParts } from '../../src/place/parts.ts';
import type { PlaceableBuffer, PlaceProblem } from '../../src/place/types.ts';

const buffer = (id: string, bytes: number, traffic: number): PlaceableBuffer => {
  return { id, first: 0, end: 1, bytes, alignment: 1, traffic };
};

const problem = (rooms: readonly number[], ...buffers: readonly PlaceableBuffer[]): PlaceProblem => ({
  buffers,
  memories: rooms.map((room, rank) => ({ name: `M${rank}`, room, rank })),
});

it('the cheapest order is taken, not the one with the most traffic first', () => {
  // The first list has the most traffic, 1000; its first buffer alone fits the fast memory, and then that of the second
  // list does not. The other way round 900 are fast: the cost is 900 + 2 x 1000.
  const both = problem([100, 1000], buffer('a', 60, 700), buffer('b', 60, 300), buffer('c', 50, 900));
  const placed = placeParts(both, [[0, 1], [2]], {})!;
  expect(placed.memory).toEqual([1, 1, 0]);
  expect(placed.cost).toBe(900 + 2 * 1000);
});

it('an order in which all have a place is found', () => {
  // Small first, the large one has no memory left.
  const both = problem([100, 60], buffer('small', 50, 1000), buffer('large', 90, 10));
  const placed = placeParts(both, [[0], [1]], {})!;
  expect(placed.memory).toEqual([1, 0]);
});

it('of many lists the one with the most traffic comes first', () => {
  const many = problem([100, 1000], ...[5, 1, 9, 3].map((traffic, i) => buffer(String(i), 60, traffic)));
  expect(placeParts(many, [[0], [1], [2], [3]], {})?.memory).toEqual([1, 1, 0, 1]);
});
