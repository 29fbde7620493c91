/** What a runner refuses, what its files hold, and that damage done by kernels, plans and builds is found. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { type Planned, planModel } from '../../src/pipeline.ts';
import { planRequest } from '../../src/plan/request.ts';
import { renderRunner } from '../../src/runner/render.ts';
import { withClash } from '../support/firmware.ts';
import { emptyFolder } from '../support/generated.ts';
import { type Emitted, emitRunner, inferOnHost, STRICT } from '../support/inference.ts';
import { type ModelSpec, model, node, tensor } from '../support/onnx.ts';
import { FILES, writeModel } from '../support/projects.ts';
import { missing, run } from '../support/tools.ts';

const OPTIONS = { name: 'tensor_memory_pool', arena: 'static', weights: 'auto' } as const;

/** A residual branch: `a` waits while `b` and `c` are computed. */
const RESIDUAL: ModelSpec = {
  inputs: { x: ['float32', [1, 4, 6, 6]] },
  outputs: ['y'],
  initializers: {
    w: tensor(
      'float32',
      [4, 4, 1, 1],
      Array.from({ length: 16 }, (_, i) => i / 8 - 1),
    ),
  },
  nodes: [
    node('Relu', ['x'], ['a']),
    node('Conv', ['a', 'w'], ['b']),
    node('Conv', ['b', 'w'], ['c']),
    node('Add', ['a', 'c'], ['y']),
  ],
};

function saved(spec: ModelSpec): { readonly dir: string; readonly path: string } {
  const dir = emptyFolder();
  const path = join(dir, 'model.onnx');
  writeFileSync(path, model(spec));
  return { dir, path };
}

function planned(spec: ModelSpec, request: Parameters<typeof emitRunner>[1] | object = {}): Planned {
  const models = [saved(spec).path];
  return planModel(
    planRequest({ target: 'cortex-m7', kernels: 'reference', prefix: 'NET', ...request, models }),
  );
}

/** The diagnostics of what is thrown. */
function faults(what: () => unknown): readonly { readonly code: string; readonly text: string }[] {
  try {
    what();
  } catch (error) {
    if (error instanceof MemplanError) return error.diagnostics.map(({ code, text }) => ({ code, text }));
    throw error;
  }
  return [];
}

const text = (
  plan: Planned,
  name: string,
  options: Partial<Parameters<typeof renderRunner>[1]> = {},
): string => {
  const file = renderRunner(plan, { ...OPTIONS, ...options }).find((one) => one.name === name);
  return Buffer.from(file!.text).toString('latin1');
};

describe('what there is no kernel for', () => {
  it('is named at once: operators, reasons and nodes', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [2, 3]], h: ['float16', [2]], i: ['int64', [1]] },
      outputs: ['a', 'b', 'c', 'd'],
      nodes: [
        node('Relu', ['h'], ['b'], {}, { name: 'half' }),
        node('CumSum', ['x', 'axis'], ['c0'], {}, { name: 'sum0' }),
        node('CumSum', ['c0', 'axis'], ['c'], {}, { name: 'sum1' }),
        node('Slice', ['x', 'one', 'two'], ['s'], {}, { name: 'square' }),
        node('Det', ['s'], ['a'], {}, { name: 'det' }),
        node('Gather', ['x', 'i'], ['d']),
      ],
      initializers: {
        axis: tensor('int32', [], [0]),
        one: tensor('int64', [2], [0, 0]),
        two: tensor('int64', [2], [2, 2]),
      },
    };
    expect(faults(() => renderRunner(planned(spec), OPTIONS))).toEqual([
      {
        code: 'E_UNSUPPORTED_KERNEL',
        text: 'The runner has no kernel for Relu for float16 (there is one for float32): half.',
      },
      { code: 'E_UNSUPPORTED_KERNEL', text: 'The runner has no kernel for CumSum: sum0, sum1.' },
      { code: 'E_UNSUPPORTED_KERNEL', text: 'The runner has no kernel for Det: det.' },
    ]);
  });

  const looping = (given: readonly string[], handedOn: readonly string[]): ModelSpec => ({
    inputs: { x: ['float32', [2]], y: ['float32', [2]] },
    outputs: ['u', 'v'],
    initializers: { five: tensor('int64', [], [5]) },
    nodes: [
      node('Loop', [...given, 'x', 'y'], ['u', 'v'], {
        body: {
          graph: {
            inputs: { turn: ['int64', []], on: ['bool', []], a: ['float32', [2]], b: ['float32', [2]] },
            outputs: ['on', ...handedOn],
            nodes: [],
          },
        },
      }),
    ],
  });

  it.each<readonly [string, ModelSpec, string]>([
    [
      'values that change places in each turn',
      looping(['five', ''], ['b', 'a']),
      'Loop whose values change places',
    ],
    ['turns without an end', looping(['', ''], ['a', 'b']), 'Loop without an end'],
    [
      'limits that are computed',
      {
        inputs: { x: ['float32', [2]], m: ['float32', []] },
        outputs: ['y'],
        nodes: [node('Clip', ['x', 'm'], ['y'])],
      },
      'Clip for an input 1 that is computed',
    ],
    [
      'three spatial dimensions',
      {
        inputs: { x: ['float32', [1, 1, 4, 4, 4]] },
        outputs: ['y'],
        nodes: [node('MaxPool', ['x'], ['y'], { kernel_shape: [2, 2, 2] })],
      },
      'MaxPool for 3 spatial dimensions',
    ],
  ])('%s', (_, spec, why) => {
    const found = faults(() => renderRunner(planned(spec), OPTIONS));
    expect(found.map(({ code }) => code)).toEqual(['E_UNSUPPORTED_KERNEL']);
    expect(found[0]!.text).toContain(why);
  });

  it('operators between integers whose types have no kernel', () => {
    const nodes = [
      node('DequantizeLinear', ['q', 's', 'z'], ['a']),
      node('Relu', ['a'], ['b']),
      node('QuantizeLinear', ['b', 's', 'z'], ['y']),
    ];
    const spec: ModelSpec = {
      opset: 21,
      inputs: { q: ['int16', [4]] },
      outputs: ['y'],
      nodes,
      initializers: { s: tensor('float32', [], [0.5]), z: tensor('int16', [], [0]) },
    };
    const found = faults(() => renderRunner(planned(spec, { fuse: 'default' }), OPTIONS));
    expect(found).toEqual([
      {
        code: 'E_UNSUPPORTED_KERNEL',
        text: 'The runner has no kernel for Relu for int16 (there is one for int8, uint8): Relu #1.',
      },
    ]);
  });
});

