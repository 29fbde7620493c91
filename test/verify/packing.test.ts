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
  {
    name: 'below zero, on another',
    buffers: [buffer('a', 0, 1, 8), buffer('b', 0, 1, 8)],
    offsets: [-4, 0],
    says: [/^Buffer a has offset -4\.$/],
  },
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
  { name: 'on its pin', buffers: [buffer('a', 0, 1, 4, { offset: 8 })], offsets: [8], says: [] },
  {
    name: 'a half byte',
    buffers: [buffer('a', 0, 1, 1.5)],
    offsets: [0],
    says: [/^Buffer a has 1\.5 bytes\.$/],
  },
  {
    name: 'less than nothing',
    buffers: [buffer('a', 0, 1, -4)],
    offsets: [8],
    says: [/^Buffer a has -4 bytes\.$/],
  },
  {
    name: 'an end that no number counts',
    buffers: [buffer('a', 0, 1, 8)],
    offsets: [2 ** 53 - 8],
    says: [/^Buffer a has 8 bytes\.$/],
  },
  {
    name: 'aligned to nothing',
    buffers: [buffer('a', 0, 1, 4, { alignment: 0 })],
    offsets: [0],
    says: [/to 0\.$/],
  },
  {
    name: 'aligned to less than nothing',
    buffers: [buffer('a', 0, 1, 4, { alignment: -4 })],
    offsets: [8],
    says: [/^Buffer a at offset 8 is not aligned to -4\.$/],
  },
  {
    name: 'beyond the capacity',
    buffers: [buffer('a', 0, 1, 4)],
    offsets: [5],
    capacity: 8,
    says: [/^Buffer a ends at 9, beyond the capacity of 8\.$/],
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
    name: 'between two gaps, of which the later is listed first',
    buffers: [buffer('a', 0, 9, 10, { gaps: [gap(6, 8, 0, 10), gap(2, 5, 0, 10)] }), buffer('b', 2, 9, 10)],
    offsets: [0, 0],
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
    name: 'at a distance that is permitted to somebody else',
    buffers: [
      buffer('a', 0, 2, 10),
      buffer('b', 1, 3, 10, { mayOverlap: above(2, 4) }),
      buffer('c', 5, 6, 1),
    ],
    offsets: [0, 4, 0],
    says: [/a and b hold the same byte/],
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
        const hole = (): Gap => gap(first + random(3), gapFirst + 1 + random(2), from, from + random(4));
        const gaps =
          random(3) === 0 ? [gap(gapFirst, gapFirst + 1 + random(2), from, from + random(4)), hole()] : [];
        return buffer(`b${i}`, first, first + 1 + random(3), bytes, { gaps });
      });
      const offsets = buffers.map(() => random(10));
      const found = verifyPacking({ buffers }, offsets).map(({ text }) => text);
      expect(found.sort(), `seed ${seed}`).toEqual(clashes(buffers, offsets).sort());
    }
  });
});

/** What is said of each pair that holds a byte together: the first such step. */
function clashes(buffers: readonly Buffer[], offsets: readonly number[]): string[] {
  const holds = (i: number, step: number, byte: number): boolean => {
    const { first, end, bytes, gaps = [] } = buffers[i]!;
    const at = byte - offsets[i]!;
    if (step < first || step >= end || at < 0 || at >= bytes) return false;
    return !gaps.some((g) => g.first <= step && step < g.end && g.from <= at && at < g.to);
  };
  const said: string[] = [];
  for (let i = 0; i < buffers.length; i++) {
    for (let j = i + 1; j < buffers.length; j++) {
      const step = Array.from({ length: 10 }, (_, s) => s).find((s) =>
        Array.from({ length: 20 }, (_, byte) => byte).some((byte) => holds(i, s, byte) && holds(j, s, byte)),
      );
      if (step === undefined) continue;
      // The one that lives first is named first.
      const [a, b] = buffers[j]!.first < buffers[i]!.first ? [j, i] : [i, j];
      said.push(`Buffers b${a} and b${b} hold the same byte at step ${step}.`);
    }
  }
  return said;
}
