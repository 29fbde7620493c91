import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../src/planner/bound.ts';
import type { Buffer } from '../../src/planner/types.ts';
import { smallest } from './support/oracle.ts';
import { randomProblem } from './support/random-problem.ts';

function buffer(first: number, end: number, bytes: number, more: Partial<Buffer> = {}): Buffer {
  return { id: `${first}-${end}-${bytes}`, first, end, bytes, alignment: 1, ...more };
}

describe('the lower bound', () => {
  const gap = { first: 1, end: 2, from: 0, to: 6 };
  const manyAlignments = (count: number): readonly Buffer[] =>
    Array.from({ length: count }, (_, k) =>
      buffer(0, 1, 1, { alignment: 2 ** Math.min(k + 1, 12) * (k > 11 ? 3 : 1) }),
    );
  const cases: [string, readonly Buffer[], number, number][] = [
    ['no buffers', [], 0, 0],
    ['one buffer', [buffer(3, 5, 7)], 7, 3],
    [
      'the chain 80/64/96/112: the heaviest pair',
      [buffer(0, 2, 80), buffer(1, 3, 64), buffer(2, 4, 96), buffer(3, 5, 112)],
      208,
      3,
    ],
    ['ranges are half-open', [buffer(0, 2, 5), buffer(2, 4, 6)], 6, 2],
    ['the first of two equal peaks', [buffer(0, 1, 9), buffer(4, 5, 9)], 9, 0],
    // 16 + 16 + 10 and 16 + 16 + 20: all but the topmost round up, the best topmost is the one that wastes most.
    [
      'one alignment: 10, 10, 10 at 16',
      [
        buffer(0, 1, 10, { alignment: 16 }),
        buffer(0, 1, 10, { alignment: 16 }),
        buffer(0, 1, 10, { alignment: 16 }),
      ],
      42,
      0,
    ],
    [
      'one alignment: 10, 10, 30 at 16',
      [
        buffer(0, 1, 10, { alignment: 16 }),
        buffer(0, 1, 10, { alignment: 16 }),
        buffer(0, 1, 30, { alignment: 16 }),
      ],
      58,
      0,
    ],
    // 64 + 32 + 4 fit into exactly 100 with 4 at 96: rounding everything to 32 or 64 would claim more.
    [
      'mixed alignments: the common divisor only',
      [
        buffer(0, 1, 64, { alignment: 64 }),
        buffer(0, 1, 32, { alignment: 32 }),
        buffer(0, 1, 4, { alignment: 4 }),
      ],
      100,
      0,
    ],
    [
      'mixed alignments: sharpened by their divisor 4',
      [buffer(0, 1, 5, { alignment: 4 }), buffer(0, 1, 5, { alignment: 8 })],
      13,
      0,
    ],
    ['alignment counts only where all have it', [buffer(0, 1, 5, { alignment: 4 }), buffer(0, 1, 5)], 10, 0],
    ['a gap frees its bytes', [buffer(0, 3, 8, { gaps: [gap] }), buffer(1, 2, 6)], 8, 0],
    [
      'overlapping gaps free their bytes once',
      [buffer(0, 2, 8, { gaps: [gap, gap] }), buffer(1, 2, 9)],
      11,
      1,
    ],
    [
      'no arena is below its largest buffer',
      [buffer(0, 1, 8, { gaps: [{ first: 0, end: 1, from: 0, to: 8 }] })],
      8,
      0,
    ],
    ['a pin reaches to its end', [buffer(0, 1, 4, { offset: 20 })], 24, 0],
    [
      'a permitted overlap is taken off',
      [buffer(0, 2, 10), buffer(1, 3, 10, { mayOverlap: [{ buffer: 0, distance: 3 }] })],
      13,
      1,
    ],
    [
      'an overlap counts only while both live',
      [buffer(0, 2, 10), buffer(2, 3, 10, { mayOverlap: [{ buffer: 0, distance: 3 }] })],
      10,
      0,
    ],
  ];
  cases.push(
    // The partner of the overlap is gone when the third buffer comes: 10 + 10, nothing shared.
    [
      'an overlap counts only until the first of the two is gone',
      [buffer(0, 2, 10, { mayOverlap: [{ buffer: 1, distance: 3 }] }), buffer(1, 4, 10), buffer(3, 4, 10)],
      20,
      3,
    ],
    // 1 at 16 wastes 15, but is gone at step 2, where 16 + 10 are needed.
    [
      'the waste of the dead does not count',
      [
        buffer(0, 1, 1, { alignment: 16 }),
        buffer(2, 3, 10, { alignment: 16 }),
        buffer(2, 3, 10, { alignment: 16 }),
      ],
      26,
      2,
    ],
    [
      'a rounded sum that is no larger moves no step',
      [buffer(3, 4, 8), buffer(0, 1, 8, { alignment: 8 })],
      8,
      0,
    ],
    [
      'the first of two equal rounded peaks',
      [0, 0, 4, 4].map((first) => buffer(first, first + 1, 10, { alignment: 16 })),
      26,
      0,
    ],
    // Of thirteen alignments only what is common to all is tried: 12 times 2 and the topmost. Of twelve every
    // common divisor: two buffers are at multiples of 2048.
    ['thirteen alignments', manyAlignments(13), 13 * 2 - 1, 0],
    ['twelve alignments', manyAlignments(12), 2048 + 1, 0],
  );
  it.each(cases)('%s', (_, buffers, bytes, step) => {
    expect(lowerBound({ buffers })).toEqual({ bytes, step });
  });

  it('never lies above the optimum, whatever the features', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const problem = randomProblem(seed, {
        buffers: 5,
        steps: 5,
        mostBytes: 5,
        alignments: seed % 2 === 0 ? [2] : [1, 2, 3, 4],
        gaps: 0.3,
        overlaps: 0.3,
        pins: 0.1,
      });
      const { bytes } = lowerBound(problem);
      expect(bytes, `seed ${seed}`).toBeLessThanOrEqual(smallest(problem));
    }
  });

  it('is the largest sum over steps and divisors, added up byte by byte', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const problem = randomProblem(seed, {
        buffers: 9,
        steps: 7,
        mostBytes: 9,
        alignments: seed % 3 === 0 ? [4] : [1, 2, 3, 4, 6, 8, 12],
        gaps: seed % 2 === 0 ? 0.3 : 0,
        overlaps: seed % 5 === 0 ? 0 : 0.2,
        pins: 0.05,
      });
      const { bytes, step } = lowerBound(problem);
      const { plain, rounded, least } = addedUp(problem.buffers);
      expect(bytes, `seed ${seed}`).toBe(Math.max(least, ...plain, ...rounded));
      if (Math.max(...plain) === bytes) expect(step, `seed ${seed}`).toBe(plain.indexOf(bytes));
      else if (Math.max(...rounded) === bytes) expect(rounded[step], `seed ${seed}`).toBe(bytes);
    }
  });
});