describe('plans that a runner cannot keep to', () => {
  it('of another kernel library', () => {
    const found = faults(() => renderRunner(planned(RESIDUAL, { kernels: 'xnnpack' }), OPTIONS));
    expect(found).toEqual([{ code: 'E_RULE', text: expect.stringContaining('xnnpack in nhwc') }]);
  });

  it('for a model that does not exist', () => {
    expect(faults(() => renderRunner(planned(RESIDUAL, { assume: 'int8' }), OPTIONS))[0]!.code).toBe(
      'E_RULE',
    );
  });

  it('with tensors at odd addresses', () => {
    const made = planned(RESIDUAL);
    const tensors = made.plan.tensors.map((t) => (t.name === 'b' ? { ...t, offset: t.offset! + 2 } : t));
    const odd = { ...made, plan: { ...made.plan, tensors } };
    const text = 'Kernels need tensors aligned to their elements, and these are not: b.';
    expect(faults(() => renderRunner(odd, OPTIONS))).toEqual([{ code: 'E_RULE', text }]);
  });

  it('in an arena that begins at an odd address', () => {
    const made = planned(RESIDUAL);
    const regions = made.plan.regions.map((region) => ({ ...region, alignment: 2 }));
    const found = faults(() => renderRunner({ ...made, plan: { ...made.plan, regions } }, OPTIONS));
    expect(found).toEqual([{ code: 'E_RULE', text: expect.stringContaining('aligned to their elements') }]);
  });

  it('with an output on an operand that its kernel still reads', () => {
    const plan = planned(RESIDUAL);
    const clash = { ...plan, plan: withClash(plan.plan, 'b', 'a') };
    expect(faults(() => renderRunner(clash, OPTIONS))).toEqual([
      { code: 'E_INTERNAL', text: expect.stringContaining('its output would overwrite an input') },
    ]);
  });
});

