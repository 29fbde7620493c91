/** Weights that are brought for their steps (--weights stage): each lives from the step before its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import { graph, model, node, tensor } from '../support/onnx.ts';
import { sealed } from '../support/planned.ts';
import { planOf, ran } from '../support/planned-files.ts';
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

/** A weight that is needed right after a branch, which may or may not be taken. Steps: s0, if, Neg, Abs, s1. */
const AFTER = model({
  inputs: { x: ['float32', [1, 16]], c: ['bool', [1]] },
  outputs: { y: ['float32', [1, 16]] },
  initializers: { w: tensor('float32', [16, 16]), u: tensor('float32', [16, 16]) },
  nodes: [
    node('MatMul', ['x', 'w'], ['a'], {}, { name: 's0' }),
    node(
      'If',
      ['c'],
      ['b'],
      {
        then_branch: graph({ nodes: [node('Neg', ['a'], ['t'])], outputs: { t: ['float32', [1, 16]] } }),
        else_branch: graph({ nodes: [node('Abs', ['a'], ['e'])], outputs: { e: ['float32', [1, 16]] } }),
      },
      { name: 'if' },
    ),
    node('MatMul', ['b', 'u'], ['y'], {}, { name: 's1' }),
  ],
});

const OPEN = model({
  inputs: { x: ['float32', ['n', 16]] },
  outputs: { y: ['float32', ['n', 16]] },
  initializers: { w: tensor('float32', [16, 16]) },
  nodes: [node('MatMul', ['x', 'w'], ['y'])],
});

/** A loop that begins with a weight. */
const LOOP = model({
  opset: 13,
  inputs: { x: ['float32', [1, 16]] },
  outputs: { y: ['float32', [1, 16]] },
  initializers: {
    w: tensor('float32', [1, 16]),
    turns: tensor('int64', [], [3]),
    on: tensor('bool', [], [1]),
  },
  nodes: [
    node('Softmax', ['x'], ['a']),
    node('Relu', ['a'], ['b']),
    node('Loop', ['turns', 'on', 'w'], ['c'], {
      body: graph({
        inputs: { turn: ['int64', []], before: ['bool', []], state: ['float32', [1, 16]] },
        nodes: [node('Add', ['state', 'b'], ['next']), node('Identity', ['before'], ['after'])],
        outputs: { after: ['bool', []], next: ['float32', [1, 16]] },
      }),
    }),
    node('Softmax', ['c'], ['y']),
  ],
});

