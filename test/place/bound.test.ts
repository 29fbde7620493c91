/** The bound of placements is what trying everything finds, where buffers of one size leave nothing to share out in parts. */
import { expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';
import { mostTraffic } from './bound.ts';

const PROBLEMS = 200;

it('of buffers of one size', () => {
  for (let seed = 1; seed <= PROBLEMS; seed++) {
    const random = createRandom(seed);
    const items = Array.from({ length: 3 + random(8) }, () => {
      const first = random(8);
      return { first, end: first + 1 + random(8 - first), bytes: 16, most: 16, traffic: 1 + random(50) };
    });
    const room = 16 * (1 + random(3));
    let best = 0;
    for (let chosen = 0; chosen < 2 ** items.length; chosen++) {
      const inside = items.filter((_, i) => (chosen >> i) & 1);
      const fits = Array.from({ length: 8 }, (_, step) => step).every(
        (step) => 16 * inside.filter(({ first, end }) => first <= step && step < end).length <= room,
      );
      if (fits)
        best = Math.max(
          best,
          inside.reduce((sum, { traffic }) => sum + traffic, 0),
        );
    }
    expect(mostTraffic(items, room), `seed ${seed}`).toBeCloseTo(best, 6);
  }
});

it('takes a part where the whole has no room', () => {
  const item = { first: 0, end: 3, bytes: 100, most: 100, traffic: 400 };
  expect(mostTraffic([item], 25)).toBeCloseTo(100, 6);
  expect(mostTraffic([item, { ...item, bytes: 20, most: 20, traffic: 100 }], 25)).toBeCloseTo(120, 6);
});
