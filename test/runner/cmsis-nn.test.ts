/** Runners that call CMSIS-NN give the bytes of the integer model, with a stand-in for the library, under the sanitizers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { KernelBuild } from '../../src/target/types.ts';
import { prepareCmsis, standIn } from '../support/cmsis-nn.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, inferOnHost, wrong } from '../support/inference.ts';
import { type ModelSpec, model } from '../support/onnx.ts';
import { rounds } from '../support/rounds.ts';
import { missing } from '../support/tools.ts';
import { cmsisCases } from './cmsis-nn/cases.ts';
import { NETWORK, TWIN } from './cmsis-nn/network.ts';
import { exampleModel, WAYS } from './examples.ts';
import { modelOf } from './operators.ts';

const RUNS = 10;
const BUILDS = ['scalar', 'dsp', 'mve'] as const;

describe.skipIf(missing('gcc') !== undefined)('with a stand-in for the library', () => {
  it.each(BUILDS)('single operators, %s', async (build) => {
    const dir = emptyFolder();
    const path = join(dir, 'model.onnx');
    writeFileSync(path, model(modelOf({ opset: 13, cases: cmsisCases({ seed: 1, version: 7 }) })));
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

  it.each(WAYS.slice(0, rounds(WAYS.length, 1)))('the int8 keyword spotter, %s', (_, way) =>
    runSpotter('dsp', way),
  );
  it.each(BUILDS)('the int8 keyword spotter, %s', (build) => runSpotter(build, {}));
});

describe.skipIf(missing('gcc') !== undefined)('a network with a step for each function', () => {
  const saved = (dir: string, name: string, spec: ModelSpec) => {
    const path = join(dir, `${name}.onnx`);
    writeFileSync(path, model(spec));
    return path;
  };

  it.each([
    ['QLinear operators', NETWORK, 'flash'],
    ['DequantizeLinear and QuantizeLinear', TWIN, 'ram'],
    ['QLinear operators, whose weights are brought', NETWORK, 'stage'],
  ] as const)('%s', async (_, spec, weights) => {
    const dir = emptyFolder();
    const request = { kernelsBuild: 'dsp', weights } as const;
    const path = saved(dir, 'model', spec);
    const oracle = saved(dir, 'oracle', NETWORK);
    const { emitted, expected } = prepareCmsis(dir, path, RUNS, request, standIn('dsp'), oracle);
    const functions = ['conv', 'depthwise', 'dense', 'average_pool', 'max_pool', 'softmax', 'add', 'mul'];
    const text = readFileSync(join(dir, 'tensor_memory_pool_runner.c'), 'utf8');
    expect([...text.matchAll(/refused \|= memplan_arm_(\w+)\(/g)].map(([, name]) => name).sort()).toEqual(
      functions.sort(),
    );
    const checked = { ...emitted, defines: [...emitted.defines, '-DNET_CHECK'] };
    expect(await inferOnHost(checked, RUNS)).toMatchObject({ status: 0 });
    expect(wrong(differences(emitted, expected))).toEqual([]);
  });

  it('its C is as it was', async () => {
    const dir = emptyFolder();
    prepareCmsis(dir, saved(dir, 'model', NETWORK), 1, { kernelsBuild: 'dsp', target: 'cortex-m7' }, []);
    for (const name of ['tensor_memory_pool_runner.c', 'tensor_memory_pool_runner.h']) {
      await expect(readFileSync(join(dir, name), 'utf8')).toMatchFileSnapshot(`cmsis-nn/golden/${name}`);
    }
  });

  /** The plan with one tensor on another that is alive with it, in all files. */
  async function planted(moved: string, onto: string) {
    const dir = emptyFolder();
    const path = saved(dir, 'model', NETWORK);
    const { emitted, expected } = prepareCmsis(dir, path, 1, { kernelsBuild: 'dsp' }, standIn('dsp'));
    const tensor = (name: string) => emitted.planned.plan.tensors.find((one) => one.name === name)!;
    for (const name of ['tensor_memory_pool.h', 'tensor_memory_pool.c']) {
      const file = join(dir, name);
      const before = readFileSync(file, 'utf8');
      const macro = `NET_T_${tensor(moved).c}_OFFSET`;
      const after = before.replace(new RegExp(`(${macro} (?:!= )?)\\d+u`, 'g'), `$1${tensor(onto).offset}u`);
      expect(after).not.toBe(before);
      writeFileSync(file, after);
    }
    const finished = await inferOnHost({ ...emitted, defines: ['-DNET_CHECK'] }, 1, ['-O1']);
    return { ...finished, wrong: finished.status === 0 ? wrong(differences(emitted, expected)) : [] };
  }

  it.each([
    ['scratch on an operand of its step', 'a.scratch', 'x', 0],
    ['a result on a tensor that is needed later', 'a', 'x', 0],
  ])('the check build finds %s', async (_, moved, onto, step) => {
    const { status, output } = await planted(moved, onto);
    expect({ status, output }).toMatchObject({
      status: 3,
      output: expect.stringContaining(`step ${step}\n`),
    });
  });

  it('a result on an operand that its kernel still reads is wrong', async () => {
    const { status, wrong: found } = await planted('d', 's');
    expect(status).toBe(0);
    expect(found.map(({ output }) => output)).toEqual(['y']);
  });

  it('a library that asks for more memory than the plan holds is refused', async () => {
    const dir = emptyFolder();
    const path = saved(dir, 'model', NETWORK);
    const request = { kernelsBuild: 'dsp', scratch: new Map([['a', 100]]) } as const;
    const { emitted } = prepareCmsis(dir, path, 1, request, standIn('dsp'));
    expect((await inferOnHost(emitted, 1)).status).toBe(4);
  });

  it('another build of the library does not compile', async () => {
    const dir = emptyFolder();
    const path = saved(dir, 'model', NETWORK);
    const { emitted } = prepareCmsis(dir, path, 1, { kernelsBuild: 'dsp' }, standIn('mve'));
    expect(await inferOnHost(emitted, 1)).toMatchObject({
      status: 256,
      output: expect.stringContaining('another build of CMSIS-NN'),
    });
  });
});
