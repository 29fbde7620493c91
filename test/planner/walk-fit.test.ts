/** First fit by walking past the placed buffers in chunks, against looking at each of them. */
import { describe, expect, it } from 'vitest';
import { prepare } from '../../src/planner/prepare.ts';
import { neverStopped } from '../../src/planner/stopper.ts';
import { treeFit } from '../../src/planner/tree-fit.ts';
import type { Buffer } from '../../src/planner/types.ts';
import { walkFit } from '../../src/planner/walk-fit.ts';
import { createRandom } from '../support/random.ts';

const buffer = (i: number, first: number, end: number, bytes: number, alignment: number): Buffer => {
  return { id: `b${i}`, first, end, bytes, alignment };
};
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('walkFit', () => {
  it.each([1, 2, 3, 4, 5, 6])('finds the lowest place for each buffer: seed %d', (seed) => {
    const random = createRandom(seed);
    // Of long lives and short ones, so that some chunks are passed at once and others are not.
    const steps = [4, 40, 400][seed % 3]!;
    const buffers = upTo(1500).map((i) => {
      const first = random(steps);
      const end = first + 1 + random(random(4) === 0 ? 3 : steps);
      return buffer(i, first, end, random(60), [1, 4, 16][random(3)]!);
    });
    const prepared = prepare({ buffers });
    const order = Int32Array.from(upTo(buffers.length));
    expect(walkFit(prepared, order, neverStopped)).toEqual(treeFit(prepared, order, neverStopped));
  });

  it('passes a stack of buffers that live at once, and goes into the holes that are wide enough', () => {
    const count = 40_000;
    const stack = upTo(count).map((i) => buffer(i, 0, 2, i === count / 2 ? 12 : 20, 16));
    const small = buffer(count, 1, 3, 12, 4);
    const early = buffer(count + 1, 0, 1, 13, 4);
    const prepared = prepare({ buffers: [...stack, small, early] });
    const offsets = walkFit(prepared, Int32Array.from(upTo(count + 2)), neverStopped);
    // 20 bytes every 32, but where 12 lie in 16.
    const end = 32 * (count - 1) + 16;
    expect(offsets[1]).toBe(32);
    expect(offsets[count - 1]).toBe(end - 32);
    expect(offsets[count]).toBe(20);
    expect(offsets[count + 1]).toBe(end - 12);
  });
});
