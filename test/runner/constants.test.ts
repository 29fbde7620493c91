/** Constants that nodes compute, and working memory that the plan counts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planModel } from '../../src/pipeline.ts';
import { planRequest } from '../../src/plan/request.ts';
import { renderRunner } from '../../src/runner/render.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { type ModelSpec, model, node, tensor } from '../support/onnx.ts';
import { hasOracle } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';

const SIDE = 300;
const grid = Array.from({ length: SIDE * SIDE }, (_, i) => Math.sin(i));

function saved(spec: ModelSpec): { readonly dir: string; readonly path: string } {
  const dir = emptyFolder();
  const path = join(dir, 'model.onnx');
  writeFileSync(path, model(spec));
  return { dir, path };
}

/** Too large to be evaluated when shapes are inferred: in another order, another shape, and one number repeated. */
const COMPUTED: ModelSpec = {
  inputs: { x: ['float32', [2, SIDE]] },
  outputs: ['a', 'b', 'c'],
  initializers: {
    w: tensor('float32', [SIDE, SIDE], grid),
    shape: tensor('int64', [2], [SIDE, SIDE]),
    cube: tensor('int64', [3], [3, 100, SIDE]),
  },
  nodes: [
    node('Transpose', ['w'], ['turned']),
    node('MatMul', ['x', 'turned'], ['a']),
    node('ConstantOfShape', ['shape'], ['same'], { value: { tensor: tensor('float32', [1], [0.25]) } }),
    node('MatMul', ['x', 'same'], ['b']),
    node('Reshape', ['w', 'cube'], ['w3']),
    node('Transpose', ['w3'], ['w4'], { perm: [0, 2, 1] }),
    node('MatMul', ['x', 'w4'], ['c']),
  ],
};

describe.skipIf(!hasOracle() || missing('gcc') !== undefined)('beside onnxruntime', () => {
  it('constants that nodes compute', async () => {
    const { dir, path } = saved(COMPUTED);
    const emitted = emitRunner(dir, { models: [path] });
    const expected = runOracle(emitted, path, 2);
    expect(await inferOnHost(emitted, 2)).toMatchObject({ status: 0 });
    expect(wrong(differences(emitted, expected))).toEqual([]);
  });

  const LSTM: ModelSpec = {
    inputs: { x: ['float32', [3, 1, 2]] },
    outputs: ['y'],
    initializers: {
      w: tensor('float32', [1, 16, 2], grid.slice(0, 32)),
      r: tensor('float32', [1, 16, 4], grid.slice(32, 96)),
    },
    nodes: [node('LSTM', ['x', 'w', 'r'], ['y'], { hidden_size: 4 }, { name: 'lstm' })],
  };
  const source = (scratch: ReadonlyMap<string, number>) => {
    const request = planRequest({ models: [saved(LSTM).path], target: 'cortex-m7', prefix: 'NET', scratch });
    const files = renderRunner(planModel({ ...request, kernels: 'reference' }), {
      ...{ name: 'tensor_memory_pool', arena: 'static', weights: 'auto' },
    });
    return files.map(({ text }) => text).join('\n');
  };

  it('working memory is the planned one where that is large enough', async () => {
    const planned = source(new Map([['lstm', 48]]));
    expect(planned).toContain('NET_AT_RAM(NET_T_lstm_x2escratch_OFFSET), &recurrent_0');
    expect(planned).toContain('#define NET_RUNNER_SCRATCH_SIZE 0u');
    const own = source(new Map([['lstm', 44]]));
    expect(own).toContain('static float scratch[12u];');
    expect(own).toContain('#define NET_RUNNER_SCRATCH_SIZE 48u');
    const { dir, path } = saved(LSTM);
    const emitted = emitRunner(dir, { models: [path], scratch: new Map([['lstm', 48]]) });
    const expected = runOracle(emitted, path, 3);
    expect(await inferOnHost(emitted, 3)).toMatchObject({ status: 0 });
    expect(wrong(differences(emitted, expected))).toEqual([]);
  });
});
