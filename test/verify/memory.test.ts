import { describe, expect, it } from 'vitest';
import { createMemory } from '../../src/verify/memory.ts';
import { createRandom } from '../support/random.ts';

describe('memory with owners', () => {
  it('agrees with a table of single bytes (300 random histories)', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = createRandom(seed);
      const memory = createMemory();
      const bytes = new Array<string | null>(24).fill(null);
      for (let turn = 0; turn < 30; turn++) {
        const from = random(20);
        const to = from + random(5);
        const owner = 'abc'[random(3)]!;
        if (random(2) === 0) {
          memory.take(from, to, owner);
          bytes.fill(owner, from, to);
        } else {
          const stranger = bytes.slice(from, to).find((held) => held !== owner);
          expect(memory.intruder(from, to, owner), `seed ${seed}, turn ${turn}`).toBe(stranger);
        }
      }
    }
  });
});
