import { describe, expect, it } from 'vitest';
import { attempts, RULES } from '../../src/planner/exact/attempts.ts';
import { createDecider } from '../../src/planner/exact/decide.ts';
import { createDisjunctive } from '../../src/planner/exact/disjunctive.ts';
import { buildInstance, type Instance, timeParts } from '../../src/planner/exact/instance.ts';
import { createSearch } from '../../src/planner/exact/search.ts';
import { prepare } from '../../src/planner/prepare.ts';
import type { Buffer, Problem } from '../../src/planner/types.ts';
import { faults, smallest } from './support/oracle.ts';
import { randomProblem, type Shape } from './support/random-problem.ts';

function buffer(first: number, end: number, bytes: number, more: Partial<Buffer> = {}): Buffer {
  return { id: `${first}-${end}-${bytes}`, first, end, bytes, alignment: 1, ...more };
}

function instanceOf(...buffers: readonly Buffer[]): Instance | undefined {
  const prepared = prepare({ buffers });
  return buildInstance(prepared, Int32Array.from(buffers.keys()));
}

/** The smallest capacity, in bytes, that the canonical search does not refute. */
function optimum(instance: Instance): number {
  const { decide } = createDecider(instance);
  for (let capacity = 0; ; capacity += instance.scale) {
    const { verdict } = decide(capacity, 1e6);
    if (verdict !== 'refuted') return verdict === 'found' ? capacity : Number.NaN;
  }
}

describe('where a rule has to change', () => {
  it('counts less than the size where a partial overlap is permitted', () => {
    // 10 and 10 at distance 3 take 13. Sections that added up sizes would refute everything below 20.
    const instance = instanceOf(
      buffer(0, 1, 10),
      buffer(0, 1, 10, { mayOverlap: [{ buffer: 0, distance: 3 }] }),
    )!;
    expect(Array.from(instance.weight)).toEqual([3, 10]);
    expect(optimum(instance)).toBe(13);
  });

  it('leaves overlaps that reach below their partner to the disjunctive search', () => {
    // At distance -2 both "above" and "below" can be true at one offset: there is no order of offsets to search along.
    const low = buffer(0, 1, 10);
    const free = buffer(0, 1, 4, { mayOverlap: [{ buffer: 0, distance: -2 }] });
    expect(instanceOf(low, free)).toBeUndefined();
    expect(instanceOf(low, buffer(0, 1, 4, { mayOverlap: [{ buffer: 0, distance: 0 }] }))).toBeUndefined();
  });

  it('leaves gaps with room inside to the disjunctive search', () => {
    // The small one lies inside the gap, above the offset of the large one that rests on it: 12, not 16.
    const holed = buffer(0, 3, 12, { gaps: [{ first: 1, end: 2, from: 0, to: 8 }] });
    const floor = buffer(1, 2, 4);
    const inside = buffer(1, 2, 4);
    expect(instanceOf(holed, floor, inside)).toBeUndefined();
    const problem = { buffers: [holed, floor, inside] };
    expect(smallest(problem)).toBe(12);
    const { decider } = createDisjunctive(prepare(problem), Int32Array.of(0, 1, 2));
    expect([decider.decide(11, 1000).verdict, decider.decide(12, 1000).verdict]).toEqual([
      'refuted',
      'found',
    ]);
  });

  it('keeps a gap of the whole buffer in the canonical search: there are simply fewer pairs', () => {
    const absent = buffer(0, 3, 12, { gaps: [{ first: 1, end: 2, from: 0, to: 12 }] });
    expect(optimum(instanceOf(absent, buffer(1, 2, 9), buffer(2, 3, 2))!)).toBe(14);
  });

  it('passes over pins instead of resting on them alone', () => {
    // 3 fits below the pin at 4, 5 does not and goes above it: 4 + 4 + 5.
    const pin = buffer(0, 1, 4, { offset: 4 });
    expect(optimum(instanceOf(pin, buffer(0, 1, 3))!)).toBe(8);
    expect(optimum(instanceOf(pin, buffer(0, 1, 5))!)).toBe(13);
  });

  it('does not lift a pinned buffer', () => {
    // The pin leaves 2 below: with 3 and 4 both above it the arena is 2 + 2 + 3 + 4.
    const pin = buffer(0, 1, 2, { offset: 2 });
    expect(optimum(instanceOf(pin, buffer(0, 1, 3), buffer(0, 1, 4))!)).toBe(11);
  });

  it('divides by what alignments and sizes have in common, not by that of the sizes', () => {
    const at16 = (bytes: number): Buffer => buffer(0, 1, bytes, { alignment: 16 });
    const instance = instanceOf(at16(10), at16(10), at16(30))!;
    expect(instance.scale).toBe(2);
    expect(optimum(instance)).toBe(62 - 4);
  });
});

