/** cppcheck's MISRA addon finds nothing but advisory rules in a runner, its weights and the kernels. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import { emptyFolder } from '../support/generated.ts';
import { emitRunner } from '../support/inference.ts';
import { misraRules } from '../support/misra.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { rounds } from '../support/rounds.ts';
import { allKernels, callingCmsis, standingIn } from '../support/runtime.ts';
import { missing } from '../support/tools.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => Math.sin(i));

const ROW = ['float32', [1, 4]] as const;

/** With branches and turns: counted, and while a condition holds, in each other. */
const NET = model({
  opset: 13,
  inputs: { x: ['float32', [1, 3, 6, 6]], turns: ['int64', []] },
  outputs: ['y', 'u', 'z'],
  initializers: {
    k: tensor('float32', [4, 3, 3, 3], numbers(108)),
    shape: tensor('int64', [2], [1, 64]),
    w: tensor('float32', [64, 4], numbers(256)),
    none: tensor('float32', [], [0]),
  },
  nodes: [
    node('Conv', ['x', 'k'], ['a']),
    node('Relu', ['a'], ['b']),
    node('Reshape', ['b', 'shape'], ['c']),
    node('MatMul', ['c', 'w'], ['d']),
    node('ReduceMean', ['d'], ['mean'], { keepdims: 0 }),
    node('Greater', ['mean', 'none'], ['large']),
    node('If', ['large'], ['e'], {
      then_branch: { graph: { outputs: ['t'], nodes: [node('Neg', ['d'], ['t'])] } },
      else_branch: { graph: { outputs: ['f'], nodes: [node('Tanh', ['d'], ['f'])] } },
    }),
    node('Softmax', ['e'], ['y']),
    node('Loop', ['turns', 'large', 'e'], ['u'], {
      body: {
        graph: {
          inputs: { turn: ['int64', []], on: ['bool', []], v: ROW },
          outputs: ['more', 'v2'],
          nodes: [
            node('Cast', ['turn'], ['number'], { to: 1 }),
            node('Add', ['v', 'number'], ['v1']),
            node('Scan', ['v1', 'a'], ['v2', 'unread'], {
              num_scan_inputs: 1,
              scan_input_axes: [1],
              scan_input_directions: [1],
              body: {
                graph: {
                  inputs: { state: ROW, image: ['float32', [1, 4, 4]] },
                  outputs: ['next', 'row'],
                  nodes: [
                    node('ReduceMean', ['image'], ['level'], { keepdims: 0 }),
                    node('Mul', ['state', 'level'], ['next']),
                    node('Neg', ['image'], ['row']),
                  ],
                },
              },
            }),
            node('ReduceMean', ['v2'], ['middle'], { keepdims: 0 }),
            node('Greater', ['middle', 'none'], ['more']),
          ],
        },
      },
    }),
    node('Scan', ['a'], ['z'], {
      num_scan_inputs: 1,
      scan_input_axes: [1],
      scan_output_directions: [1],
      body: {
        graph: {
          inputs: { channel: ['float32', [1, 4, 4]] },
          outputs: ['negative'],
          nodes: [node('Neg', ['channel'], ['negative'])],
        },
      },
    }),
  ],
});

const WAYS: readonly (readonly [string, Partial<PlanRequest>])[] = [
  ['a network', {}],
  ['inputs and outputs of the caller', { io: 'external' }],
  ['an input with several places, weights in RAM', { buffers: new Map([['x', 2]]), weights: 'ram' }],
  ['weights that are brought behind a cache', { target: 'stm32h743', weights: 'stage' }],
];

describe.skipIf(missing('cppcheck') !== undefined)('in the runner of', () => {
  it.each(WAYS.slice(0, rounds(WAYS.length, 1)))('%s', async (_, request) => {
    const dir = emptyFolder();
    const path = join(dir, 'net.onnx');
    writeFileSync(path, NET);
    emitRunner(dir, { models: [path], nameLength: 63, ...request });
    const runner = await misraRules(dir, 'tensor_memory_pool_runner.c');
    // Several returns: without it the addon did not run.
    expect(runner.advisory).toContain('misra-c2012-15.5');
    expect(runner.others).toEqual([]);
    for (const file of ['weights', 'kernels'].slice(0, rounds(2, 1))) {
      expect((await misraRules(dir, `tensor_memory_pool_${file}.c`)).others).toEqual([]);
    }
  });
});

/** Types of C as on a Cortex-M, and as on a Cortex-A53 under Linux. */
const PLATFORMS = ['unix32', 'unix64'];

describe.skipIf(missing('cppcheck') !== undefined)('in the kernels', () => {
  it.each(PLATFORMS.slice(0, rounds(PLATFORMS.length, 0)))('all families, %s', async (platform) => {
    const { advisory, others } = await misraRules(allKernels(), 'kernels.c', [`--platform=${platform}`]);
    // Parameters that walk along: without it the addon did not run.
    expect(advisory).toContain('misra-c2012-17.8');
    expect(others).toEqual([]);
  });

  it.each(['5', '6', '7'])('calls of CMSIS-NN %s', async (version) => {
    const [, folder, build] = standingIn('dsp');
    const { advisory, others } = await misraRules(callingCmsis(version), 'dsp.c', [`-I${folder}`, build!]);
    expect(advisory).toContain('misra-c2012-15.5');
    expect(others).toEqual([]);
  });
});
