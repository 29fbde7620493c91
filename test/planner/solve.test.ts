import { describe, expect, it } from 'vitest';
import { solve } from '../../src/planner/solve.ts';
import type { Problem } from '../../src/planner/types.ts';
import { faults, fits } from './support/oracle.ts';
import { randomProblem, type Shape } from './support/random-problem.ts';

function buffers(...rows: readonly (readonly [first: number, end: number, bytes: number])[]): Problem {
  return {
    buffers: rows.map(([first, end, bytes], i) => ({ id: `b${i}`, first, end, bytes, alignment: 1 })),
  };
}

describe('published problems', () => {
  const cases: readonly [string, Problem, number, 'bound' | 'exhausted'][] = [
    ['chain 80/64/96/112', buffers([0, 2, 80], [1, 3, 64], [2, 4, 96], [3, 5, 112]), 208, 'bound'],
    [
      'chain 5/3/2/4, where size order gives 10',
      buffers([0, 2, 5], [1, 3, 3], [2, 4, 2], [3, 5, 4]),
      8,
      'bound',
    ],
    // minimalloc's InfeasibleTricky: the bound is 4 and no plan of 4 exists.
    [
      'InfeasibleTricky',
      buffers([0, 1, 3], [0, 3, 1], [4, 5, 3], [2, 5, 1], [1, 2, 2], [3, 4, 2], [1, 4, 1]),
      5,
      'exhausted',
    ],
    // Vela's ten buffers, where every one-pass order gives 220192 or more.
    [
      'Vela simple',
      buffers(
        [0, 24, 131072],
        [4, 6, 65568],
        [4, 10, 8192],
        [8, 31, 15360],
        [10, 12, 65568],
        [10, 16, 4096],
        [16, 18, 65552],
        [16, 22, 2048],
        [22, 24, 32784],
        [22, 28, 1024],
      ),
      216096,
      'bound',
    ],
  ];
  it.each(cases)('%s', (_, problem, bytes, proof) => {
    expect(solve(problem)).toMatchObject({ bytes, lowerBound: bytes, optimal: true, proof });
  });
});

describe('against every offset of every buffer', () => {
  const shapes: Readonly<Record<string, Shape>> = {
    plain: { buffers: 7, steps: 6, mostBytes: 4 },
    filled: { buffers: 4, steps: 6, mostBytes: 4, filled: true },
    aligned: { buffers: 6, steps: 6, mostBytes: 5, alignments: [1, 1, 2, 4] },
    'one alignment': { buffers: 6, steps: 5, mostBytes: 5, alignments: [3] },
    pins: { buffers: 6, steps: 6, mostBytes: 4, pins: 0.3, alignments: [1, 2] },
    overlaps: { buffers: 6, steps: 6, mostBytes: 5, overlaps: 0.4 },
    gaps: { buffers: 6, steps: 6, mostBytes: 5, gaps: 0.5 },
    everything: {
      buffers: 6,
      steps: 6,
      mostBytes: 4,
      gaps: 0.3,
      overlaps: 0.3,
      pins: 0.15,
      alignments: [1, 1, 2],
    },
  };
  /** Shapes whose optimum lies above the bound so often that 500 problems show it. */
  const oftenAbove = new Set(['aligned', 'pins', 'overlaps', 'gaps', 'everything']);
  it.each(Object.entries(shapes))('%s', (name, shape) => {
    let aboveBound = 0;
    for (let seed = 1; seed <= 500; seed++) {
      const problem = randomProblem(seed, shape);
      const solution = solve(problem);
      expect(faults(problem, solution.offsets), `seed ${seed}`).toEqual([]);
      expect(fits(problem, solution.lowerBound - 1), `seed ${seed}: bound ${solution.lowerBound}`).toBe(
        false,
      );
      expect(solution.optimal, `seed ${seed}: ${solution.bytes}`).toBe(true);
      if (solution.proof === 'exhausted') aboveBound++;
    }
    if (oftenAbove.has(name)) expect(aboveBound).toBeGreaterThan(0);
  });
});

describe('options', () => {
  const tight = buffers([0, 2, 5], [1, 3, 3], [2, 4, 2], [3, 5, 4]);

  it('stops at the first plan inside the capacity', () => {
    const solution = solve(tight, { capacity: 10 });
    expect(solution.strategy).toBe('size');
    expect(solution.bytes).toBeLessThanOrEqual(10);
  });

  it('finds what only a search finds when the capacity asks for it', () => {
    expect(solve(tight, { capacity: 8 }).bytes).toBe(8);
  });

  it('proves that a capacity is too small', () => {
    const tricky = buffers([0, 1, 3], [0, 3, 1], [4, 5, 3], [2, 5, 1], [1, 2, 2], [3, 4, 2], [1, 4, 1]);
    expect(solve(tricky, { capacity: 4 }).lowerBound).toBeGreaterThan(4);
  });

  it('runs one strategy by name', () => {
    expect(solve(tight, { strategy: 'size' })).toMatchObject({
      strategy: 'size',
      bytes: 10,
      optimal: false,
      proof: null,
    });
  });

  it('says which strategies there are', () => {
    expect(() => solve(tight, { strategy: 'magic' })).toThrow(/no strategy 'magic'/);
  });

  it('gives the same answer for the same effort', () => {
    const problem = randomProblem(7, { buffers: 30, steps: 20, mostBytes: 50 });
    expect(solve(problem, { effort: 50 })).toEqual(solve(problem, { effort: 50 }));
  });
});
