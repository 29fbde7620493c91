/** The bound of placements is what trying everything finds, where buffers of one size leave nothing to share out in parts. */
import { expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';
import { mostTraffic } from './bound.ts';

const PROBLEMS = 200;

/** The most traffic of a set of buffers that fits at every step. */
function everySet(items: readonly Parameters<typeof mostTraffic>[0][number][], room: number): number {
  let best = 0;
  for (let chosen = 0; chosen < 2 ** items.length; chosen++) {
    const inside = items.filter((_, i) => (chosen >> i) & 1);
    const live = (step: number) => inside.filter(({ first, end }) => first <= step && step < end);
    const fits = Array.from({ length: 8 }, (_, step) =>
      live(step).reduce((sum, { bytes }) => sum + bytes, 0),
    );
    if (fits.every((bytes) => bytes <= room))
      best = Math.max(
        best,
        inside.reduce((sum, { traffic }) => sum + traffic, 0),
      );
  }
  return best;
}

it('of buffers of one size', () => {
  for (let seed = 1; seed <= PROBLEMS; seed++) {
    const random = createRandom(seed);
    const items = Array.from({ length: 3 + random(8) }, () => {
      const first = random(8);
      return { first, end: first + 1 + random(8 - first), bytes: 16, most: 16, traffic: 1 + random(50) };
    });
    const room = 16 * (1 + random(3));
    const best = everySet(items, room);
    expect(mostTraffic(items, room), `seed ${seed}`).toBeCloseTo(best, 6);
  }
});

it('of buffers of any size, once all that are there in part are settled', () => {
  for (let seed = 1; seed <= PROBLEMS; seed++) {
    const random = createRandom(seed);
    const items = Array.from({ length: 3 + random(7) }, () => {
      const first = random(8);
      const bytes = 1 + random(20);
      return { first, end: first + 1 + random(8 - first), bytes, most: bytes, traffic: 1 + random(50) };
    });
    const room = 10 + random(30);
    const best = everySet(items, room);
    expect(mostTraffic(items, room), `seed ${seed}`).toBeGreaterThan(best - 1e-6);
    expect(mostTraffic(items, room, 10_000), `seed ${seed}`).toBeCloseTo(best, 6);
  }
});

it('takes a part where the whole has no room', () => {
  const item = { first: 0, end: 3, bytes: 100, most: 100, traffic: 400 };
  expect(mostTraffic([item], 25)).toBeCloseTo(100, 6);
  expect(mostTraffic([item, { ...item, bytes: 20, most: 20, traffic: 100 }], 25)).toBeCloseTo(120, 6);
});
