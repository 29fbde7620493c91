/** Where the order of steps is not the file's, the C has it as a table of places in the file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planModel } from '../../src/pipeline.ts';
import { planRequest } from '../../src/plan/request.ts';
import { emptyFolder, generated } from '../support/generated.ts';
import { STRICT } from '../support/inference.ts';
import { type ModelSpec, model, node, tensor } from '../support/onnx.ts';
import { missing, run } from '../support/tools.ts';

/** Two large tensors, made one after the other, of which one number each is kept. */
const WIDE: ModelSpec = {
  opset: 13,
  inputs: { x: ['float32', [4]] },
  outputs: ['y'],
  initializers: { times: tensor('int64', [1], [500]) },
  nodes: [
    node('Tile', ['x', 'times'], ['a'], {}, { name: 'first' }),
    node('Tile', ['x', 'times'], ['b'], {}, { name: 'second' }),
    node('ReduceSum', ['a'], ['c'], {}, { name: 'sum of first' }),
    node('ReduceSum', ['b'], ['d'], {}, { name: 'sum of second' }),
    node('Add', ['c', 'd'], ['y'], {}, { name: 'all' }),
  ],
};

function planned(schedule: 'model' | 'min-peak') {
  const path = join(emptyFolder(), 'wide.onnx');
  writeFileSync(path, model(WIDE));
  return planModel(planRequest({ models: [path], target: 'cortex-m7', schedule, prefix: 'WIDE' })).plan;
}

describe('the order of steps', () => {
  it.skipIf(missing('gcc') !== undefined)('is a table of places in the file', async () => {
    const plan = planned('min-peak');
    const names = WIDE.nodes!.map(({ name }) => name);
    const places = plan.steps.map(({ node: label }) => names.indexOf(label));
    // One large tensor is gone before the other is made.
    expect(['0,2,1,3,4', '1,3,0,2,4']).toContain(places.join());
    expect(plan.steps.map(({ index }) => index)).toEqual(places);
    const main = `#include <stdio.h>
#include "tensor_memory_pool.h"
int main(void) { for (uint32_t i = 0u; i < WIDE_STEP_COUNT; i++) { (void)printf("%u,", (unsigned)wide_order[i]); } return 0; }
`;
    const dir = generated(plan, {}, [{ name: 'main.c', text: main }]);
    const built = await run('gcc', [...STRICT, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
    expect(built).toEqual({ status: 0, output: '' });
    expect((await run(join(dir, 'main'), [], dir)).output).toBe(`${places.join()},`);
  });

  it('needs none where it is the order of the file', () => {
    expect(planned('model').steps.some((step) => 'index' in step)).toBe(false);
  });
});
