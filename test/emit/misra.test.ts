/** cppcheck's MISRA addon finds nothing but advisory rules in the generated C. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { poolFiles } from '../../src/emit/pool.ts';
import type { RenderOptions } from '../../src/emit/render.ts';
import { planModel } from '../../src/pipeline.ts';
import { type PlanRequest, planRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { emptyFolder, generated } from '../support/generated.ts';
import { misraRules } from '../support/misra.ts';
import { type ModelSpec, model, node, tensor } from '../support/onnx.ts';
import { ALL_CASES } from '../support/rounds.ts';
import { ALL_EXTERNAL, EVERY_TYPE, EVERYDAY, NOTHING } from '../support/sample-plans.ts';
import { missing } from '../support/tools.ts';

/** As PyTorch names them: the first 63 characters of a macro say nothing of which tensor it is. */
const LAYER = '/model/encoder/layers.0/self_attention/output_projection/dense';
const [HIDDEN, WIDE, NARROW] = ['Relu_output_0', 'MatMul_output_0', 'MatMul_output_1'].map(
  (tail) => `${LAYER}/${tail}`,
) as [string, string, string];

const NET: ModelSpec = {
  inputs: { x: ['float32', ['n', 16]] },
  outputs: { y: ['float32', ['n', 16]] },
  initializers: { u: tensor('float32', [16, 64]), v: tensor('float32', [64, 16]) },
  nodes: [
    node('Relu', ['x'], [HIDDEN], {}, { name: 'r' }),
    node('MatMul', [HIDDEN, 'u'], [WIDE], {}, { name: 's0' }),
    node('MatMul', [WIDE, 'v'], [NARROW], {}, { name: 's1' }),
    node('Softmax', [NARROW], ['y'], {}, { name: 's2' }),
  ],
};

/** Two large tensors, each of which ends in one number: the file's order has both at once. */
const WIDER: ModelSpec = {
  opset: 13,
  inputs: { x: ['float32', [4]] },
  outputs: ['y'],
  initializers: { times: tensor('int64', [1], [500]) },
  nodes: [
    node('Tile', ['x', 'times'], ['a'], {}, { name: 'a' }),
    node('Tile', ['x', 'times'], ['b'], {}, { name: 'b' }),
    node('ReduceSum', ['a'], ['c'], {}, { name: 'c' }),
    node('ReduceSum', ['b'], ['d'], {}, { name: 'd' }),
    node('Add', ['c', 'd'], ['y'], {}, { name: 'y' }),
  ],
};

function planOf(options: Partial<PlanRequest> = {}, specs: readonly ModelSpec[] = [NET]): Plan {
  const dir = emptyFolder();
  const models = specs.map((spec, i) => {
    const path = join(dir, `${['net', 'other'][i]}.onnx`);
    writeFileSync(path, model(spec));
    return path;
  });
  const isOpen = options.buckets === undefined && specs.includes(NET);
  const bindings = isOpen ? { ...NO_BINDINGS, dims: new Map([['n', 1]]) } : NO_BINDINGS;
  const { plan } = planModel(
    planRequest({ models, target: 'stm32h743', nameLength: 63, ...options, bindings }),
  );
  return plan;
}

const dma = (name: string) => ({ kind: 'dma', tensor: name }) as const;
const POINTER: RenderOptions = { arena: 'pointer' };

const WAYS: readonly (readonly [string, () => Plan, RenderOptions])[] = [
  ['everyday', () => EVERYDAY, {}],
  ['every type', () => EVERY_TYPE, {}],
  ['arena by pointer', () => EVERYDAY, POINTER],
  ['arena elsewhere, no table', () => EVERYDAY, { arena: 'extern', table: 'none' }],
  ['all external', () => ALL_EXTERNAL, {}],
  ['nothing', () => NOTHING, {}],
  ['long names', () => planOf(), {}],
  ['an input with several places', () => planOf({ buffers: new Map([['x', 2]]), rules: [dma('x')] }), {}],
  ['places by pointer', () => planOf({ buffers: new Map([['x', 2]]), rules: [dma('x')] }), POINTER],
  ['weights brought behind a cache', () => planOf({ weights: 'stage' }), {}],
  ['weights brought by pointer', () => planOf({ weights: 'stage' }), POINTER],
  ['weights brought beside a cache', () => planOf({ weights: 'stage', regions: ['DTCM'] }), {}],
  ['copies of weights', () => planOf({ weights: 'ram' }), {}],
  ['sizes', () => planOf({ buckets: [{ name: 'n', sizes: [1, 4, 8] }] }), {}],
  ['sizes by pointer', () => planOf({ buckets: [{ name: 'n', sizes: [1, 4] }] }), POINTER],
  ['an order of steps', () => planOf({ schedule: 'min-peak' }, [WIDER]), {}],
  ['a state', () => planOf({ states: [{ tensor: 'x', from: 'y' }] }), {}],
  ['a region of the MPU', () => planOf({ mpu: true }), {}],
  [
    'two memories',
    () => planOf({ place: 'fastest', rules: [{ kind: 'pin', tensor: 'y', region: 'SRAM4' }] }),
    {},
  ],
  ['two models', () => planOf({}, [NET, WIDER]), {}],
  ['two models at once', () => planOf({ run: 'concurrent' }, [NET, WIDER]), {}],
  ['pools in what is left', () => planOf(), { pools: true }],
];

describe.skipIf(missing('cppcheck') !== undefined)('in the generated C', () => {
  it.each(WAYS.filter((_, i) => ALL_CASES || i % 2 === 0))('%s', async (_, plan, options) => {
    const dir = generated(plan(), options, options.pools ? poolFiles() : []);
    const { advisory, others } = await misraRules(dir, 'tensor_memory_pool.c');
    // An unused macro (2.5) is in every header of constants: without it the addon did not run.
    expect(advisory).toContain('misra-c2012-2.5');
    expect(others).toEqual([]);
  });

  it('the macro that lists the tensors has the name of another for its parameter', async () => {
    const dir = generated(planOf(), { table: 'xmacro' });
    expect((await misraRules(dir, 'tensor_memory_pool.c')).others).toEqual(['misra-c2012-20.7']);
  });

  it('macros that differ behind 63 characters are found where nobody shortens them', async () => {
    const dir = generated(planOf({ nameLength: undefined }));
    expect((await misraRules(dir, 'tensor_memory_pool.c')).others).toEqual(['misra-c2012-5.4']);
  });
});
