import { describe, expect, it } from 'vitest';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';

/** Bytes: x 98,304; a 491,520; y 4. Together x and a are more than AXISRAM (524,288), each alone is not. */
const TILED: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [24576], a: [122880], y: [1] },
  nodes: ['Tile x -> a', 'ReduceMax a -> y'],
};

/** Bytes: x 40,000; hot 80,000, read three times; cold 120,000; y 4. All fit AXISRAM, two of them DTCM (131,072). */
const WARM: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [10000], hot: [20000], cold: [30000], p: [10], q: [10], y: [1] },
  nodes: ['Conv x -> hot', 'Conv hot -> p', 'Conv hot -> q', 'Conv hot q p -> cold', 'Conv cold -> y'],
};

const placesOf = (sketch: GraphSketch, options: Parameters<typeof planSketch>[1]) => {
  const plan = planSketch(sketch, options);
  expect(verifyPlan(plan)).toEqual([]);
  return { plan, places: Object.fromEntries(plan.tensors.map(({ name, region }) => [name, region])) };
};

describe('regions of a plan', () => {
  it('are others than the main one only where that is too small', () => {
    expect(placesOf(WARM, {}).plan.regions.map(({ name }) => name)).toEqual(['AXISRAM']);
    const { plan, places } = placesOf(TILED, {});
    expect(places).toEqual({ x: 'DTCM', a: 'AXISRAM', y: 'DTCM' });
    expect(plan.fits).toBe(true);
    expect(plan.totals.arenaBytes).toBe(491520 + 98304);
    expect(plan.placement?.buffers.map(({ traffic, why }) => [traffic, why])).toEqual([
      [98304, 'fastest'],
      [491520 * 2, 'size'],
      [4, 'fastest'],
    ]);
    expect(plan.regions.map(({ name, traffic }) => [name, traffic])).toEqual([
      ['AXISRAM', 983040],
      ['DTCM', 98308],
    ]);
  });

  it('take the most traffic into the fastest when asked', () => {
    const { plan, places } = placesOf(WARM, { place: 'fastest' });
    // hot is written once and read three times. cold is live with it, and DTCM too small for both.
    expect(places).toMatchObject({ hot: 'DTCM', x: 'DTCM', cold: 'AXISRAM', y: 'DTCM' });
    expect(plan.placement?.optimal).toBe(true);
    expect(plan.placement?.gains).toEqual([{ region: 'DTCM', bytes: 131072, traffic: 240000 }]);
  });

  it('are those that are named, the first one preferred', () => {
    expect(placesOf(WARM, { regions: ['SRAM1', 'AXISRAM'] }).places).toMatchObject({ cold: 'AXISRAM' });
    expect(placesOf(WARM, { regions: ['AXISRAM', 'DTCM'] }).plan.regions).toHaveLength(1);
    expect(planSketch(TILED, { regions: ['AXISRAM'] }).fits).toBe(false);
  });

  it('keep what is reserved, and say which of them were tried when nothing fits', () => {
    const reserve = new Map([
      ['DTCM', 65536],
      ['SRAM1', 131072],
      ['SRAM2', 131072],
    ]);
    const { fits, diagnostics, regions } = planSketch(TILED, { reserve });
    expect(fits).toBe(false);
    expect(regions.map(({ name }) => name)).toEqual(['AXISRAM']);
    expect(diagnostics[0]?.text).toContain(
      'Nor was a placement found over AXISRAM, DTCM, SRAM1, SRAM2, SRAM3, SRAM4',
    );
    expect(planSketch(TILED, { reserve: new Map([['DTCM', 32768]]) }).fits).toBe(true);
  });

  it('are never instruction memory, backup memory or external memory unless they are named', () => {
    const big: GraphSketch = { ...TILED, tensors: { x: [1000000], a: [10], y: [1] } };
    expect(planSketch(big, { target: 'teensy41', regions: ['OCRAM2', 'PSRAM'] }).fits).toBe(true);
    const plan = planSketch(big, { target: 'teensy41' });
    expect(plan.fits).toBe(false);
    expect(plan.diagnostics[0]?.hint).toContain('--region PSRAM');
  });
});

describe('the checker finds in a plan over several regions', () => {
  const plan = planSketch(TILED);
  const [axisram, dtcm] = plan.regions;
  const faultsOf = (changes: Partial<typeof plan>) =>
    verifyPlan(sealed({ ...plan, ...changes }))
      .map(({ text }) => text)
      .join('\n');
  const inRegion = (name: string, region: string) => ({
    buffers: plan.buffers.map((b) => (b.tensors.includes(name) ? { ...b, region } : b)),
    tensors: plan.tensors.map((t) => (t.name === name ? { ...t, region } : t)),
  });

  it.each<[string, Partial<typeof plan>, RegExp]>([
    [
      'traffic of a region that does not add up',
      { regions: [{ ...axisram!, traffic: 1 }, dtcm!] },
      /traffic of AXISRAM is stated as 1, but comes to 983040/,
    ],
    [
      'traffic of a buffer that does not add up',
      {
        placement: {
          ...plan.placement!,
          buffers: plan.placement!.buffers.map((b) => ({ ...b, traffic: 9 })),
        },
      },
      /traffic of buffer 0 is stated as 9, but comes to 98304/,
    ],
    [
      'a buffer without a reason',
      { placement: { ...plan.placement!, buffers: plan.placement!.buffers.slice(1) } },
      /does not name every buffer once/,
    ],
    ['two buffers on one byte of a region', inRegion('a', 'DTCM'), /hold the same byte at step 0/],
    [
      'a region that is too small',
      { regions: [axisram!, { ...dtcm!, capacity: 98303 }] },
      /said to fit, but exceeds DTCM/,
    ],
    ['a region that is not there', inRegion('x', 'SRAM9'), /lies in no region/],
    [
      'regions on the same addresses',
      { regions: [axisram!, { ...dtcm!, origin: axisram!.origin! + 1024 }] },
      /AXISRAM and DTCM share addresses/,
    ],
    [
      'tensors at address 0',
      { regions: [{ ...axisram!, origin: 0 }, dtcm!] },
      /AXISRAM begins at address 0, and nothing keeps tensors from it/,
    ],
  ])('%s', (_, changes, text) => {
    expect(faultsOf({})).toBe('');
    expect(faultsOf(changes)).toMatch(text);
  });
});
