import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { checkProblem } from '../../src/planner/check.ts';
import type { Buffer } from '../../src/planner/types.ts';

describe('refused problems', () => {
  const base: Buffer = { id: 'a', first: 0, end: 2, bytes: 8, alignment: 4 };
  const cases: readonly [string, readonly Buffer[], RegExp][] = [
    ['an empty range', [{ ...base, end: 0 }], /'a': its live range \[0, 0\)/],
    ['a fraction', [{ ...base, bytes: 1.5 }], /'a': its size 1\.5/],
    ['alignment 0', [{ ...base, alignment: 0 }], /'a': its alignment 0/],
    ['a pin off its alignment', [{ ...base, offset: 6 }], /pinned at 6.*multiple of its alignment 4/],
    ['a gap outside', [{ ...base, gaps: [{ first: 0, end: 3, from: 0, to: 4 }] }], /reaches beyond it/],
    [
      'an overlap with nobody',
      [{ ...base, mayOverlap: [{ buffer: 3, distance: 1 }] }],
      /overlap with buffer 3/,
    ],
    [
      'pins on shared bytes',
      [
        { ...base, offset: 0 },
        { ...base, id: 'b', offset: 4 },
      ],
      /'a' at 0 and 'b' at 4/,
    ],
    [
      'more than 2^53 bytes',
      [
        { ...base, bytes: 2 ** 53 - 1 },
        { ...base, id: 'b', bytes: 8 },
      ],
      /beyond 2\^53/,
    ],
  ];
  it.each(cases)('%s', (_, list, message) => {
    expect(() => checkProblem({ buffers: list })).toThrow(message);
    expect(() => checkProblem({ buffers: list })).toThrow(MemplanError);
  });

  it('accepts pins that share bytes at different times or at a permitted distance', () => {
    const apart = { ...base, offset: 0 };
    const later: Buffer = { ...base, id: 'b', first: 2, end: 4, offset: 4 };
    const near: Buffer = { ...base, id: 'b', offset: 4, mayOverlap: [{ buffer: 0, distance: 4 }] };
    checkProblem({ buffers: [apart, later] });
    checkProblem({ buffers: [apart, near] });
  });
});
