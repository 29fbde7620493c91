import { describe, expect, it } from 'vitest';
import { partAt, seriesParts } from '../../src/order/parts.ts';
import { prepare } from '../../src/order/prepare.ts';
import type { OrderProblem } from '../../src/order/types.ts';
import { createWalk, profileOf } from '../../src/order/walk.ts';
import { randomProblem } from '../support/order-problems.ts';

/** Steps by what they wait for. */
function waiting(...after: readonly (readonly number[])[]): OrderProblem {
  const steps = after.map((list) => ({ after: list, extraBytes: 0, overwrites: [] }));
  return { steps, values: [], baseBytes: 0, startBytes: 0 };
}

describe('seriesParts', () => {
  const ROWS: readonly (readonly [string, OrderProblem, readonly (readonly number[])[]])[] = [
    ['a chain', waiting([], [0], [1]), [[0], [1], [2]]],
    ['a diamond', waiting([], [0], [0], [1, 2]), [[0], [1, 2], [3]]],
    ['a chain with a link over it', waiting([], [0], [1], [0, 2]), [[0], [1], [2], [3]]],
    ['two beginnings', waiting([], [], [0, 1], [2]), [[0, 1], [2], [3]]],
    ['two ends', waiting([], [0], [0]), [[0], [1, 2]]],
    ['a step that nothing waits for', waiting([], [0], [0], [2]), [[0], [1, 2, 3]]],
    ['a late step that waits for nothing', waiting([], [0], [], [1, 2]), [[0, 1, 2], [3]]],
    ['no steps', waiting(), []],
  ];

  it.each(ROWS)('%s', (_, problem, parts) => {
    expect(seriesParts(problem)).toEqual(parts);
  });

  it('cuts at exactly the steps that come before or after each other one (300 random problems)', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const problem = randomProblem(seed, 12);
      const before = problem.steps.map(() => new Set<number>());
      problem.steps.forEach(({ after }, step) => {
        for (const other of after) for (const s of [other, ...before[other]!]) before[step]!.add(s);
      });
      const alone = [...problem.steps.keys()].filter((step) =>
        problem.steps.every(
          (_, other) => other === step || before[step]!.has(other) || before[other]!.has(step),
        ),
      );
      const parts = seriesParts(problem);
      expect(parts.flat()).toEqual([...problem.steps.keys()]);
      for (const step of alone) expect(parts, `seed ${seed}`).toContainEqual([step]);
      const inParts = parts.filter(({ length }) => length === 1).flat();
      expect(inParts.length).toBeGreaterThanOrEqual(alone.length);
    }
  });
});

describe('partAt', () => {
  it('needs at each step what the whole needs (300 random problems, cut anywhere)', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const problem = randomProblem(seed, 14);
      const prepared = prepare(problem);
      const order = [...problem.steps.keys()];
      const whole = profileOf(prepared, order);
      const start = seed % order.length;
      const size = 1 + (seed % 5);
      const walk = createWalk(prepared);
      for (const step of order.slice(0, start)) walk.take(step);
      const part = prepare(partAt(walk, order.slice(start, start + size)));
      expect(profileOf(part, [...part.problem.steps.keys()]), `seed ${seed}`).toEqual(
        whole.slice(start, start + size),
      );
    }
  });
});
