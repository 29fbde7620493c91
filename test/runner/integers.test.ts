/** Every operator that becomes one step on integers computes what onnxruntime does between the floats, bit for bit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMON_FUSIONS } from '../../src/kernels/fusions.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle } from '../support/inference.ts';
import { model } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { INTEGER_CASES, integerModel } from './integers.ts';

const RUNS = 10;
const oracle = hasOracle();

it('every operator with an integer form is tried', () => {
  const tried = new Set(INTEGER_CASES.map(({ op }) => op));
  expect(COMMON_FUSIONS.integer.operators.filter(({ op }) => !tried.has(op))).toEqual([]);
});

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `steps on integers beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    it('uint8 and int8', { timeout: 300_000 }, async () => {
      const dir = emptyFolder();
      const path = join(dir, 'model.onnx');
      writeFileSync(path, model(integerModel(INTEGER_CASES)));
      const emitted = emitRunner(dir, { models: [path], strategy: 'size', fuse: 'default' });
      const { steps } = emitted.planned.plan;
      expect(steps.filter(({ op }) => op.endsWith('quantizeLinear'))).toEqual([]);
      expect(steps.length).toBe(2 * INTEGER_CASES.length);
      const expected = runOracle(emitted, path, RUNS);
      const { status, output } = await inferOnHost(emitted, RUNS);
      expect({ status, output }).toMatchObject({ status: 0 });
      expect(differences(emitted, expected).filter(({ count }) => count > 0)).toEqual([]);
    });
  },
);
