/** Every real model of the corpus with every kernel library: planned where it is planned without one, and sound. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
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

const LIBRARIES: readonly Partial<PlanRequest>[] = [
  { kernels: 'reference' },
  { kernels: 'reference', layout: 'nhwc' },
  { kernels: 'cmsis-nn', kernelsVersion: '5', kernelsBuild: 'mve' },
  { kernels: 'cmsis-nn', kernelsVersion: '7', kernelsBuild: 'dsp' },
  { kernels: 'tflm', kernelsVersion: 'reference' },
  { kernels: 'tflm', kernelsVersion: 'cmsis-nn', kernelsBuild: 'mve', trustUnproved: true },
  { kernels: 'xnnpack', target: 'cortex-a53' },
  { kernels: 'xnnpack', target: 'cortex-a53', trustUnproved: true, guard: 64 },
  { kernels: 'im2col', kernelsVersion: 'tile=32' },
];

/** The plan, which the checker has passed, or the code with which the model is refused. */
function planOf(request: Partial<PlanRequest>): Plan | string {
  try {
    return planModel(requestOf({ target: 'cortex-m7', strategy: 'size', ...request })).plan;
  } catch (error) {
    if (error instanceof MemplanError) return error.code;
    throw error;
  }
}

function bindingsOf(path: string, file: string): Bindings {
  try {
    const { graph } = readModel(path);
    const recorded = recordedBindings(folder!, file.slice(0, -'.onnx'.length), graph);
    if (recorded !== undefined) return recorded;
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
  }
  return { ...NO_BINDINGS, all: 1 };
}

it.each(models)('%s', (file) => {
  const path = join(folder!, 'data', 'models', file);
  const request = { models: [path], bindings: bindingsOf(path, file) };
  const bare = planOf(request);
  for (const library of LIBRARIES) {
    const plan = planOf({ ...request, fuse: 'none', ...library });
    const name = JSON.stringify(library);
    if (typeof bare === 'string' || typeof plan === 'string') {
      expect(plan, name).toBe(bare);
      continue;
    }
    const scratch = plan.tensors.filter(({ role }) => role === 'scratch');
    expect(plan.tensors.length - scratch.length, name).toBe(bare.tensors.length);
    expect(
      scratch.every(({ first, end }) => end === first + 1),
      name,
    ).toBe(true);
    // Scratch is never shared, and what is not known is listed.
    expect(new Set(scratch.map(({ buffer }) => buffer)).size, name).toBe(scratch.length);
    expect(plan.totals.complete, name).toBe(!plan.diagnostics.some(({ code }) => code === 'W_SCRATCH'));
  }
});