describe('weights', () => {
  it('whose data is missing are all named', () => {
    const place = (location: string) => ({
      ...{ dataType: 1, dims: [4, 4, 1, 1], dataLocation: 1 },
      externalData: [{ key: 'location', value: location }],
    });
    const spec = { ...RESIDUAL, initializers: { w: place('nowhere.bin'), v: place('either.bin') } };
    const nodes = [node('Conv', ['x', 'w'], ['a']), node('Conv', ['a', 'v'], ['y'])];
    expect(faults(() => renderRunner(planned({ ...spec, nodes }), OPTIONS))).toEqual([
      { code: 'E_WEIGHTS', text: expect.stringContaining('of w are not known') },
      { code: 'E_WEIGHTS', text: expect.stringContaining('of v are not known') },
    ]);
  });

  it('become a file when they are many', () => {
    const side = 512;
    const zeros = new Array<number>(side * side + side).fill(0);
    const spec: ModelSpec = {
      inputs: { x: ['float32', [1, side]] },
      outputs: ['y'],
      initializers: { w: tensor('float32', [side, side + 1], zeros) },
      nodes: [node('MatMul', ['x', 'w'], ['y'])],
    };
    const names = renderRunner(planned(spec), OPTIONS).map(({ name }) => name);
    expect(names).toContain('tensor_memory_pool_weights.bin');
    const inC = renderRunner(planned(spec), { ...OPTIONS, weights: 'c' }).map(({ name }) => name);
    expect(inC).not.toContain('tensor_memory_pool_weights.bin');
  });

  it('change the source with their file, which no build system sees behind .incbin', () => {
    // The weights lie beside the model, so that the plan's hash stays.
    const dir = emptyFolder();
    writeModel(dir, 16);
    const sourceOf = () => {
      emitRunner(dir, { models: [join(dir, FILES.model)] }, { weights: 'bin' });
      const source = readFileSync(join(dir, 'tensor_memory_pool_weights.c'), 'utf8');
      const file = readFileSync(join(dir, 'tensor_memory_pool_weights.bin'));
      expect(source).toContain(createHash('sha256').update(file).digest('hex'));
      return source;
    };
    const before = sourceOf();
    writeFileSync(join(dir, FILES.weights), new Uint8Array(64).fill(1));
    expect(sourceOf()).not.toBe(before);
  });

  it.skipIf(missing('gcc') !== undefined)('have the same bytes as C and as a file', async () => {
    const odd: ModelSpec = {
      inputs: {
        f: ['float32', [1]],
        i: ['int64', [1]],
        b: ['int8', [1]],
        u: ['uint8', [1]],
        m: ['int32', [1]],
      },
      outputs: ['f1', 'i1', 'b1', 'u1', 'm1'],
      initializers: {
        'f/*w*/': tensor(
          'float32',
          [9],
          [0, -0, Infinity, -Infinity, 1e-45, 3.4028235e38, 0.1, -1 / 3, 16777216],
        ),
        int: tensor('int64', [3], [-1, 2 ** 53, -(2 ** 53)]),
        b0: tensor('int8', [5], [-128, 127, 0, -1, 1]),
        '3': tensor(
          'uint8',
          [70],
          Array.from({ length: 70 }, (_, k) => k * 3),
        ),
        m0: tensor('int32', [2], [-(2 ** 31), 2 ** 31 - 1]),
      },
      nodes: [
        node('Concat', ['f', 'f/*w*/'], ['f1'], { axis: 0 }),
        node('Concat', ['i', 'int'], ['i1'], { axis: 0 }),
        node('Concat', ['b', 'b0'], ['b1'], { axis: 0 }),
        node('Concat', ['u', '3'], ['u1'], { axis: 0 }),
        node('Concat', ['m', 'm0'], ['m1'], { axis: 0 }),
      ],
    };
    const { dir, path } = saved(odd);
    const dump = `#include <stdio.h>
#include "tensor_memory_pool_weights.h"
int main(void) { return (fwrite(&net_weights, sizeof net_weights, 1, stdout) == 1u) ? 0 : 1; }
`;
    writeFileSync(join(dir, 'dump.c'), dump);
    const bytesOf = async (weights: 'c' | 'bin') => {
      emitRunner(dir, { models: [path] }, { weights });
      const built = await run(
        'gcc',
        [...STRICT, '-I.', 'dump.c', 'tensor_memory_pool_weights.c', '-o', 'dump'],
        dir,
      );
      expect(built).toEqual({ status: 0, output: '' });
      await run('sh', ['-c', './dump > dumped.bin'], dir);
      return readFileSync(join(dir, 'dumped.bin'));
    };
    const asFile = await bytesOf('bin');
    expect(asFile.length).toBeGreaterThan(150);
    expect(await bytesOf('c')).toEqual(asFile);
  });
});

it('the same plan gives the same files', () => {
  const [one, two] = [0, 1].map(() => renderRunner(planned(RESIDUAL), OPTIONS));
  expect(two).toEqual(one);
});

