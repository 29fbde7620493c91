/** The independent checker on fused plans: clean as they are, and each planted fault is found. */
import { expect, it } from 'vitest';
import type { Plan, PlanStep } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { planFused } from '../support/fused.ts';
import { sealed } from '../support/planned.ts';
import { qdqModel, type Scale } from '../support/qdq.ts';

const S: Scale = { scale: 0.5 };

/** x -> Conv with Relu -> Add with x -> y, all on integers of one size. */
function planned(): Plan {
  const m = qdqModel();
  m.dequantise(m.input('x', 'int8', [1, 4, 8, 8]), S);
  m.run('Conv', ['x_f', m.weight('w', [4, 4, 1, 1], { scale: 0.1 })], 'c');
  m.run('Relu', ['c'], 'r');
  m.run('Add', [m.dequantise(m.quantise('r', S), S), 'x_f'], 'y');
  m.output(m.quantise('y', S));
  return planFused(m.spec());
}

const plan = planned();

const withStep = (index: number, change: Partial<PlanStep>): Plan =>
  sealed({ ...plan, steps: plan.steps.map((step, i) => (i === index ? { ...step, ...change } : step)) });
const textsOf = (changed: Plan): string =>
  verifyPlan(changed)
    .map(({ text }) => text)
    .join('\n');

it('is clean, with the Add in place and the Conv apart', () => {
  expect(verifyPlan(plan)).toEqual([]);
  expect(plan.steps.map(({ op }) => op)).toEqual(['Conv', 'Add']);
  expect(plan.tensors.map(({ name, how }) => [name, how])).toEqual([
    ['x', 'own'],
    ['r_q', 'own'],
    ['y_q', 'in-place'],
  ]);
});

it('finds a Conv that writes over its input, whatever is fused with it', () => {
  expect(textsOf(withStep(1, { op: 'Conv', fused: ['y', 'y_q'] }))).toBe(
    'Step 1 (Conv y) writes y_q over its operand, which this operator does not allow.',
  );
});

it('finds a read that the fused step forgets', () => {
  expect(textsOf(withStep(1, { reads: ['r_q'] }))).toMatch(/Tensor x lives until before step 2/);
});

it('finds a step that does not do its own work', () => {
  expect(textsOf(withStep(0, { fused: ['x_f', 'r'] }))).toBe(
    'Step 0 does the work of x_f, r, but not that of c.',
  );
});
