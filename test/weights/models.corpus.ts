/** Weights of real models are copied or brought in plans that the checker takes, control flow included. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { requestOf } from '../support/planned.ts';
import { recordedBindings } from '../support/truth.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

/** Of those that can be planned at all. */
const LEAST_PLANNED = 70;
const MODELS = folder === undefined ? [] : readdirSync(join(folder, 'data', 'models'));

describe.skipIf(folder === undefined).each(['ram', 'hybrid', 'stage'] as const)('--weights %s', (weights) => {
  it('of all models', { timeout: 600_000 }, () => {
    let planned = 0;
    const faults = MODELS.filter((file) => file.endsWith('.onnx')).filter((file) => {
      const path = join(folder!, 'data', 'models', file);
      try {
        const { graph } = readModel(path);
        const bindings = recordedBindings(folder!, file.replace(/\.onnx$/, ''), graph) ?? {
          ...NO_BINDINGS,
          all: 1,
        };
        planModel(requestOf({ models: [path], target: 'cortex-m7', bindings, weights }));
        planned++;
        return false;
      } catch (error) {
        if (!(error instanceof MemplanError)) throw error;
        return error.code === 'E_INTERNAL';
      }
    });
    expect(faults).toEqual([]);
    expect(planned).toBeGreaterThanOrEqual(LEAST_PLANNED);
  });
});
