/** What CMSIS-NN has no kernel for runs on reference kernels with channels last, as onnxruntime runs it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standIn, turnOracle } from '../support/cmsis-nn.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { model } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { INTEGER_CASES, integerModel } from './integers.ts';
import { FAMILIES, modelOf, rangesOf } from './operators.ts';

const RUNS = 10;

/** Without what CMSIS-NN computes, with its own rounding. */
const LEFT = FAMILIES.map((family) => ({
  ...family,
  cases: family.cases.filter(({ op, inputs }) => !/^Q(Linear|Gemm)/.test(op) || inputs[0]?.type !== 'int8'),
}));
const oracle = hasOracle();

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `reference kernels with channels last, beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    it('steps on integers of uint8', async () => {
      const dir = emptyFolder();
      const path = join(dir, 'model.onnx');
      writeFileSync(path, model(integerModel(INTEGER_CASES, ['uint8'])));
      const request = { kernels: 'cmsis-nn', fuse: 'default', strategy: 'size' } as const;
      const emitted = { ...emitRunner(dir, { models: [path], ...request }), library: standIn('dsp') };
      const expected = turnOracle(emitted, runOracle(emitted, path, RUNS));
      const { status, output } = await inferOnHost(emitted, RUNS);
      expect({ status, output }).toMatchObject({ status: 0 });
      expect(differences(emitted, expected).filter(({ count }) => count > 0)).toEqual([]);
    });

    it.each(LEFT)('$name', async (family) => {
      const dir = emptyFolder();
      const path = join(dir, 'model.onnx');
      writeFileSync(path, model(modelOf(family)));
      const request = { kernels: 'cmsis-nn', fuse: 'none', strategy: 'size' } as const;
      const emitted = {
        ...emitRunner(dir, { models: [path], ...request }),
        library: standIn('dsp'),
      };
      const expected = turnOracle(emitted, runOracle(emitted, path, RUNS, rangesOf(family)));
      const { status, output } = await inferOnHost(emitted, RUNS);
      expect({ status, output }).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });
  },
);
