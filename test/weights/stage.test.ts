/** Weights that are brought for their steps (--weights stage): each lives from the step before its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { cli, emptyFolder } from '../cli/run.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import { graph, model, node, tensor } from '../support/onnx.ts';
import { sealed } from '../support/planned.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

/** Bytes: x 64, a 256, b 64, c 256, y 64; weights 4096, 4096, 4096 and 4096, each for one step. */
const NET = model({
  inputs: { x: ['float32', [1, 16]] },
  outputs: { y: ['float32', [1, 16]] },
  initializers: {
    u: tensor('float32', [16, 64]),
    v: tensor('float32', [64, 16]),
    w: tensor('float32', [16, 64]),
    z: tensor('float32', [64, 16]),
  },
  nodes: [
    node('MatMul', ['x', 'u'], ['a'], {}, { name: 's0' }),
    node('MatMul', ['a', 'v'], ['b'], {}, { name: 's1' }),
    node('MatMul', ['b', 'w'], ['c'], {}, { name: 's2' }),
    node('MatMul', ['c', 'z'], ['y'], {}, { name: 's3' }),
  ],
});

/** One weight for two steps, and one for a step in a branch. */
const SHARED = model({
  inputs: { x: ['float32', [1, 16]], c: ['bool', [1]] },
  outputs: { y: ['float32', [1, 16]] },
  initializers: { w: tensor('float32', [16, 16]), u: tensor('float32', [16, 16]) },
  nodes: [
    node('MatMul', ['x', 'w'], ['a'], {}, { name: 's0' }),
    node('Softmax', ['a'], ['b'], {}, { name: 's1' }),
    node('MatMul', ['b', 'w'], ['d'], {}, { name: 's2' }),
    node(
      'If',
      ['c'],
      ['y'],
      {
        then_branch: graph({ nodes: [node('Neg', ['d'], ['t'])], outputs: { t: ['float32', [1, 16]] } }),
        else_branch: graph({
          nodes: [node('MatMul', ['d', 'u'], ['e'])],
          outputs: { e: ['float32', [1, 16]] },
        }),
      },
      { name: 'if' },
    ),
  ],
});

async function ran(bytes: Uint8Array, ...flags: string[]) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'net.onnx'), bytes);
  return cli(['net.onnx', '--target', 'stm32h743', '--emit', 'json', ...flags], { cwd });
}

async function planOf(bytes: Uint8Array, ...flags: string[]): Promise<Plan> {
  const { code, stdout, stderr } = await ran(bytes, '--json', ...flags);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const plan = parsePlan(stdout, 'stdout');
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
}

const STAGE = ['--weights', 'stage'];
const copies = (plan: Plan) =>
  Object.fromEntries(
    plan.buffers.flatMap(({ kind, tensors, first, end }) =>
      kind === 'copy' ? [[tensors[0]!, [first, end]]] : [],
    ),
  );

describe('a plan', () => {
  it('holds the weights of a step and those of the next', async () => {
    const plan = await planOf(NET, ...STAGE);
    expect(copies(plan)).toEqual({ u: [0, 1], v: [0, 2], w: [1, 3], z: [2, 4] });
    expect(plan.steps.map(({ weights }) => weights)).toEqual([['u'], ['v'], ['w'], ['z']]);
    // Two of them beside what a step reads and writes: 8192 + 320, at each but the last.
    expect(plan.steps.map(({ liveBytes }) => liveBytes)).toEqual([8512, 8512, 8512, 4416]);
    expect(plan.totals).toMatchObject({ arenaBytes: 8512, weightBytes: 16384, copyBytes: 16384 });
    expect((await planOf(NET, '--weights', 'ram')).totals.arenaBytes).toBe(320 + 16384);
    expect(plan.constants.every(({ place, buffer }) => place === 'ram' && buffer !== undefined)).toBe(true);
  });

  it('brings a weight once for all that read it, and keeps it through a branch', async () => {
    const plan = await planOf(SHARED, ...STAGE);
    // Steps: s0, s1, s2, if, Neg, MatMul. The branch may be taken or not: u is there from before the If to its end.
    expect(copies(plan)).toEqual({ w: [0, 3], u: [2, 6] });
  });

  it('takes whole cache lines, where a DMA writes', async () => {
    const small = model({
      inputs: { x: ['float32', [1, 3]] },
      outputs: { y: ['float32', [1, 3]] },
      initializers: { w: tensor('float32', [3, 3]) },
      nodes: [node('MatMul', ['x', 'w'], ['y'])],
    });
    const copy = (await planOf(small, ...STAGE)).buffers.find(({ kind }) => kind === 'copy')!;
    expect(copy).toMatchObject({ bytes: 64, alignment: 32 });
    expect(copy.offset % 32).toBe(0);
  });

  it('is possible for a fused integer network', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../../examples/kws-int8/kws-int8.onnx'));
    const plan = await planOf(bytes, ...STAGE);
    const ram = await planOf(bytes, '--weights', 'ram');
    expect(plan.totals.arenaBytes).toBeLessThan(ram.totals.arenaBytes);
  });

  it.each([
    [[...STAGE, '--emit', 'runner'], 'A runner brings no weights'],
    [[...STAGE, 'net.onnx'], 'there are several'],
  ])('cannot be with %j', async (flags, part) => {
    const { code, stderr } = await ran(NET, ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(part);
  });

  it('the checker finds a weight that comes late, goes early, or is nowhere', async () => {
    const plan = await planOf(NET, ...STAGE);
    const said = (change: object) => {
      const of = (one: Plan['buffers'][number]) => (one.tensors[0] === 'w' ? { ...one, ...change } : one);
      return verifyPlan(sealed({ ...plan, buffers: plan.buffers.map(of) })).map(({ text }) => text);
    };
    expect(said({ first: 2 }).join()).toContain('not alive at every step that needs it');
    expect(said({ end: 2 }).join()).toContain('not alive at every step that needs it');
    expect(said({ bytes: 4000 }).join()).toContain('the copy of no weight');
    const steps = plan.steps.map((step) => ({ ...step, weights: ['q'] }));
    expect(verifyPlan(sealed({ ...plan, steps })).map(({ text }) => text)).toContain(
      's0 reads q from a copy, but there is none.',
    );
  });
});

