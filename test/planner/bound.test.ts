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
  const cases: readonly [string, readonly Buffer[], number, number][] = [
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
});