/** By step the live bytes, and the largest rounded sum over all divisors; and what single buffers need. */
function addedUp(buffers: readonly Buffer[]): {
  readonly plain: readonly number[];
  readonly rounded: readonly number[];
  readonly least: number;
} {
  const steps = Array.from({ length: Math.max(...buffers.map(({ end }) => end)) }, (_, step) => step);
  const lives = (b: Buffer, step: number): boolean => b.first <= step && step < b.end;
  const isFree = (b: Buffer, step: number, byte: number): boolean =>
    (b.gaps ?? []).some((g) => g.first <= step && step < g.end && g.from <= byte && byte < g.to);
  const taken = (b: Buffer, step: number): number =>
    lives(b, step)
      ? Array.from({ length: b.bytes }, (_, byte) => byte).filter((byte) => !isFree(b, step, byte)).length
      : 0;
  const shared = (b: Buffer, step: number): number => {
    const partners = new Set((b.mayOverlap ?? []).map(({ buffer }) => buffer));
    return [...partners]
      .filter((partner) => lives(b, step) && lives(buffers[partner]!, step))
      .reduce((sum, partner) => {
        const distances = b.mayOverlap!.filter((o) => o.buffer === partner).map((o) => o.distance);
        const below = buffers[partner]!.bytes;
        return sum + Math.max(0, Math.min(b.bytes, below, below - Math.min(...distances)));
      }, 0);
  };
  const partners = new Set(buffers.flatMap((b) => (b.mayOverlap ?? []).map(({ buffer }) => buffer)));
  const plain = steps.map((step) => buffers.reduce((sum, b) => sum + taken(b, step) - shared(b, step), 0));
  const rounded = steps.map((step) =>
    Math.max(
      ...Array.from({ length: 12 }, (_, k) => k + 1).map((g) => {
        const live = buffers.filter(
          (b, i) =>
            lives(b, step) && b.alignment % g === 0 && !partners.has(i) && (b.gaps ?? []).length === 0,
        );
        const up = live.map((b) => Math.ceil(b.bytes / g) * g);
        const waste = live.map((b, k) => up[k]! - b.bytes);
        return up.reduce((a, b) => a + b, 0) - Math.max(0, ...waste);
      }),
    ),
  );
  return { plain, rounded, least: Math.max(...buffers.map((b) => (b.offset ?? 0) + b.bytes)) };
}