/** An engine that writes half of what it was given at once, and the rest when somebody waits. */
const BRING = `
#include "tensor_memory_pool.h"
#include <stdio.h>
#include <string.h>

typedef struct { unsigned char *to; const unsigned char *from; size_t bytes; } job;
static job jobs[8];
static unsigned count;
static void bring(void *to, const void *from, size_t bytes)
{
    jobs[count].to = to;
    jobs[count].from = from;
    jobs[count].bytes = bytes;
    count++;
    memcpy(to, from, bytes / 2u);
}
static void wait_all(void)
{
    unsigned i;
    for (i = 0u; i < count; i++) { memcpy(jobs[i].to, jobs[i].from, jobs[i].bytes); }
    count = 0u;
}
static const net_stage_hooks hooks = { bring, wait_all };

int main(void)
{
    static unsigned char weights[NET_STAGE_COUNT][4096];
    const void *sources[NET_STAGE_COUNT];
    unsigned wrong = 0u, runs, i, t;
    uint32_t step;

    for (i = 0u; i < NET_STAGE_COUNT; i++) {
        memset(weights[i], (int)(i + 1u), 4096u);
        sources[i] = weights[i];
    }
    for (runs = 0u; runs < 3u; runs++) {
        for (step = 0u; step < NET_STEP_COUNT; step++) {
            net_stage(&hooks, sources, step);
            /* The step writes its output, and then looks for its weights and its input. */
            for (t = 0u; t < NET_TENSOR_COUNT; t++) {
                if ((net_table[t].first == step) && (t > 0u || step == 0u)) {
                    memset(net_tensor((net_index)t), (int)(0x80u + t), net_table[t].size);
                }
            }
            for (i = 0u; i < NET_STAGE_COUNT; i++) {
                if (net_stages[i].step == step && memcmp(&NET_ARENA[net_stages[i].offset], weights[i], 4096u) != 0) { wrong++; }
            }
            for (t = 0u; t < NET_TENSOR_COUNT; t++) {
                const unsigned char *const bytes = net_tensor((net_index)t);
                if ((net_table[t].first <= step) && (step < net_table[t].end)) {
                    for (i = 0u; i < net_table[t].size; i++) { if (bytes[i] != 0x80u + t) { wrong++; break; } }
                }
            }
        }
    }
    (void)printf("%u steps, %u wrong\\n", runs * NET_STEP_COUNT, wrong);
    return 0;
}
`;

describe.skipIf(missing(...PROGRAMS) !== undefined)('in C', () => {
  const brought = async (plan: Plan) => {
    const dir = generated(plan, {}, [{ name: 'main.c', text: BRING }]);
    const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
    const built = await run('gcc', [...flags, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
    return built.output === '' ? (await run(join(dir, 'main'), [], dir)).output : built.output;
  };

  it('every step finds its weights, however slow the engine is', async () => {
    expect(await brought(await planOf(NET, ...STAGE))).toBe('12 steps, 0 wrong\n');
  });

  it('a weight that is brought over one in use is found', async () => {
    const plan = await planOf(NET, ...STAGE);
    const at = plan.buffers.find(({ tensors }) => tensors[0] === 'u')!.offset;
    const buffers = plan.buffers.map((one) => (one.tensors[0] === 'v' ? { ...one, offset: at } : one));
    expect(await brought({ ...plan, buffers })).not.toContain(' 0 wrong');
  });

  it.each([{ arena: 'static' }, { arena: 'pointer' }, { table: 'none' }] as const)(
    '%o compiles without a warning',
    async (options) => {
      const dir = generated(await planOf(NET, ...STAGE), options, [
        { name: 'use.cpp', text: '#include "tensor_memory_pool.h"\n' },
      ]);
      const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
        compile(compiler, dir, [compiler.language === 'c' ? 'tensor_memory_pool.c' : 'use.cpp']),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    },
  );
});
