import { expect, it } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import { optimalText } from '../../src/report/chart/words.ts';
import { figures } from '../../src/report/figures.ts';
import { mismatches } from '../support/json-schema.ts';
import { planSketch } from '../support/planned.ts';
import { randomJoins } from '../support/random-graphs.ts';

/** So many parts of parts that the tries for the best choice run out. */
const open = planSketch(randomJoins(2, 30), { elide: true, align: 4 });
const proved = planSketch({
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [16], a: [16], y: [16] },
  nodes: ['Conv x -> a', 'Relu a -> y'],
});

it('a plan says when its choice of what shares bytes is not proved, and reads it back', () => {
  const [sharing] = open.sharing!;
  expect(sharing!.model).toBe(0);
  expect(sharing!.leastBytes).toBeLessThan(sharing!.peakBytes);
  expect(sharing!.peakBytes).toBeLessThanOrEqual(open.totals.arenaBytes);
  expect(mismatches('plan.schema.json', JSON.parse(JSON.stringify(open)))).toEqual([]);
  expect(parsePlan(JSON.stringify(open)).sharing).toEqual(open.sharing);
});

it('a plan says nothing where no choice has a smaller peak', () => {
  expect(proved.sharing).toBeUndefined();
  expect(figures(proved).some(({ label }) => label.startsWith('other sharing'))).toBe(false);
  expect(optimalText(proved)).toBe('proved optimal for this order and sharing');
});

it('a report calls such a plan optimal for the sharing chosen, and says what another may need', () => {
  const sharing = [{ model: 0, peakBytes: 2000, leastBytes: 1500 }];
  const plan = { ...proved, sharing };
  expect(optimalText(plan)).toBe('proved optimal for this order and the sharing chosen');
  expect(figures(plan).find(({ label }) => label === 'lower bound')!.remark).toBe(
    'reached: proved optimal for this order and the sharing chosen',
  );
  expect(figures(plan).find(({ label }) => label === 'other sharing')).toMatchObject({
    bytes: 1500,
    remark: 'live at the peak at least, whatever shares bytes; 2,000 as chosen',
  });
});
