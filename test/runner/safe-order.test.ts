import { describe, expect, it } from 'vitest';
import { type Bytes, inSafeOrder } from '../../src/runner/safe-order.ts';
import { createRandom } from '../support/random.ts';

const at = (from: number, to = from + 4, memory = 'ram'): Bytes => ({ memory, from, to });
const copy = (name: string, source: Bytes | undefined, target: Bytes) => ({ name, source, target });
const names = (copies: Parameters<typeof inSafeOrder<ReturnType<typeof copy>>>[0]) =>
  inSafeOrder(copies)?.map(({ name }) => name);

describe('copies', () => {
  it('stay in their order where none writes over another', () => {
    expect(names([])).toEqual([]);
    expect(names([copy('a', at(0), at(8)), copy('b', at(4), at(12)), copy('c', undefined, at(16))])).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('wait for those that read what they write over', () => {
    const shift = [copy('a', at(4), at(0)), copy('b', at(8), at(4)), copy('c', at(12), at(8))];
    expect(names(shift)).toEqual(['a', 'b', 'c']);
    expect(names(shift.toReversed())).toEqual(['a', 'b', 'c']);
    // A byte is enough, and what only touches, or lies elsewhere at the same place, is none.
    expect(names([copy('a', at(20), at(0)), copy('b', at(3), at(30))])).toEqual(['b', 'a']);
    expect(names([copy('a', at(20), at(0)), copy('b', at(4), at(30))])).toEqual(['a', 'b']);
    expect(names([copy('a', at(20), at(4)), copy('b', at(0), at(30))])).toEqual(['a', 'b']);
    expect(names([copy('a', at(20), at(0)), copy('b', at(0, 4, 'other'), at(30))])).toEqual(['a', 'b']);
  });

  it('may write over what they read themselves', () => {
    expect(names([copy('a', at(2), at(0))])).toEqual(['a']);
  });

  it('that wait for each other have no order', () => {
    expect(names([copy('a', at(4), at(0)), copy('b', at(0), at(4))])).toBeUndefined();
    const ring = [
      copy('a', at(4), at(0)),
      copy('b', at(8), at(4)),
      copy('c', at(0), at(8)),
      copy('d', at(0), at(12)),
    ];
    expect(names(ring)).toBeUndefined();
  });

  it('leave the values that all at once would leave', () => {
    const SEED = 4711;
    const random = createRandom(SEED);
    let found = 0;
    for (let round = 0; round < 2000; round++) {
      const cells = 8;
      const targets = Array.from({ length: cells }, (_, i) => i).filter(() => random(2) === 0);
      const copies = targets.map((to, i) => {
        const from = random(cells);
        return copy(`${i}`, at(from, from + 1), at(to, to + 1));
      });
      const ordered = inSafeOrder(copies);
      const before = Array.from({ length: cells }, (_, i) => i);
      const wanted = [...before];
      for (const { source, target } of copies) wanted[target.from] = before[source!.from]!;
      if (ordered === undefined) continue;
      found++;
      const memory = [...before];
      for (const { source, target } of ordered) memory[target.from] = memory[source!.from]!;
      expect(memory, `seed ${SEED}, round ${round}`).toEqual(wanted);
    }
    expect(found).toBeGreaterThan(500);
  });
});
