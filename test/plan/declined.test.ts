import { expect, it } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import type { Plan, PlanDeclined } from '../../src/plan/types.ts';
import { declinedText } from '../../src/report/declined.ts';
import { explainTensor } from '../../src/report/explain.ts';
import { plain } from '../../src/report/paint.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { mismatches } from '../support/json-schema.ts';
import { planSketch } from '../support/planned.ts';

/** While `view` shows the bytes of `t` nothing may be written over them. */
const SKETCH: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [64], t: [64], view: [64], over: [64], y: [64] },
  nodes: ['Conv x -> t', 'Identity t -> view', 'Relu t -> over', 'Conv view over -> y'],
};
const plan = planSketch(SKETCH);
const blocked: PlanDeclined = {
  ...{ model: 0, tensor: 'over', source: 't', how: 'in-place', blocker: 'view', peakBytes: null },
};
const changed = (more: Partial<PlanDeclined>): Plan => ({ ...plan, declined: [{ ...blocked, ...more }] });
const saidOf = (given: Plan): string => declinedText(given, plain, 100).split('\n').slice(1).join('\n');

it('a plan says which ways to share it declined, and reads them back', () => {
  expect(plan.declined).toEqual([blocked]);
  expect(mismatches('plan.schema.json', JSON.parse(JSON.stringify(plan)))).toEqual([]);
  expect(parsePlan(JSON.stringify(plan)).declined).toEqual([blocked]);
});

it('says nothing where nothing was declined', () => {
  const { declined } = planSketch({ ...SKETCH, nodes: ['Conv x -> t', 'Relu t -> over', 'Conv over -> y'] });
  expect(declined).toBeUndefined();
  expect(declinedText({ ...plan, declined: [] }, plain, 100)).toBe('');
});

it('gives the reason with its figures', () => {
  expect(saidOf(plan)).toBe('  over in place over t: view lies in the same bytes and is still needed\n');
  const none = { blocker: null };
  expect(saidOf(changed({ ...none, how: 'view' }))).toBe(
    '  over as a view of t: what else shares these bytes forbids it\n',
  );
  // The peak is step 3: view, over and y, 256 bytes each.
  expect(saidOf(changed({ ...none, how: 'elided', peakBytes: 768 }))).toBe(
    '  over without a copy in t: it would not lower the peak of 768 bytes\n',
  );
  expect(saidOf(changed({ ...none, peakBytes: 1024 }))).toBe(
    '  over in place over t: it would raise the peak to 1,024 bytes\n',
  );
});

it('is part of the explanation of a tensor', () => {
  const why = (given: Plan) => explainTensor(given, 'over').sharesNot;
  expect(why(changed({ blocker: null, peakBytes: 1024 }))).toEqual([
    { name: 't', why: 'it would raise the peak to 1,024 bytes' },
  ]);
  expect(why(plan)).toEqual([{ name: 't', why: expect.stringContaining('view') }]);
});
