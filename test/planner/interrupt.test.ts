/** A search that is ended early: the plan holds, and nothing is claimed that the whole search would refute. */
import { describe, expect, test } from 'vitest';
import { solve } from '../../src/planner/solve.ts';
import { verifyPacking } from '../../src/verify/packing.ts';
import { randomProblem } from './support/random-problem.ts';

describe.each([
  ['plain', {}],
  ['pins', { pins: 0.1 }],
  ['gaps and overlaps', { gaps: 0.2, overlaps: 0.1 }],
])('%s', (_, more) => {
  const shape = { buffers: 60, steps: 30, mostBytes: 900, alignments: [1, 16, 48], ...more };
  test.each([1, 2, 3, 4])('seed %i', (seed) => {
    const problem = randomProblem(seed, shape);
    const whole = solve(problem, { effort: 3000 });
    for (const polls of [0, 1, 2, 5, 20]) {
      let asked = 0;
      const seen: number[] = [];
      const ended = solve(problem, {
        effort: 3000,
        observe: ({ bytes, lowerBound }) => {
          if (bytes < lowerBound) throw new Error('a plan below the bound');
          seen.push(bytes);
          return ++asked > polls;
        },
      });
      expect(verifyPacking(problem, ended.offsets)).toEqual([]);
      expect(ended.bytes).toBeGreaterThanOrEqual(whole.lowerBound);
      expect(ended.lowerBound).toBeLessThanOrEqual(whole.bytes);
      expect(asked).toBeLessThanOrEqual(polls + 1);
      expect(seen).toEqual([...seen].sort((a, b) => b - a));
    }
  });

  test('looking on changes nothing', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const problem = randomProblem(seed, shape);
      const options = { effort: 3000 };
      expect(solve(problem, { ...options, observe: () => false })).toEqual(solve(problem, options));
    }
  });
});

test('the search ends soon after it is told to', () => {
  const problem = randomProblem(7, { buffers: 200, steps: 60, mostBytes: 997, alignments: [1, 32, 48] });
  const { nodes } = solve(problem, { strategy: 'exact', effort: 1e12, observe: () => true });
  expect(nodes).toBeLessThanOrEqual(1000);
});
