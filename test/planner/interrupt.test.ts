/** A search that is ended early: the plan holds, and nothing is claimed that the whole search would refute. */
import { describe, expect, test } from 'vitest';
import { prepare } from '../../src/planner/prepare.ts';
import { strategies } from '../../src/planner/registry.ts';
import { solve } from '../../src/planner/solve.ts';
import { breadth } from '../../src/planner/strategies/breadth.ts';
import { size } from '../../src/planner/strategies/size.ts';
import { start } from '../../src/planner/strategies/start.ts';
import type { Placement } from '../../src/planner/strategy.ts';
import { treeFit } from '../../src/planner/tree-fit.ts';
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

/** Lists that first fit goes through by lists of pairs, and by a walk. */
const LISTS = {
  'gaps and overlaps': randomProblem(3, {
    buffers: 600,
    steps: 90,
    mostBytes: 900,
    gaps: 0.2,
    overlaps: 0.1,
  }),
  'many overlaps': randomProblem(5, { buffers: 600, steps: 20, mostBytes: 900, alignments: [1, 16, 48] }),
};

describe.each(Object.entries(LISTS))('%s', (_, problem) => {
  const prepared = prepare(problem);
  const some = size.place(prepared, {}) as Placement;

  test.each(strategies.map((strategy) => [strategy.name, strategy] as const))(
    '%s ends with nothing less than a whole plan',
    (__, strategy) => {
      if (strategy.work(prepared) > 1e9) return;
      const options = { effort: 2000, interrupted: () => true };
      for (const incumbent of [undefined, some.offsets]) {
        const ended = strategy.place(prepared, options, incumbent);
        if ('refused' in ended) continue;
        expect(verifyPacking(problem, Array.from(ended.offsets))).toEqual([]);
      }
    },
  );

  test.each([
    ['size', size],
    ['breadth', breadth],
    ['start', start],
  ] as const)('%s leaves off in the middle of the list', (__, strategy) => {
    let asked = 0;
    const counted = { interrupted: () => ++asked > 1 };
    expect(strategy.place(prepared, counted, some.offsets)).toMatchObject({
      refused: 'it was ended before it had placed every buffer',
    });
    expect(asked).toBe(2);
    const whole = strategy.place(prepared, { interrupted: () => false }, some.offsets);
    expect(whole).toEqual(strategy.place(prepared, {}));
  });
});

test('the tree that very long lists ask leaves off as well', () => {
  const prepared = prepare(LISTS['many overlaps']);
  const order = Int32Array.from({ length: prepared.count }, (_, i) => i);
  let placed = 0;
  const offsets = treeFit(prepared, order, () => placed++ === 300);
  const whole = treeFit(prepared, order, () => false);
  expect(placed).toBe(301);
  expect(offsets.subarray(0, 300)).toEqual(whole.subarray(0, 300));
  expect(offsets.subarray(300)).not.toEqual(whole.subarray(300));
});

test.each([0, 0.01])('who wants an end before there is a plan gets a quick one, with pins: %f', (pins) => {
  const problem = randomProblem(6, { buffers: 400, steps: 1200, mostBytes: 900, alignments: [1, 48], pins });
  for (const strategy of ['auto', 'size', 'breadth']) {
    const ended = solve(problem, { strategy, observe: () => true });
    expect(verifyPacking(problem, ended.offsets)).toEqual([]);
    if (strategy !== 'auto') expect(ended.strategy).toBe(pins === 0 ? 'sweep' : 'size');
  }
});

test('the search ends soon after it is told to', () => {
  const problem = randomProblem(7, { buffers: 200, steps: 60, mostBytes: 997, alignments: [1, 32, 48] });
  const { nodes } = solve(problem, { strategy: 'exact', effort: 1e12, observe: () => true });
  expect(nodes).toBeLessThanOrEqual(1000);
});
