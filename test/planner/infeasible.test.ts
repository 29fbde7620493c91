import { describe, expect, it } from 'vitest';
import { infeasibleSet } from '../../src/planner/infeasible.ts';
import type { Problem } from '../../src/planner/types.ts';
import { fits } from './support/oracle.ts';
import { randomProblem } from './support/random-problem.ts';

function buffers(...rows: readonly (readonly [first: number, end: number, bytes: number])[]): Problem {
  return {
    buffers: rows.map(([first, end, bytes], i) => ({ id: `b${i}`, first, end, bytes, alignment: 1 })),
  };
}

describe('why nothing fits', () => {
  it('names the buffers of the step that is too full, and no more than it takes', () => {
    const problem = buffers([0, 1, 9], [2, 5, 4], [3, 6, 5], [4, 5, 1], [7, 9, 9]);
    // Step 4 holds 4 + 5 + 1.
    expect(infeasibleSet(problem, 8)).toMatchObject({ buffers: [1, 2], byBound: true, irreducible: true });
    expect(infeasibleSet(problem, 9)).toMatchObject({ buffers: [1, 2, 3], byBound: true, irreducible: true });
    expect(infeasibleSet(problem, 10)).toBeUndefined();
  });

  it('finds that all of InfeasibleTricky is needed although no step is too full', () => {
    const tricky = buffers([0, 1, 3], [0, 3, 1], [4, 5, 3], [2, 5, 1], [1, 2, 2], [3, 4, 2], [1, 4, 1]);
    expect(infeasibleSet(tricky, 4)).toMatchObject({
      buffers: [0, 1, 2, 3, 4, 5, 6],
      byBound: false,
      irreducible: true,
    });
  });

  it('leaves out what has no part in it', () => {
    const tricky = buffers([0, 1, 3], [0, 3, 1], [4, 5, 3], [2, 5, 1], [1, 2, 2], [3, 4, 2], [1, 4, 1]);
    const more = buffers([8, 9, 4], [5, 6, 1], [6, 9, 0]);
    expect(infeasibleSet({ buffers: [...more.buffers, ...tricky.buffers] }, 4)!.buffers).toEqual([
      3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  it('gives up with undefined when the effort is too small to know', () => {
    const tricky = buffers([0, 1, 3], [0, 3, 1], [4, 5, 3], [2, 5, 1], [1, 2, 2], [3, 4, 2], [1, 4, 1]);
    expect(infeasibleSet(tricky, 4, 1)).toBeUndefined();
  });

  it('is irreducible by the definition: every offset of every buffer', () => {
    let shown = 0;
    for (let seed = 1; shown < 60; seed++) {
      const problem = randomProblem(seed, {
        buffers: 6,
        steps: 5,
        mostBytes: 4,
        alignments: [1, 2],
        gaps: 0.2,
        overlaps: 0.2,
      });
      const capacity = 7;
      const set = infeasibleSet(problem, capacity);
      if (fits(problem, capacity)) {
        expect(set, `seed ${seed}`).toBeUndefined();
        continue;
      }
      shown++;
      const without = (drop: number | undefined): Problem => {
        // Dropped buffers shrink to nothing, so that the indexes of overlaps stay true.
        const kept = new Set(set!.buffers.filter((i) => i !== drop));
        return {
          buffers: problem.buffers.map((b, i) =>
            kept.has(i) ? b : { ...b, bytes: 0, gaps: [], mayOverlap: [] },
          ),
        };
      };
      expect(fits(without(undefined), capacity), `seed ${seed}`).toBe(false);
      for (const i of set!.buffers)
        expect(fits(without(i), capacity), `seed ${seed} without ${i}`).toBe(true);
    }
  });
});
