/** Runners that call CMSIS-NN give the bytes of the integer model, with a stand-in for the library, under the sanitizers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { KernelBuild } from '../../src/target/types.ts';
import { prepareCmsis, standIn, turnOracle } from '../support/cmsis-nn.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { model } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { cmsisCases } from './cmsis-nn/cases.ts';
import { exampleModel, WAYS } from './examples.ts';
import { FAMILIES, modelOf, rangesOf } from './operators.ts';

const RUNS = 10;
const BUILDS = ['scalar', 'dsp', 'mve'] as const;

describe.skipIf(missing('gcc') !== undefined)('with a stand-in for the library', () => {
  it.each(BUILDS)('single operators, %s', async (build) => {
    const dir = emptyFolder();
    const path = join(dir, 'model.onnx');
    writeFileSync(path, model(modelOf({ opset: 13, cases: cmsisCases({ seed: 1, grouped: true }) })));
    const request = { kernelsBuild: build, strategy: 'size' } as const;
    const { emitted, expected } = prepareCmsis(dir, path, RUNS, request, standIn(build));
    const { status, output } = await inferOnHost(emitted, RUNS);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(wrong(differences(emitted, expected))).toEqual([]);
  });

  async function runSpotter(build: KernelBuild, way: Partial<PlanRequest>) {
    const dir = emptyFolder();
    const path = exampleModel('kws-int8', dir);
    const { emitted, expected } = prepareCmsis(
      dir,
      path,
      RUNS,
      { kernelsBuild: build, ...way },
      standIn(build),
    );
    const used = emitted.planned.plan.totals.arenaBytes;
    const { status, output } = await inferOnHost(emitted, RUNS);
    expect({ status, output }).toEqual({ status: 0, output: `touched ${used}\nused ${used}\n` });
    expect(wrong(differences(emitted, expected))).toEqual([]);
  }

  it.each(WAYS)('the int8 keyword spotter, %s', (_, way) => runSpotter('dsp', way));
  it.each(BUILDS)('the int8 keyword spotter, %s', (build) => runSpotter(build, {}));
});

/** Without what CMSIS-NN computes, with its own rounding. */
const LEFT = FAMILIES.map((family) => ({
  ...family,
  cases: family.cases.filter(({ op, inputs }) => !/^Q(Linear|Gemm)/.test(op) || inputs[0]?.type !== 'int8'),
}));
const oracle = hasOracle();

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `reference kernels with channels last, beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
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
