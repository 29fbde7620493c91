import { describe, expect, it } from 'vitest';
import { beamOrder } from '../../src/order/beam.ts';
import { greedyOrder } from '../../src/order/greedy.ts';
import { prepare } from '../../src/order/prepare.ts';
import { createSearch } from '../../src/order/search.ts';
import { orderSteps } from '../../src/order/solve.ts';
import type { OrderProblem } from '../../src/order/types.ts';
import { type Direction, peakOf } from '../../src/order/walk.ts';
import { improveByWindows } from '../../src/order/windows.ts';
import {
  isExecutable,
  plainPeak,
  problemOf,
  randomProblem,
  smallestPeak,
} from '../support/order-problems.ts';

const DIRECTIONS: readonly Direction[] = ['forward', 'backward'];
const givenOrder = ({ steps }: OrderProblem): number[] => [...steps.keys()];

describe('orderSteps', () => {
  it('finds the smallest peak of all orders (2000 random problems with in-place writes)', () => {
    let gains = 0;
    let tried = 0;
    for (let seed = 1; tried < 2000; seed++) {
      const problem = randomProblem(seed, 8);
      const best = smallestPeak(problem, 3000);
      if (best === undefined) continue;
      tried++;
      const { order, peak, givenPeak, lowerBound } = orderSteps(problem);
      expect(isExecutable(problem, order), `seed ${seed}`).toBe(true);
      expect({ peak, lowerBound, real: plainPeak(problem, order) }, `seed ${seed}`).toEqual({
        peak: best,
        lowerBound: best,
        real: best,
      });
      expect(givenPeak, `seed ${seed}`).toBe(plainPeak(problem, givenOrder(problem)));
      if (best < givenPeak) gains++;
    }
    // A test in which the order given is always the best would show nothing.
    expect(gains).toBeGreaterThan(500);
  });

  it('runs one branch to its end before it starts the next', () => {
    const problem = problemOf(
      { x: 64, big1: 1024, big2: 1024, s1: 16, s2: 16, y: 16 },
      [
        [['x'], ['big1']],
        [['x'], ['big2']],
        [['big1'], ['s1']],
        [['big2'], ['s2']],
        [['s1', 's2'], ['y']],
      ],
      ['y'],
    );
    // As given: x, big1 and big2. Better: x, s1 and big2 at the second big one.
    expect(orderSteps(problem)).toMatchObject({ givenPeak: 2112, peak: 1104, lowerBound: 1104, only: false });
  });

  it('says of a chain that there is no other order, without a search', () => {
    const problem = problemOf(
      { x: 8, a: 32, b: 16, y: 4 },
      [
        [['x'], ['a']],
        [['x', 'a'], ['b']],
        [['b'], ['y']],
      ],
      ['y'],
    );
    expect(orderSteps(problem)).toEqual({
      order: [0, 1, 2],
      peak: 56,
      givenPeak: 56,
      lowerBound: 56,
      only: true,
      moves: 0,
    });
  });

  it('keeps the order given where no other is better', () => {
    const problem = problemOf(
      { x: 8, a: 4, b: 4, y: 4 },
      [
        [['x'], ['b']],
        [['x'], ['a']],
        [['a', 'b'], ['y']],
      ],
      ['y'],
    );
    expect(orderSteps(problem)).toMatchObject({ order: [0, 1, 2], peak: 16, lowerBound: 16, only: false });
  });

  it('is content with an order that is good enough', () => {
    const problem = randomProblem(4, 8);
    const { givenPeak, peak } = orderSteps(problem);
    expect(peak).toBeLessThan(givenPeak);
    expect(orderSteps(problem, { enough: givenPeak })).toMatchObject({ peak: givenPeak, moves: 0 });
  });

  it('looks for nothing where no order can be worth it', () => {
    const problem = randomProblem(4, 8);
    const { givenPeak, peak, lowerBound } = orderSteps(problem);
    expect([peak, peak < givenPeak]).toEqual([lowerBound, true]);
    const share = peak / givenPeak;
    expect(orderSteps(problem, { worth: share + 0.01 }).peak).toBe(peak);
    const answer = orderSteps(problem, { worth: share });
    expect(answer).toMatchObject({ order: problem.steps.map((_, step) => step), peak: givenPeak });
    expect(answer.lowerBound).toBeLessThanOrEqual(peak);
  });

  it('answers the same again, and within its budget even when that is nothing', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = randomProblem(seed, 60);
      for (const moves of [0, 300, 20_000]) {
        const answer = orderSteps(problem, { moves });
        expect(orderSteps(problem, { moves }), `seed ${seed}`).toEqual(answer);
        expect(isExecutable(problem, answer.order), `seed ${seed}`).toBe(true);
        expect(answer.peak, `seed ${seed}`).toBe(plainPeak(problem, answer.order));
        expect(answer.peak).toBeLessThanOrEqual(answer.givenPeak);
        expect(answer.peak).toBeGreaterThanOrEqual(answer.lowerBound);
      }
    }
  });

  it('plans nothing for no steps', () => {
    const problem = { steps: [], values: [], baseBytes: 5, startBytes: 0 };
    expect(orderSteps(problem)).toMatchObject({ order: [], peak: 0, lowerBound: 0, only: true });
  });
});