describe.skipIf(missing('gcc') !== undefined)('on the host', () => {
  const INPUT = Buffer.from(Float32Array.from({ length: 144 }, (_, i) => Math.sin(i)).buffer);

  function emitted(spec: ModelSpec, options: Parameters<typeof emitRunner>[2] = {}): Emitted {
    const { dir, path } = saved(spec);
    writeFileSync(join(dir, 'inputs.bin'), INPUT);
    return emitRunner(dir, { models: [path] }, options);
  }

  const change = ({ dir }: Emitted, name: string, from: string | RegExp, to: string) => {
    const before = readFileSync(join(dir, name), 'latin1');
    expect(before).toMatch(from);
    writeFileSync(join(dir, name), before.replace(from, to), 'latin1');
  };

  it('weights of another plan are refused', async () => {
    const runner = emitted(RESIDUAL, { weights: 'bin' });
    const file = join(runner.dir, 'tensor_memory_pool_weights.bin');
    const bytes = readFileSync(file);
    bytes[3]! ^= 1;
    writeFileSync(file, bytes);
    expect((await inferOnHost(runner, 1)).status).toBe(2);
  });

  it('arenas of another plan are refused', async () => {
    const runner = emitted(RESIDUAL);
    change(runner, 'tensor_memory_pool.c', /net_plan_hash = 0x./, 'net_plan_hash = 0x');
    expect((await inferOnHost(runner, 1)).status).toBe(5);
  });

  it('weights of another plan do not link', async () => {
    const runner = emitted(RESIDUAL);
    change(runner, 'tensor_memory_pool_weights.h', /net_weights_[0-9a-f]+/, 'net_weights_00000000');
    change(runner, 'tensor_memory_pool_runner.c', '"tensor_memory_pool_weights.h"', '"mine.h"');
    const header = readFileSync(join(runner.dir, 'tensor_memory_pool_weights.h'), 'utf8');
    writeFileSync(join(runner.dir, 'mine.h'), header.replace('net_weights_00000000', 'net_weights_11111111'));
    const { status, output } = await inferOnHost(runner, 1);
    expect(status).toBe(256);
    expect(output).toContain('undefined reference');
  });

  it('a header of another plan does not compile', async () => {
    const runner = emitted(RESIDUAL);
    change(runner, 'tensor_memory_pool_runner.c', /PLAN_HASH != 0x./, 'PLAN_HASH != 0x');
    expect(await inferOnHost(runner, 1)).toMatchObject({
      status: 256,
      output: expect.stringContaining('belong to different plans'),
    });
  });

  it('an arena without memory is refused', () => {
    expect(text(planned(RESIDUAL), 'tensor_memory_pool_runner.c', { arena: 'pointer' })).toContain(
      'if (net_arena_ram == NULL) {\n        return NET_RUN_NO_MEMORY;',
    );
  });

  it('a check build finds a kernel that writes too far', async () => {
    const runner = emitted(RESIDUAL);
    change(runner, 'tensor_memory_pool_runner.c', /(relu_f32\(.*), 144u\)/, '$1, 152u)');
    const { status, output } = await inferOnHost({ ...runner, defines: ['-DNET_CHECK'] }, 1, ['-O1']);
    expect(status).toBe(3);
    expect(output).toMatch(/^damaged: step 0\n/);
  });

  it('a check build finds a plan that puts a tensor on one that is still needed', async () => {
    const { dir, path } = saved(RESIDUAL);
    writeFileSync(join(dir, 'inputs.bin'), INPUT);
    const plan = planModel(
      planRequest({ models: [path], target: 'cortex-m7', kernels: 'reference', prefix: 'NET' }),
    );
    const good = emitRunner(dir, { models: [path] });
    const offset = (name: string) => plan.plan.tensors.find((t) => t.name === name)!.offset;
    for (const file of ['tensor_memory_pool.h', 'tensor_memory_pool.c']) {
      const before = readFileSync(join(dir, file), 'utf8');
      const moved = before.replaceAll(
        file.endsWith('.h') ? /(NET_T_c_OFFSET )\d+u/g : /(NET_T_c_OFFSET != )\d+u/g,
        `$1${offset('a')}u`,
      );
      expect(moved).not.toBe(before);
      writeFileSync(join(dir, file), moved);
    }
    const checked = await inferOnHost({ ...good, defines: ['-DNET_CHECK'] }, 1, ['-O1']);
    expect(checked.status).toBe(3);
    expect(checked.output).toContain('damaged: step 2\n');
  });

  it('a check build costs nothing where it is off', () => {
    expect(text(planned(RESIDUAL), 'tensor_memory_pool_runner.c')).toContain(
      '#define STEP_BEGINS(step)\n#define STEP_ENDS(step)\n',
    );
  });

  const idle: readonly (readonly [string, ModelSpec])[] = [
    ['no step', { inputs: { x: ['float32', [4]] }, outputs: ['x'], nodes: [] }],
    [
      'views alone',
      {
        inputs: { x: ['float32', [2, 2]] },
        outputs: ['y'],
        nodes: [node('Flatten', ['x'], ['y'])],
      },
    ],
  ];
  it.each(idle)('of a model with nothing to do compiles as well: %s', async (_, spec) => {
    const { dir, path } = saved(spec);
    emitRunner(dir, { models: [path] });
    for (const more of [[], ['-DNET_CHECK']]) {
      const flags = [...STRICT, '-Wunused-macros', ...more, '-c', '-o', 'runner.o'];
      const said = await run('gcc', [...flags, 'tensor_memory_pool_runner.c'], dir);
      expect(said).toMatchObject({ status: 0, output: '' });
    }
  });
});
