import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { planModel } from '../../src/pipeline.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { requestOf } from '../support/planned.ts';

const folder = corpus();
const reason = folder === undefined ? ` (${CORPUS_MISSING})` : '';

describe.skipIf(folder === undefined)(`the order in a plan${reason}`, () => {
  const planned = (schedule: 'model' | 'min-peak', align = 16) =>
    planModel(requestOf({ models: [join(folder!, 'data/cases/order_matters.onnx')], schedule, align }));

  it('is the one that is planned for: in the steps, the sizes and the header', () => {
    const { plan, target } = planned('min-peak');
    const order = ['matmul_big1', 'matmul_s1', 'matmul_big2', 'matmul_s2', 'add_y'];
    expect(plan.steps.map(({ step, node }) => `${step} ${node}`)).toEqual(
      order.map((node, i) => `${i} ${node}`),
    );
    expect(plan.totals).toMatchObject({ arenaBytes: 1104, lowerBoundBytes: 1104, optimal: true });
    expect(plan.assumptions.schedule).toBe('min-peak');
    const header = renderFiles(plan, target, {})[0]!.text;
    const listed = header.slice(header.indexOf('Order of steps')).match(/^ \* +\d+ +\w+/gm);
    expect(listed?.map((line) => line.trim().split(/\s+/).slice(1).join(' '))).toEqual(
      order.map((node, i) => `${i} ${node}`),
    );
  });

  it('saves 1008 of 2112 bytes at every alignment', () => {
    for (const align of [1, 4, 8, 16]) {
      expect(planned('model', align).plan.totals.arenaBytes).toBe(2112);
      expect(planned('min-peak', align).plan.totals.arenaBytes).toBe(1104);
    }
  });
});
