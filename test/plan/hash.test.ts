/** The hash of a plan, against SHA-256 over JSON with sorted keys written out by the test. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { planHash } from '../../src/plan/hash.ts';
import type { Plan } from '../../src/plan/types.ts';
import { EVERY_TYPE, EVERYDAY, NOTHING } from '../support/sample-plans.ts';

/** A copy whose objects all have their keys in the order that `compare` wants. */
function ordered(value: unknown, compare: (a: string, b: string) => number): unknown {
  if (Array.isArray(value)) return value.map((part) => ordered(part, compare));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(fields.map(([key, part]) => [key, ordered(part, compare)]));
}

const rising = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function independentHash(plan: Plan): string {
  const { schema, models, target, assumptions, steps, tensors, buffers, constants } = plan;
  const regions = plan.regions.map(
    ({ lowerBound: _, optimal: __, strategy: ___, peak: ____, ...rest }) => rest,
  );
  const content = { schema, models, target, assumptions, steps, tensors, buffers, regions, constants };
  return createHash('sha256')
    .update(JSON.stringify(ordered(content, rising)))
    .digest('hex');
}

it.each([
  ['everyday', EVERYDAY],
  ['every type', EVERY_TYPE],
  ['nothing', NOTHING],
])('%s', (_, plan) => {
  expect(planHash(plan)).toBe(independentHash(plan));
});

it('does not depend on the order of the keys', () => {
  const turned = ordered(EVERYDAY, (a, b) => rising(b, a)) as Plan;
  expect(Object.keys(turned)).not.toEqual(Object.keys(EVERYDAY));
  expect(planHash(turned)).toBe(planHash(EVERYDAY));
});
