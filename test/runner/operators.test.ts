/** Every kernel computes what onnxruntime does, in runners made from models of single operators, under the sanitizers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runnableOperators } from '../../src/runner/registry.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { model } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { FAMILIES, modelOf, rangesOf } from './operators.ts';

const RUNS = 10;
const oracle = hasOracle();

/** Families of one version stand in one model: compiling takes longer than running. */
const versions = [...new Set(FAMILIES.map(({ opset }) => opset))].map((opset) => ({
  opset,
  cases: FAMILIES.filter((family) => family.opset === opset).flatMap(({ cases }) => cases),
}));

it('every operator with a kernel is tried', () => {
  const tried = versions.flatMap(({ cases }) =>
    cases.map(({ op, domain }) => (domain === '' ? op : `${domain}:${op}`)),
  );
  /** They need nothing but a copy; `Reshape` stands for them. Or the standard's operator in another domain. */
  const alike = ['Flatten', 'Squeeze', 'Unsqueeze', 'com.microsoft:Gelu', 'com.microsoft:QLinearConv'];
  const others = ['com.microsoft:QuantizeLinear', 'com.microsoft:DequantizeLinear', 'Swish'];
  /** onnxruntime has no kernel for it; between QuantizeLinears it is tried in integers.test.ts. */
  others.push('com.microsoft:QLinearReduceMean');
  expect(runnableOperators().filter((op) => ![...tried, ...alike, ...others].includes(op))).toEqual([]);
});

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `kernels beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    it.each(versions)('opset $opset', { timeout: 300_000 }, async (version) => {
      const dir = emptyFolder();
      const path = join(dir, 'model.onnx');
      writeFileSync(path, model(modelOf(version)));
      const emitted = emitRunner(dir, { models: [path], strategy: 'size' });
      const expected = runOracle(emitted, path, RUNS, rangesOf(version));
      const { status, output } = await inferOnHost(emitted, RUNS);
      expect({ status, output }).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });
  },
);