describe('every rule, order and restart', () => {
  const shapes: Readonly<Record<string, Shape>> = {
    filled: { buffers: 4, steps: 6, mostBytes: 4, filled: true },
    aligned: { buffers: 6, steps: 6, mostBytes: 5, alignments: [1, 2, 4] },
    pins: { buffers: 6, steps: 6, mostBytes: 4, pins: 0.3 },
    overlaps: { buffers: 6, steps: 6, mostBytes: 5, overlaps: 0.4 },
  };
  it.each(Object.entries(shapes))('gives the verdict of trying every offset: %s', (_, shape) => {
    let searched = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const problem = randomProblem(seed, shape);
      const prepared = prepare(problem);
      for (const ids of timeParts(prepared)) {
        const instance = buildInstance(prepared, ids);
        if (instance === undefined) continue;
        const part: Problem = {
          buffers: Array.from(ids, (id) => ({
            ...problem.buffers[id]!,
            mayOverlap: problem.buffers[id]!.mayOverlap?.flatMap((overlap) => {
              const partner = ids.indexOf(overlap.buffer);
              return partner < 0 ? [] : [{ ...overlap, buffer: partner }];
            }),
          })),
        };
        const best = smallest(part) / instance.scale;
        const search = createSearch(instance);
        let turns = 0;
        for (const turn of attempts(instance)) {
          if (turns++ === 25) break;
          const run = (capacity: number) => search.run({ ...turn, capacity, budget: 1e5 });
          expect(run(Math.ceil(best) - 1), `seed ${seed}, turn ${turns}`).toBe('refuted');
          expect(run(Math.ceil(best)), `seed ${seed}, turn ${turns}`).toBe('found');
          const offsets = Array.from(search.offsets, (offset) => offset * instance.scale);
          expect(faults(part, offsets), `seed ${seed}, turn ${turns}`).toEqual([]);
          searched++;
        }
      }
    }
    expect(searched).toBeGreaterThan(1000);
  });

  it('agrees with itself on larger problems whose bound cannot be reached', () => {
    let refuted = 0;
    for (let seed = 1; refuted < 25; seed++) {
      const prepared = prepare(randomProblem(seed, { buffers: 12, steps: 10, mostBytes: 6, filled: true }));
      for (const ids of timeParts(prepared)) {
        const instance = buildInstance(prepared, ids)!;
        const search = createSearch(instance);
        const capacity = Math.floor(prepared.bound.bytes / instance.scale);
        const verdicts = new Set<string>();
        let turns = 0;
        for (const turn of attempts(instance)) {
          if (turns++ === RULES.length * 5) break;
          verdicts.add(search.run({ ...turn, capacity, budget: 1e5 }));
        }
        expect(verdicts.size, `seed ${seed}: ${[...verdicts]}`).toBe(1);
        if (verdicts.has('refuted')) refuted++;
      }
    }
  });
});

it('does not nest calls: four thousand buffers in one part', () => {
  const buffers = Array.from({ length: 4000 }, (_, i) => buffer(i, i + 3, 1 + (i % 7)));
  const instance = instanceOf(...buffers)!;
  const turn = attempts(instance).next().value;
  const search = createSearch(instance);
  expect(search.run({ ...turn, capacity: 18, budget: 1e5 })).toBe('found');
  expect(search.nodes()).toBeGreaterThanOrEqual(4000);
});
