import { describe, expect, it } from 'vitest';
import { leastBytes, leastPeak } from '../../src/order/bound.ts';
import { prepare } from '../../src/order/prepare.ts';
import type { OrderProblem, OrderStep } from '../../src/order/types.ts';
import { plainPeak, problemOf, randomProblem, smallestPeak } from '../support/order-problems.ts';

const least = (problem: OrderProblem): readonly number[] => [...leastBytes(prepare(problem))];

/** The same by the meaning of the words: sets of steps instead of bits, one value after another. */
function plainLeast({ steps, values, baseBytes }: OrderProblem): readonly number[] {
  const earlier: Set<number>[] = [];
  // Steps stand behind what they wait for.
  for (const { after } of steps) earlier.push(new Set(after.flatMap((one) => [one, ...earlier[one]!])));
  return steps.map(({ extraBytes, overwrites }, step) => {
    const waits = values.filter(
      ({ producer, readers, survives }) =>
        (producer < 0 || earlier[step]!.has(producer)) &&
        (survives || readers.some((reader) => reader === step || earlier[reader]!.has(step))),
    );
    const made = values.filter(({ producer }) => producer === step);
    const spared = overwrites
      .filter(({ over }) =>
        over.every((one) => {
          const { survives, readers } = values[one]!;
          return !survives && !readers.some((reader) => earlier[reader]!.has(step));
        }),
      )
      .map(({ bytes }) => bytes);
    const sum = [...waits, ...made].reduce((bytes, one) => bytes + one.bytes, 0);
    return baseBytes + extraBytes + sum - Math.max(0, ...spared);
  });
}

/** x is read again after b: it lies beside a and b whenever b runs. */
const BESIDE = problemOf(
  { x: 8, a: 32, b: 16, y: 4 },
  [
    [['x'], ['a']],
    [['a'], ['b']],
    [['b', 'x'], ['y']],
  ],
  ['y'],
);

describe('what every order needs at a step', () => {
  it('is what it makes, and what waits beside it in every order', () => {
    expect(least(BESIDE)).toEqual([40, 56, 28]);
    expect(leastPeak(prepare(BESIDE))).toBe(56);
    expect(leastPeak(prepare({ ...BESIDE, steps: [], values: [] }))).toBe(0);
  });

  it('is less by the most that it may write in place, once what it writes over may be gone', () => {
    const overwriting = (step: number, ...ways: OrderStep['overwrites']): readonly number[] => {
      const steps = BESIDE.steps.map((one, at) => (at === step ? { ...one, overwrites: ways } : one));
      return least({ ...BESIDE, steps });
    };
    const [a, x] = [1, 0];
    expect(overwriting(1, { over: [a], bytes: 16 })).toEqual([40, 40, 28]);
    expect(
      overwriting(1, { over: [a], bytes: 4 }, { over: [a], bytes: 12 }, { over: [a], bytes: 7 }),
    ).toEqual([40, 44, 28]);
    // x is read after it.
    expect(overwriting(1, { over: [x], bytes: 16 })).toEqual([40, 56, 28]);
    expect(overwriting(1, { over: [a, x], bytes: 16 })).toEqual([40, 56, 28]);
    expect(overwriting(2, { over: [2, x], bytes: 4 })).toEqual([40, 56, 24]);
    const kept = BESIDE.values.map((one, at) => (at === a ? { ...one, survives: true } : one));
    const steps = BESIDE.steps.map((one, at) => {
      return at === 1 ? { ...one, overwrites: [{ over: [a], bytes: 16 }] } : one;
    });
    expect(least({ ...BESIDE, steps, values: kept })).toEqual([40, 56, 28 + 32]);
  });

  it('is what the words mean, for few steps and for many', () => {
    for (let seed = 1; seed <= 90; seed++) {
      const problem = randomProblem(seed, seed % 3 === 0 ? 70 : 12);
      expect(least(problem), `seed ${seed}`).toEqual(plainLeast(problem));
    }
  });

  it('is never more than the best order needs', () => {
    let reached = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const problem = randomProblem(seed, 7);
      const best = smallestPeak(problem, 3000);
      if (best === undefined) continue;
      const bound = leastPeak(prepare(problem));
      expect(bound, `seed ${seed}`).toBeLessThanOrEqual(best);
      if (bound === best) reached++;
    }
    expect(reached).toBeGreaterThan(40);
  });

  it('is what the step reads and makes alone where there are very many steps', () => {
    /** x is read by the first step and the last; each step reads what the one before it made. */
    const chain = (count: number): OrderProblem => ({
      steps: Array.from({ length: count }, (_, step) => ({
        after: step === 0 ? [] : [step - 1],
        extraBytes: 0,
        overwrites: step === 1 ? [{ over: [1], bytes: 2 }] : [],
      })),
      values: [
        { bytes: 100, producer: -1, readers: [0, count - 1], survives: false },
        ...Array.from({ length: count }, (_, step) => ({
          bytes: 2,
          producer: step,
          readers: step === count - 1 ? [] : [step + 1],
          survives: step === count - 1,
        })),
      ],
      baseBytes: 1,
      startBytes: 0,
    });
    const given = (count: number) => {
      const steps = least(chain(count));
      return [steps.length, ...steps.slice(0, 3), ...steps.slice(-2)];
    };
    expect(given(4096)).toEqual([4096, 103, 103, 105, 105, 105]);
    // x is not known to wait beside the steps between; what is written over may be gone.
    expect(given(4097)).toEqual([4097, 103, 3, 5, 5, 105]);
    expect(plainPeak(chain(8), [...chain(8).steps.keys()])).toBe(105);
  });
});