/** Constants in memory, and constants that are but numbers. */
const NUMBERS = model({
  opset: 13,
  inputs: { i: ['int64', [4]] },
  outputs: { y: ['int8', [1, 16]] },
  initializers: {
    w: tensor('float32', [8, 8]),
    shape: tensor('int64', [2], [1, 32]),
    least: tensor('float32', [], [-1]),
    most: tensor('float32', [], [1]),
    from: tensor('int64', [1], [0]),
    to: tensor('int64', [1], [16]),
    axis: tensor('int64', [1], [1]),
    s: tensor('float32', [], [0.5]),
    z: tensor('int8', [], [0]),
  },
  nodes: [
    node('Gather', ['w', 'i'], ['a']),
    node('Reshape', ['a', 'shape'], ['b']),
    node('Clip', ['b', 'least', 'most'], ['c']),
    node('Slice', ['c', 'from', 'to', 'axis'], ['d']),
    node('QuantizeLinear', ['d', 's', 'z'], ['y']),
  ],
});

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

  it('keeps what a loop begins with through all its turns', async () => {
    const plan = await planOf(LOOP, ...STAGE);
    expect(plan.steps.map(({ op }) => op)).toEqual(['Softmax', 'Relu', 'Loop', 'Add', 'Softmax']);
    expect(copies(plan)).toMatchObject({ w: [1, 4] });
  });

  it('brings nothing at a step that may not run', async () => {
    const plan = await planOf(AFTER, ...STAGE);
    expect(plan.steps.map(({ op }) => op)).toEqual(['MatMul', 'If', 'Neg', 'Abs', 'MatMul']);
    // From the If on, not from the last step of its other branch.
    expect(copies(plan)).toEqual({ w: [0, 1], u: [1, 5] });
    const late = plan.buffers.map((one) => (one.tensors[0] === 'u' ? { ...one, first: 3 } : one));
    expect(verifyPlan(sealed({ ...plan, buffers: late })).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/Copy \d is not alive at every step that needs it/),
    );
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

  it('drops the lines of the cache before a weight comes, and once it is there', async () => {
    const rows = (plan: Plan) =>
      plan.cache?.map((row) => [row.at, row.step, row.tensor, row.operation].join(' '));
    expect(rows(await planOf(NET, ...STAGE))).toEqual([
      'before-bring 0 u invalidate',
      'after-wait 0 u invalidate',
      'before-bring 0 v invalidate',
      'after-wait 1 v invalidate',
      'before-bring 1 w invalidate',
      'after-wait 2 w invalidate',
      'before-bring 2 z invalidate',
      'after-wait 3 z invalidate',
    ]);
    // The If runs, whether the branch that reads u does or not.
    expect(rows(await planOf(SHARED, ...STAGE))?.slice(2)).toEqual([
      'before-bring 2 u invalidate',
      'after-wait 3 u invalidate',
    ]);
    // No cache: the DTCM of the same chip, and a core without one.
    expect((await planOf(NET, ...STAGE, '--region', 'DTCM')).cache).toBeUndefined();
    expect((await planOf(NET, ...STAGE, '--target', 'stm32f407')).cache).toBeUndefined();
    // Beside the rows of an input that a DMA fills.
    expect(rows(await planOf(NET, ...STAGE, '--dma', 'x'))?.slice(0, 3)).toEqual([
      'before-dma 0 x invalidate',
      'before-bring 0 u invalidate',
      'after-wait 0 u invalidate',
    ]);
  });

  it('counts what comes and what is read of it', async () => {
    // The tensors move 64 + 4 x 64 (b read and written, x and y once) and 4 x 256; each weight comes once and is read once.
    const plan = await planOf(NET, ...STAGE);
    const moved = 64 + 2 * 64 + 64 + 4 * 256;
    expect((await planOf(NET)).regions[0]!.traffic).toBe(moved);
    expect(plan.regions[0]!.traffic).toBe(moved + 2 * 16384);
    // One that two steps read comes once.
    const shared = (await planOf(SHARED, ...STAGE)).regions[0]!.traffic!;
    expect(shared - (await planOf(SHARED)).regions[0]!.traffic!).toBe(3 * 1024 + 2 * 1024);
    const region = { ...plan.regions[0]!, traffic: moved };
    expect(verifyPlan(sealed({ ...plan, regions: [region] })).map(({ text }) => text)).toEqual([
      `The traffic of AXISRAM is stated as ${moved}, but comes to ${moved + 2 * 16384}.`,
    ]);
  });

  it('keeps weights out of a memory that no engine reaches, unless there is no other', async () => {
    const faster = ['--target', 'stm32f407', '--place', 'fastest'];
    const plan = await planOf(NET, ...STAGE, ...faster);
    const regions = (kind: string) =>
      new Set(plan.buffers.filter((one) => one.kind === kind).map(({ region }) => region));
    // The CCM of an STM32F4 is faster, and its DMA does not reach it.
    expect([...regions('copy')]).toEqual(['SRAM1']);
    expect([...regions('activation')]).toEqual(['CCMRAM']);
    const only = await planOf(NET, ...STAGE, '--target', 'stm32f407', '--region', 'CCMRAM');
    expect(new Set(only.buffers.map(({ region }) => region))).toEqual(new Set(['CCMRAM']));
  });

  it('leaves in flash what kernels are called with as numbers', async () => {
    const plan = await planOf(NUMBERS, ...STAGE);
    // The table of a Gather and the scales of a QuantizeLinear of its own lie in memory; shape, bounds and axes do not.
    expect(Object.keys(copies(plan)).sort()).toEqual(['s', 'w', 'z']);
    expect(plan.steps.map(({ weights = [] }) => weights.join())).toEqual(['w', '', '', '', 's,z']);
    expect(plan.constants.flatMap(({ name, place }) => (place === 'flash' ? [name] : []))).toEqual(
      expect.arrayContaining(['shape', 'least', 'most', 'from', 'to']),
    );
  });

  it('is possible for a fused integer network, which reads weights and biases alone', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../../examples/kws-int8/kws-int8.onnx'));
    const plan = await planOf(bytes, ...STAGE, '--fuse', 'default');
    const ram = await planOf(bytes, '--weights', 'ram', '--fuse', 'default');
    expect(plan.totals.arenaBytes).toBeLessThan(ram.totals.arenaBytes);
    expect(Object.keys(copies(plan)).filter((name) => !/_(weight|bias)$/.test(name))).toEqual([]);
  });

  it.each([
    ['several models', NET, ['net.onnx']],
    ['buckets', OPEN, ['--bucket', 'n=1,2']],
  ])('cannot be with %s, whether there is a runner or not', async (_, bytes, flags) => {
    for (const more of [[], ['--emit', 'runner']]) {
      const { code, stderr } = await ran(bytes, ...STAGE, ...flags, ...more);
      expect(code).toBe(2);
      expect(stderr).toContain('--weights stage brings the weights of one model; there are several.');
    }
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

describe('the checker finds, of the lines of the cache,', () => {
  type Cache = NonNullable<Plan['cache']>;
  const rowOf = (at: string) => (row: Cache[number]) => row.tensor === 'v' && row.at === at;
  const faultsOf = async (change: (cache: Cache) => Cache, buffers = (plan: Plan) => plan.buffers) => {
    const plan = await planOf(NET, ...STAGE);
    return verifyPlan(sealed({ ...plan, buffers: buffers(plan), cache: change(plan.cache!) })).map(
      ({ text }) => text,
    );
  };

  it.each<[string, (cache: Cache) => Cache, string]>([
    [
      'none dropped before',
      (all) => all.filter((row) => !rowOf('before-bring')(row)),
      'invalidated before-bring 0',
    ],
    [
      'none dropped behind',
      (all) => all.filter((row) => !rowOf('after-wait')(row)),
      'invalidated after-wait 1',
    ],
    [
      'dirty ones written over what came',
      (all) => all.map((row) => (rowOf('after-wait')(row) ? { ...row, operation: 'clean' } : row)),
      'invalidated after-wait 1',
    ],
    [
      'dropped while the weight is on its way',
      (all) => all.map((row) => (rowOf('after-wait')(row) ? { ...row, step: 0 } : row)),
      'cache lines of v are looked after after-wait 0, where it is not brought',
    ],
    [
      'dropped while others need them',
      (all) => [...all, { model: 0, tensor: 'v', at: 'before-bring', step: 3, operation: 'invalidate' }],
      'cache lines of v are looked after before-bring 3',
    ],
    [
      'those of a weight that there is not',
      (all) => [...all, { model: 0, tensor: 'q', at: 'before-bring', step: 0, operation: 'invalidate' }],
      'cache lines of q are looked after before-bring 0',
    ],
  ])('%s', async (_, change, part) => {
    expect((await faultsOf(change)).join()).toContain(part);
  });

  it('lines shared with others', async () => {
    const said = await faultsOf(
      (all) => all,
      ({ buffers }) =>
        buffers.map((one) => (one.tensors[0] === 'v' ? { ...one, bytes: one.bytes + 16 } : one)),
    );
    expect(said.join()).toContain('The copy of v shares lines of 32 bytes of the cache with others');
  });
});

/** The begin of a function that takes a job and does half of it. */
const JOBS = `typedef struct { unsigned char *to; const unsigned char *from; size_t bytes; } job;
static job jobs[8];
static unsigned count;
static void bring(void *to, const void *from, size_t bytes)
{
    jobs[count].to = to;
    jobs[count].from = from;
    jobs[count].bytes = bytes;
    count++;
    memcpy(to, from, bytes / 2u);
`;

/** An engine that writes half of what it was given at once, and the rest when somebody waits. */
const BRING = `
#include "tensor_memory_pool.h"
#include <stdio.h>
#include <string.h>

${JOBS}}
static void wait_all(void)
{
    unsigned i;
    for (i = 0u; i < count; i++) { memcpy(jobs[i].to, jobs[i].from, jobs[i].bytes); }
    count = 0u;
}
static void invalidate(void *address, size_t bytes)
{
    (void)address;
    (void)bytes;
}
static void bring_all(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
/* One for each run. */
static const net_stage_hooks hooks[3] = { { bring, wait_all, invalidate }, { bring_all, NULL, NULL }, { NULL, NULL, NULL } };

int main(void)
{
    static unsigned char weights[NET_COPY_COUNT][4096];
    const void *sources[NET_COPY_COUNT];
    unsigned wrong = 0u, runs, i, t;
    uint32_t step;

    for (i = 0u; i < NET_COPY_COUNT; i++) {
        memset(weights[i], (int)(i + 1u), 4096u);
        sources[i] = weights[i];
    }
    for (runs = 0u; runs < 3u; runs++) {
        for (step = 0u; step < NET_STEP_COUNT; step++) {
            net_stage(&hooks[runs], sources, step);
            /* The step writes its output, and then looks for its weights and its input. */
            for (t = 0u; t < NET_TENSOR_COUNT; t++) {
                if ((net_table[t].first == step) && (t > 0u || step == 0u)) {
                    memset(net_tensor((net_index)t), (int)(0x80u + t), net_table[t].size);
                }
            }
            for (i = 0u; i < NET_COPY_COUNT; i++) {
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

/**
 * A write-back cache over the arena: at random a line is fetched, or one that is held is written back if it is dirty and
 * dropped. The core reads and writes through it, the engine beside it, as slowly as it may.
 */
const BEHIND_A_CACHE = `
#include "tensor_memory_pool.h"
#include <stdio.h>
#include <string.h>

#define LINE 32u
#define LINES ((NET_ARENA_SIZE + LINE - 1u) / LINE)
static unsigned char held[LINES][LINE];
static unsigned char is_held[LINES], is_dirty[LINES];
static unsigned state = SEEDu;

static unsigned chance(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
static void fetch(size_t line)
{
    if (is_held[line] == 0u) { memcpy(held[line], &NET_ARENA[line * LINE], LINE); is_held[line] = 1u; is_dirty[line] = 0u; }
}
static void drop(size_t line, unsigned write_back)
{
    if (is_held[line] != 0u && is_dirty[line] != 0u && write_back != 0u) { memcpy(&NET_ARENA[line * LINE], held[line], LINE); }
    is_held[line] = 0u;
    is_dirty[line] = 0u;
}
static void whatever(void)
{
    unsigned i;
    for (i = 0u; i < 40u; i++) {
        size_t line = chance() % LINES;
        if (chance() % 2u == 0u) { fetch(line); } else { drop(line, 1u); }
    }
}
static void put(size_t at, unsigned char value)
{
    fetch(at / LINE);
    held[at / LINE][at % LINE] = value;
    is_dirty[at / LINE] = 1u;
}
static unsigned char get(size_t at)
{
    fetch(at / LINE);
    return held[at / LINE][at % LINE];
}

${JOBS}    whatever();
}
static void wait_all(void)
{
    unsigned i;
    for (i = 0u; i < count; i++) {
        memcpy(&jobs[i].to[jobs[i].bytes / 2u], &jobs[i].from[jobs[i].bytes / 2u], jobs[i].bytes - jobs[i].bytes / 2u);
    }
    count = 0u;
    whatever();
}
static void invalidate(void *address, size_t bytes)
{
    size_t from = (size_t)((unsigned char *)address - NET_ARENA), at;
    if (from % LINE != 0u || bytes % LINE != 0u) { (void)printf("no whole lines\\n"); }
    for (at = from; at < from + bytes; at += LINE) { drop(at / LINE, 0u); }
}
static const net_stage_hooks hooks = { bring, wait_all, invalidate };

int main(void)
{
    static unsigned char weights[NET_COPY_COUNT][4096];
    const void *sources[NET_COPY_COUNT];
    unsigned wrong = 0u, runs, t;
    size_t i, k;
    uint32_t step;

    for (i = 0u; i < NET_COPY_COUNT; i++) {
        memset(weights[i], (int)(i + 1u), 4096u);
        sources[i] = weights[i];
    }
    for (runs = 0u; runs < 20u; runs++) {
        for (step = 0u; step < NET_STEP_COUNT; step++) {
            net_stage(&hooks, sources, step);
            whatever();
            for (t = 0u; t < NET_TENSOR_COUNT; t++) {
                if ((net_table[t].first == step) && (t > 0u || step == 0u)) {
                    for (i = 0u; i < net_table[t].size; i++) { put(net_table[t].offset + i, (unsigned char)(0x80u + t)); }
                }
            }
            whatever();
            for (k = 0u; k < NET_COPY_COUNT; k++) {
                if (net_stages[k].step != step) { continue; }
                for (i = 0u; i < net_stages[k].size; i++) { if (get(net_stages[k].offset + i) != k + 1u) { wrong++; break; } }
            }
            for (t = 0u; t < NET_TENSOR_COUNT; t++) {
                if ((net_table[t].first > step) || (step >= net_table[t].end)) { continue; }
                for (i = 0u; i < net_table[t].size; i++) { if (get(net_table[t].offset + i) != 0x80u + t) { wrong++; break; } }
            }
        }
    }
    (void)printf("%u steps, %u wrong\\n", runs * (unsigned)NET_STEP_COUNT, wrong);
    return 0;
}
`;

describe.skipIf(missing(...PROGRAMS) !== undefined)('in C', () => {
  const brought = async (plan: Plan, program = BRING, change = (c: string) => c) => {
    const dir = generated(plan, {}, [{ name: 'main.c', text: program }]);
    const source = join(dir, 'tensor_memory_pool.c');
    writeFileSync(source, change(readFileSync(source, 'utf8')));
    const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
    const built = await run('gcc', [...flags, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
    return built.output === '' ? (await run(join(dir, 'main'), [], dir)).output : built.output;
  };

  it('every step finds its weights, however slow the engine is, and without one', async () => {
    expect(await brought(await planOf(NET, ...STAGE))).toBe('12 steps, 0 wrong\n');
  });

  it('a weight that is brought over one in use is found', async () => {
    const plan = await planOf(NET, ...STAGE);
    const at = plan.buffers.find(({ tensors }) => tensors[0] === 'u')!.offset;
    const buffers = plan.buffers.map((one) => (one.tensors[0] === 'v' ? { ...one, offset: at } : one));
    expect(await brought({ ...plan, buffers })).not.toContain(' 0 wrong');
  });

  /** Activations as large as weights. */
  const LARGE = model({
    inputs: { x: ['float32', [16, 64]] },
    outputs: { y: ['float32', [16, 64]] },
    initializers: Object.fromEntries(['u', 'v', 'w', 'z'].map((name) => [name, tensor('float32', [16, 64])])),
    nodes: [
      node('Add', ['x', 'u'], ['a'], {}, { name: 's0' }),
      node('Add', ['a', 'v'], ['b'], {}, { name: 's1' }),
      node('Add', ['b', 'w'], ['c'], {}, { name: 's2' }),
      node('Add', ['c', 'z'], ['y'], {}, { name: 's3' }),
    ],
  });
  /** Weights come to where tensors have died, and tensors to where weights have. */
  const mixed = async (): Promise<Plan> => {
    const at: Readonly<Record<string, number>> = {
      ...{ a: 0, x: 4096, v: 8192, u: 12288 },
      ...{ w: 4096, b: 12288, z: 0, c: 8192, y: 12288 },
    };
    const plan = await planOf(LARGE, ...STAGE, '--no-in-place');
    const placed = sealed({
      ...plan,
      buffers: plan.buffers.map((one) => ({ ...one, offset: at[one.tensors[0]!]! })),
      tensors: plan.tensors.map((one) => ({ ...one, offset: at[one.name]! })),
    });
    expect(verifyPlan(placed)).toEqual([]);
    return placed;
  };
  const behind = async (seed: number, change?: (c: string) => string) =>
    brought(await mixed(), BEHIND_A_CACHE.replace('SEEDu', `${seed}u`), change);

  it.each([1, 2, 3])('and so it does behind a cache, seed %i', async (seed) => {
    expect(await behind(seed)).toBe('80 steps, 0 wrong\n');
  });

  it.each([
    ['before it comes', 'hooks->invalidate(place, row->lines);'],
    ['once it is there', 'hooks->invalidate(place, net_stages[i].lines);'],
  ])('which is seen where lines are not dropped %s', async (_, call) => {
    const said = await behind(1, (c) => {
      expect(c.split(call)).toHaveLength(2);
      return c.replace(call, '');
    });
    expect(said).toMatch(/^80 steps, [1-9]\d* wrong\n$/);
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