describe('the search', () => {
  it('finds the same peak from both ends (60 problems of up to 40 steps)', () => {
    let compared = 0;
    for (let seed = 1; compared < 60; seed++) {
      const problem = { ...randomProblem(seed, 40), startBytes: 0 };
      const searches = DIRECTIONS.map((direction) => createSearch(prepare(problem), direction, 0));
      for (const search of searches) search.advance(400_000, Number.POSITIVE_INFINITY);
      if (!searches.every((search) => search.finished())) continue;
      compared++;
      const peaks = searches.map((search) => plainPeak(problem, search.order()!));
      expect(peaks[0], `seed ${seed}`).toBe(peaks[1]);
      expect(searches.map((search) => search.lowerBound())).toEqual(peaks);
    }
  });

  it('refutes what does not exist, and says no more than it has shown when it is stopped', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const problem = { ...randomProblem(seed, 7), startBytes: 0 };
      const best = smallestPeak(problem, 3000);
      if (best === undefined) continue;
      for (const direction of DIRECTIONS) {
        const refuted = createSearch(prepare(problem), direction, 0);
        refuted.advance(Number.POSITIVE_INFINITY, best);
        expect([refuted.finished(), refuted.order(), refuted.lowerBound()]).toEqual([true, undefined, best]);
        const stopped = createSearch(prepare(problem), direction, 0);
        stopped.advance(12, Number.POSITIVE_INFINITY);
        expect(stopped.lowerBound(), `seed ${seed}`).toBeLessThanOrEqual(best);
      }
    }
  });
});

describe('orders without proof', () => {
  const problems = [3, 5, 8, 13, 21].map((seed) => randomProblem(seed, 80));

  it.each(DIRECTIONS)('greedy and beam, %s: executable, and what they say they need', (direction) => {
    for (const problem of problems) {
      const prepared = prepare(problem);
      const { order: greedy } = greedyOrder(prepared, direction, 1e6);
      expect(isExecutable(problem, greedy)).toBe(true);
      const ceiling = peakOf(prepared, greedy) + 1;
      const { order: beam } = beamOrder(prepared, direction, { width: 8, ceiling, moves: 1e7 });
      if (beam === undefined) continue;
      expect(isExecutable(problem, beam)).toBe(true);
      expect(plainPeak(problem, beam)).toBeLessThan(ceiling);
    }
  });

  it('windows: lower the peak and keep the order executable', () => {
    let lowered = 0;
    for (const problem of problems) {
      const prepared = prepare(problem);
      const given = givenOrder(problem);
      const { order } = improveByWindows(prepared, given, 0, { moves: 1e6 });
      expect(isExecutable(problem, order)).toBe(true);
      expect(plainPeak(problem, order)).toBeLessThanOrEqual(plainPeak(problem, given));
      if (plainPeak(problem, order) < plainPeak(problem, given)) lowered++;
    }
    expect(lowered).toBeGreaterThan(0);
  });
});
