/** Geometry of the drawings: outlines, supports, ticks, curves. */
import { describe, expect, test } from 'vitest';
import type { PlanBuffer } from '../../../src/plan/types.ts';
import { curvePath, stairsOf } from '../../../src/report/chart/curve.ts';
import { sceneOf } from '../../../src/report/chart/scene.ts';
import { heldBytes, piecesOf } from '../../../src/report/chart/shape.ts';
import { supports } from '../../../src/report/chart/support.ts';
import { byteTicks, stepTicks } from '../../../src/report/chart/ticks.ts';
import { liveAt } from '../../../src/report/live.ts';
import { PAGES, variedPlan } from '../../support/pages.ts';
import { createRandom } from '../../support/random.ts';
import { kws, passThrough, twoRegions } from '../samples.ts';

function buffer(change: Partial<PlanBuffer>): PlanBuffer {
  return {
    ...{ id: 0, kind: 'activation', tensors: [], bytes: 100, alignment: 1, first: 0, end: 10 },
    ...{ region: 'RAM', offset: 1000, gaps: [], mayOverlap: [], ...change },
  };
}

describe('the outline of a buffer', () => {
  test.each([
    ['without gaps is one piece', [], [[0, 10, 1000, 1100]]],
    [
      'with its upper half free for a time is three',
      [{ first: 3, end: 6, from: 50, to: 100 }],
      [
        [0, 3, 1000, 1100],
        [3, 6, 1000, 1050],
        [6, 10, 1000, 1100],
      ],
    ],
    [
      'keeps a piece that goes on while another begins to be free',
      [
        { first: 2, end: 8, from: 20, to: 40 },
        { first: 4, end: 8, from: 60, to: 100 },
      ],
      [
        [0, 2, 1000, 1100],
        [2, 8, 1000, 1020],
        [2, 4, 1040, 1100],
        [4, 8, 1040, 1060],
        [8, 10, 1000, 1100],
      ],
    ],
    [
      'has a hole where everything is free',
      [{ first: 4, end: 5, from: 0, to: 100 }],
      [
        [0, 4, 1000, 1100],
        [5, 10, 1000, 1100],
      ],
    ],
  ])('%s', (_, gaps, wanted) => {
    const pieces = piecesOf(buffer({ gaps })).map(({ first, end, from, to }) => [first, end, from, to]);
    expect([...pieces].sort()).toEqual([...wanted].sort());
  });

  test('has no piece without bytes', () => {
    expect(piecesOf(buffer({ bytes: 0 }))).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('covers exactly the bytes that are not free, seed %i', (seed) => {
    const pick = createRandom(seed);
    const gaps = Array.from({ length: pick(5) }, () => {
      const [first, from] = [pick(9), pick(19)];
      return { first, end: first + 1 + pick(10 - first), from, to: from + 1 + pick(20 - from) };
    });
    const made = buffer({ bytes: 20, offset: 0, gaps });
    const pieces = piecesOf(made);
    for (let step = 0; step < 10; step++) {
      let held = 0;
      for (let byte = 0; byte < 20; byte++) {
        const isFree = gaps.some((g) => g.first <= step && step < g.end && g.from <= byte && byte < g.to);
        const over = pieces.filter((p) => p.first <= step && step < p.end && p.from <= byte && byte < p.to);
        expect(over, `step ${step}, byte ${byte}`).toHaveLength(isFree ? 0 : 1);
        held += isFree ? 0 : 1;
      }
      expect(heldBytes(made).find(({ first, end }) => first <= step && step < end)!.bytes).toBe(held);
    }
  });
});

describe('what holds a buffer up', () => {
  test('starts where something live ends, after alignment', () => {
    const buffers = [
      buffer({ id: 0, offset: 0, bytes: 10, end: 5 }),
      buffer({ id: 1, offset: 0, bytes: 30, first: 5 }),
      buffer({ id: 2, offset: 16, bytes: 8, end: 5, alignment: 16 }),
      buffer({ id: 3, offset: 16, bytes: 8, end: 5, alignment: 4 }),
      buffer({ id: 4, offset: 32, bytes: 8, first: 6, end: 7, alignment: 32 }),
    ];
    expect(Object.fromEntries(supports(buffers))).toEqual({ 0: [], 1: [], 2: [0], 3: [], 4: [1] });
  });

  test('agrees with looking at every pair', () => {
    const { buffers } = variedPlan(400, { seed: 11 });
    const found = supports(buffers, 1000);
    for (const above of buffers) {
      const below = buffers.filter(({ id, first, end, offset, bytes }) => {
        const up = Math.ceil((offset + bytes) / above.alignment) * above.alignment;
        return (
          id !== above.id &&
          bytes > 0 &&
          above.offset > 0 &&
          up === above.offset &&
          first < above.end &&
          above.first < end
        );
      });
      expect([...found.get(above.id)!].sort()).toEqual(below.map(({ id }) => id).sort());
    }
  });
});

describe('ticks', () => {
  test.each([
    [0, 22, 8, [0, 5, 10, 15, 20]],
    [0, 9, 10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [17, 1400, 6, [500, 1000]],
    [3, 4, 6, [3, 4]],
  ])('of steps %i to %i, at most %i', (from, to, most, wanted) => {
    expect(stepTicks(from, to, most).map(({ at }) => at)).toEqual(wanted);
  });

  test.each([
    [0, 331776, 6, ['0', '64 KiB', '128 KiB', '192 KiB', '256 KiB', '320 KiB']],
    [0, 3000, 4, ['0', '1 KiB', '2 KiB']],
    [100, 130, 4, ['104', '112', '120', '128']],
    [0, 2 ** 24, 4, ['0', '4 MiB', '8 MiB', '12 MiB', '16 MiB']],
    [0, 1, 6, ['0', '1']],
  ])('of bytes %i to %i, at most about %i', (from, to, most, wanted) => {
    expect(byteTicks(from, to, most).map(({ label }) => label)).toEqual(wanted);
  });
});

describe('the curve of live bytes', () => {
  test('joins equal neighbours to one stair', () => {
    expect(stairsOf([5, 5, 0, 7])).toEqual([
      { first: 0, end: 2, bytes: 5 },
      { first: 2, end: 3, bytes: 0 },
      { first: 3, end: 4, bytes: 7 },
    ]);
    expect(curvePath([5, 5, 0, 7], String, (bytes) => String(10 - bytes))).toBe('M0 10V5H2V10H3V3H4V10Z');
  });
});

describe.each(Object.entries({ kws, twoRegions, passThrough, ...PAGES }))('the scene of %s', (_, plan) => {
  const scene = sceneOf(plan);

  test('has every buffer with bytes once, in its region', () => {
    const drawn = scene.regions.flatMap(({ region, boxes }) =>
      boxes.map((box) => [region.name, box.buffer.id]),
    );
    const wanted = plan.buffers.filter(({ bytes }) => bytes > 0).map(({ region, id }) => [region, id]);
    expect([...drawn].sort()).toEqual([...wanted].sort());
  });

  test('has the live bytes of the steps, as the peak table adds them up', () => {
    const some = plan.steps.filter(({ step }) => step % Math.ceil(plan.steps.length / 40) === 0);
    for (const { step, liveBytes } of some) {
      const sum = scene.regions.reduce((total, { live }) => total + live[step]!, 0);
      expect(sum).toBe(liveBytes);
      expect(sum).toBe(liveAt(plan, step).reduce((total, { bytes }) => total + bytes, 0));
    }
  });

  test('leaves out the smallest when there are too many', () => {
    const few = sceneOf(plan, 3);
    for (const [i, { boxes, omitted }] of few.regions.entries()) {
      expect(boxes.length).toBeLessThanOrEqual(3);
      expect(boxes.length + omitted).toBe(scene.regions[i]!.boxes.length);
    }
  });
});
