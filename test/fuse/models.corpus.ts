/** Every real model of the corpus with everything fused: the checker passes the plan, and its steps do what they claim. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { replayFaults } from '../support/fused.ts';
import { requestOf } from '../support/planned.ts';
import { recordedBindings } from '../support/truth.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

const models =
  folder === undefined
    ? []
    : readdirSync(join(folder, 'data', 'models'))
        .filter((file) => file.endsWith('.onnx'))
        .sort();

/** The code with which the model is refused, or undefined. */
function refusal(plan: () => unknown): string | undefined {
  try {
    plan();
    return undefined;
  } catch (error) {
    if (error instanceof MemplanError) return error.code;
    throw error;
  }
}

it.each(models)('%s', (file) => {
  const path = join(folder!, 'data', 'models', file);
  const request = (bindings: Bindings): Partial<PlanRequest> => ({
    models: [path],
    target: 'cortex-m7',
    kernels: 'none',
    bindings,
  });
  let bindings: Bindings = { ...NO_BINDINGS, all: 1 };
  const plain = refusal(() => {
    const { graph } = readModel(path);
    bindings = recordedBindings(folder!, file.slice(0, -'.onnx'.length), graph) ?? bindings;
    planModel(requestOf(request(bindings)));
  });
  const fused = refusal(() => planModel(requestOf({ ...request(bindings), fuse: 'default' })));
  expect(fused).toBe(plain);
  if (plain !== undefined) return;

  const { plan } = planModel(requestOf({ ...request(bindings), fuse: 'default' }));
  expect(verifyPlan(plan)).toEqual([]);
  expect(replayFaults(inferShapes(readModel(path).graph, bindings).graph, plan)).toEqual([]);
  expect(plan.steps.length).toBeLessThanOrEqual(plan.fusion!.unfused.steps);
  expect(plan.totals.arenaBytes).toBeLessThanOrEqual(plan.fusion!.unfused.arenaBytes);
});
