import { describe, expect, it } from 'vitest';
import type { Buffer, Gap, Overlap } from '../../src/planner/types.ts';
import { verifyPacking } from '../../src/verify/verify.ts';
import { createRandom } from '../support/random.ts';

const buffer = (
  id: string,
  first: number,
  end: number,
  bytes: number,
  more: Partial<Buffer> = {},
): Buffer => ({
  ...{ id, first, end, bytes, alignment: 1 },
  ...more,
});
const gap = (first: number, end: number, from: number, to: number): Gap => ({ first, end, from, to });
const above = (buffer: number, distance: number): readonly Overlap[] => [{ buffer, distance }];

interface Row {
  readonly name: string;
  readonly buffers: readonly Buffer[];
  readonly offsets: readonly number[];
  readonly capacity?: number;
  readonly says: readonly RegExp[];
}

const ROWS: readonly Row[] = [
  { name: 'nothing', buffers: [], offsets: [], says: [] },
  {
    name: 'one above the other',
    buffers: [buffer('a', 0, 2, 8), buffer('b', 1, 3, 8)],
    offsets: [0, 8],
    says: [],
  },
  {
    name: 'one after the other',
    buffers: [buffer('a', 0, 2, 8), buffer('b', 2, 3, 8)],
    offsets: [0, 0],
    says: [],
  },
  {
    name: 'one byte and one step in common',
    buffers: [buffer('a', 0, 2, 8), buffer('b', 1, 3, 8)],
    offsets: [0, 7],
    says: [/a and b hold the same byte at step 1/],
  },
  {
    name: 'one inside the other',
    buffers: [buffer('a', 0, 9, 100), buffer('b', 3, 4, 1)],
    offsets: [0, 50],
    says: [/a and b hold the same byte at step 3/],
  },
  {
    name: 'no bytes, anywhere',
    buffers: [buffer('a', 0, 9, 100), buffer('b', 3, 4, 0)],
    offsets: [0, 50],
    says: [],
  },
  {
    name: 'unaligned',
    buffers: [buffer('a', 0, 1, 4, { alignment: 12 })],
    offsets: [8],
    says: [/not aligned to 12/],
  },
  { name: 'aligned', buffers: [buffer('a', 0, 1, 4, { alignment: 12 })], offsets: [24], says: [] },
  { name: 'below zero', buffers: [buffer('a', 0, 1, 4)], offsets: [-4], says: [/has offset -4/] },
  { name: 'not a number', buffers: [buffer('a', 0, 1, 4)], offsets: [Number.NaN], says: [/has offset NaN/] },
  {
    name: 'never alive',
    buffers: [buffer('a', 2, 2, 4)],
    offsets: [0],
    says: [/lives from step 2 to before 2/],
  },
  {
    name: 'too few offsets',
    buffers: [buffer('a', 0, 1, 4)],
    offsets: [],
    says: [/0 offsets for 1 buffers/],
  },
  {
    name: 'moved from its pin',
    buffers: [buffer('a', 0, 1, 4, { offset: 8 })],
    offsets: [4],
    says: [/pinned at 8/],
  },
  {
    name: 'beyond the capacity',
    buffers: [buffer('a', 0, 1, 4)],
    offsets: [5],
    capacity: 8,
    says: [/beyond the capacity/],
  },
  { name: 'up to the capacity', buffers: [buffer('a', 0, 1, 4)], offsets: [4], capacity: 8, says: [] },
  {
    name: 'inside a gap',
    buffers: [buffer('a', 0, 9, 100, { gaps: [gap(2, 5, 40, 60)] }), buffer('b', 2, 5, 20)],
    offsets: [0, 40],
    says: [],
  },
  {
    name: 'a step longer than the gap',
    buffers: [buffer('a', 0, 9, 100, { gaps: [gap(2, 5, 40, 60)] }), buffer('b', 2, 6, 20)],
    offsets: [0, 40],
    says: [/hold the same byte at step 5/],
  },
  {
    name: 'a byte wider than the gap',
    buffers: [buffer('a', 0, 9, 100, { gaps: [gap(2, 5, 40, 60)] }), buffer('b', 2, 5, 21)],
    offsets: [0, 40],
    says: [/hold the same byte at step 2/],
  },
  {
    name: 'at the permitted distance',
    buffers: [buffer('a', 0, 2, 10), buffer('b', 1, 3, 10, { mayOverlap: above(0, 4) })],
    offsets: [0, 4],
    says: [],
  },
  {
    name: 'nearer than the permitted distance',
    buffers: [buffer('a', 0, 2, 10), buffer('b', 1, 3, 10, { mayOverlap: above(0, 4) })],
    offsets: [0, 3],
    says: [/hold the same byte/],
  },
  {
    name: 'on the wrong side of the other',
    buffers: [buffer('a', 0, 2, 10), buffer('b', 1, 3, 10, { mayOverlap: above(0, 4) })],
    offsets: [4, 0],
    says: [/hold the same byte/],
  },
];

describe('verifyPacking', () => {
  it.each(ROWS)('$name', ({ buffers, offsets, capacity, says }) => {
    const found = verifyPacking({ buffers }, offsets, capacity).map(({ text }) => text);
    expect(found).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
  });

  it('agrees with a table of every byte at every step (2000 random packings)', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = createRandom(seed);
      const buffers = Array.from({ length: 2 + random(4) }, (_, i): Buffer => {
        const first = random(5);
        const bytes = random(6);
        const [from, gapFirst] = [random(bytes + 1), first + random(3)];
        const gaps = random(3) === 0 ? [gap(gapFirst, gapFirst + 1 + random(2), from, from + random(4))] : [];
        return buffer(`b${i}`, first, first + 1 + random(3), bytes, { gaps });
      });
      const offsets = buffers.map(() => random(10));
      const clash = clashes(buffers, offsets);
      const found = verifyPacking({ buffers }, offsets).length > 0;
      expect(found, `seed ${seed}`).toBe(clash);
    }
  });
});

function clashes(buffers: readonly Buffer[], offsets: readonly number[]): boolean {
  const held = new Set<string>();
  return buffers.some(({ first, end, bytes, gaps = [] }, i) => {
    for (let step = first; step < end; step++) {
      for (let byte = 0; byte < bytes; byte++) {
        if (gaps.some((g) => g.first <= step && step < g.end && g.from <= byte && byte < g.to)) continue;
        const cell = `${step}:${offsets[i]! + byte}`;
        if (held.has(cell)) return true;
        held.add(cell);
      }
    }
    return false;
  });
}
