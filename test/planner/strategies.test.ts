import { describe, expect, it } from 'vitest';
import { arenaBytes } from '../../src/planner/first-fit.ts';
import { prepare } from '../../src/planner/prepare.ts';
import { strategies } from '../../src/planner/registry.ts';
import type { Problem } from '../../src/planner/types.ts';
import { faults } from './support/oracle.ts';
import { randomProblem, type Shape } from './support/random-problem.ts';

const shapes: Readonly<Record<string, Shape>> = {
  plain: { buffers: 12, steps: 10, mostBytes: 9 },
  aligned: { buffers: 10, steps: 8, mostBytes: 9, alignments: [1, 2, 4, 6] },
  pinned: { buffers: 10, steps: 8, mostBytes: 6, alignments: [1, 2], pins: 0.2 },
  everything: {
    buffers: 9,
    steps: 7,
    mostBytes: 6,
    alignments: [1, 2],
    pins: 0.15,
    gaps: 0.3,
    overlaps: 0.3,
  },
};

const edges: Readonly<Record<string, Problem>> = {
  'no buffers': { buffers: [] },
  'one buffer': { buffers: [{ id: 'a', first: 0, end: 1, bytes: 5, alignment: 8 }] },
  'empty buffers': {
    buffers: [0, 1, 2].map((i) => ({ id: `b${i}`, first: 0, end: 2, bytes: i % 2, alignment: 4 })),
  },
};

describe.each(strategies.map((strategy) => [strategy.name, strategy] as const))(
  'strategy %s',
  (name, strategy) => {
    const check = (problem: Problem, label: string): void => {
      const prepared = prepare(problem);
      const placement = strategy.place(prepared, { effort: 2000 });
      if ('refused' in placement) {
        expect(placement.refused).not.toBe('');
        return;
      }
      const offsets = Array.from(placement.offsets);
      expect(faults(problem, offsets), label).toEqual([]);
      expect(arenaBytes(prepared, offsets), label).toBeGreaterThanOrEqual(prepared.bound.bytes);
      const again = strategy.place(prepare(problem), { effort: 2000 });
      expect(again, label).toEqual(placement);
    };

    it.each(Object.entries(shapes))('gives valid, repeatable plans: %s', (_, shape) => {
      for (let seed = 1; seed <= 60; seed++) check(randomProblem(seed, shape), `${name}, seed ${seed}`);
    });

    it.each(Object.entries(edges))('handles %s', (label, problem) => check(problem, label));

    it('keeps sizes near 2^52 exact', () => {
      const sizes = [2 ** 51, 2 ** 51 + 1];
      const buffers = sizes.map((bytes, i) => ({ id: `b${i}`, first: 0, end: 2, bytes, alignment: 64 }));
      const placement = strategy.place(prepare({ buffers }), {});
      if ('refused' in placement) return;
      const [a, b] = Array.from(placement.offsets) as [number, number];
      // One lies above the other on a multiple of 64, whichever way round.
      expect(a % 64 === 0 && b % 64 === 0 && (a + sizes[0]! <= b || b + sizes[1]! <= a)).toBe(true);
    });
  },
);

it('every strategy has its own name', () => {
  const names = strategies.map((strategy) => strategy.name);
  expect(new Set(names).size).toBe(names.length);
});
