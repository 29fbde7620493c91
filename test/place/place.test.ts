import { describe, expect, it } from 'vitest';
import { createPacker } from '../../src/place/packer.ts';
import { filled, place } from '../../src/place/place.ts';
import type { PlaceableBuffer, PlaceProblem } from '../../src/place/types.ts';
import { createRandom } from '../support/random.ts';
import { canPack, leastCost } from './brute.ts';

const PROBLEMS = 200;

/** Up to eight buffers in two or three memories that are too small for all of them. */
function randomProblem(seed: number): PlaceProblem {
  const random = createRandom(seed);
  const steps = 4 + random(6);
  const buffers = Array.from({ length: 4 + random(5) }, (_, id): PlaceableBuffer => {
    const first = random(steps);
    const end = first + 1 + random(Math.min(5, steps - first));
    const bytes = 8 * (1 + random(12));
    const alignment = [1, 8, 16][random(3)]!;
    return { id: String(id), first, end, bytes, alignment, traffic: bytes * (1 + random(6)) };
  });
  const most = Math.max(...buffers.map(({ bytes }) => bytes));
  const memories = Array.from({ length: 2 + random(2) }, (_, index) => ({
    name: `M${index}`,
    room: index === 0 ? most + 8 * random(12) : 8 * (4 + random(16)),
    rank: index === 0 ? 1 : random(4),
  }));
  return { buffers, memories };
}

describe('placement over several memories', () => {
  const rows = Array.from({ length: PROBLEMS }, (_, index) => {
    const problem = randomProblem(index + 1);
    return { seed: index + 1, problem, least: leastCost(problem), placed: place(problem) };
  });

  it(`costs what the cheapest costs, on ${PROBLEMS} random problems against trying everything`, () => {
    let solved = 0;
    for (const { seed, placed, least } of rows) {
      expect(placed?.cost ?? Number.POSITIVE_INFINITY, `seed ${seed}`).toBe(least);
      if (placed === undefined) continue;
      expect(placed.proved, `seed ${seed}`).toBe(true);
      solved++;
    }
    expect(solved).toBeGreaterThan(PROBLEMS / 2);
  });

  it('is at most 2 % above the optimum without the exact search, summed over the problems', () => {
    let [greedy, optimum] = [0, 0];
    for (const { problem, least } of rows) {
      if (least === Number.POSITIVE_INFINITY) continue;
      const cost = filled(problem, createPacker(problem, 1000))?.cost;
      if (cost === undefined) continue;
      [greedy, optimum] = [greedy + cost, optimum + least];
    }
    expect(greedy / optimum).toBeLessThan(1.02);
  });

  it('ends when it is told to, with a placement wherever there is one, and claims no proof', () => {
    for (const { seed, problem, least } of rows) {
      let asked = 0;
      const ended = place(problem, { interrupted: () => ++asked > 0 });
      // It gives up looking no sooner than it has one.
      expect(ended === undefined, `seed ${seed}`).toBe(least === Number.POSITIVE_INFINITY);
      if (ended === undefined) continue;
      expect(ended.cost, `seed ${seed}`).toBeGreaterThanOrEqual(least);
      if (ended.proved) expect(ended.cost, `seed ${seed}`).toBe(least);
      for (const { memory, buffers, solution } of ended.parts) {
        buffers.forEach((id, i) => {
          const end = solution.offsets[i]! + problem.buffers[id]!.bytes;
          expect(end, `seed ${seed}`).toBeLessThanOrEqual(problem.memories[memory]!.room);
        });
      }
    }
    const hard = rows.filter(({ problem, least }) => {
      const ended = place(problem, { interrupted: () => true });
      return ended !== undefined && ended.cost > least;
    });
    // Else nothing was ended.
    expect(hard.length).toBeGreaterThan(0);
  });

  it('is not changed by somebody who looks on', () => {
    for (const { seed, problem, placed } of rows) {
      expect(place(problem, { interrupted: () => false }), `seed ${seed}`).toEqual(placed);
    }
  });

  it('keeps every memory within its room', () => {
    for (const { seed, problem, placed } of rows) {
      for (const { memory, buffers, solution } of placed?.parts ?? []) {
        const { room } = problem.memories[memory]!;
        buffers.forEach((id, index) => {
          const { bytes, alignment } = problem.buffers[id]!;
          const offset = solution.offsets[index]!;
          expect(offset % alignment, `seed ${seed}`).toBe(0);
          expect(offset + bytes, `seed ${seed}`).toBeLessThanOrEqual(room);
        });
        expect(
          canPack(
            buffers.map((id) => problem.buffers[id]!),
            room,
          ),
          `seed ${seed}`,
        ).toBe(true);
      }
    }
  });
});
