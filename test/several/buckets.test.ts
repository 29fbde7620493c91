/** One model for several sizes (--bucket): one arena, a table for each, and C that chooses among them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { cli, emptyFolder } from '../cli/run.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { sealed } from '../support/planned.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

/**
 * Bytes for each of `seq`: x 64, a 128, r 128 over a, c 192 (a copy of x and r), y 16. Live at its steps: 192, 192, 384
 * (x, r, c), 208. Weights: 512 x 4 and 192 x 4.
 */
const NET = model({
  inputs: { x: ['float32', ['batch', 'seq', 16]] },
  outputs: { y: ['float32', ['batch', 'seq', 4]] },
  initializers: { w: tensor('float32', [16, 32]), v: tensor('float32', [48, 4]) },
  nodes: [
    node('MatMul', ['x', 'w'], ['a'], {}, { name: 'wide' }),
    node('Relu', ['a'], ['r'], {}, { name: 'relu' }),
    node('Concat', ['x', 'r'], ['c'], { axis: 2 }, { name: 'join' }),
    node('MatMul', ['c', 'v'], ['y'], {}, { name: 'narrow' }),
  ],
});

const JOB = ['net.onnx', '--target', 'stm32h743'];

async function ran(...flags: string[]) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'net.onnx'), NET);
  const ended = await cli([...JOB, ...flags], { cwd });
  return { ...ended, read: (name: string) => readFileSync(join(cwd, name), 'utf8') };
}

async function planOf(...flags: string[]): Promise<Plan> {
  const { code, stdout, stderr } = await ran('--emit', 'json', '--json', ...flags);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const plan = parsePlan(stdout, 'stdout');
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
}

const BUCKETS = ['--bucket', 'seq=64,8,16', '--dim', 'batch=1'];

describe('a plan of buckets', () => {
  it('has a table for each, the smallest first, in one arena of the largest need', async () => {
    const plan = await planOf(...BUCKETS);
    expect(plan.buckets).toEqual([8, 16, 64].map((size) => ({ sizes: [{ name: 'seq', size }] })));
    expect(plan.models.map(({ name, cPrefix }) => [name, cPrefix])).toEqual([
      ['net@seq=8', 'NET_SEQ8'],
      ['net@seq=16', 'NET_SEQ16'],
      ['net@seq=64', 'NET_SEQ64'],
    ]);
    expect(plan.run).toMatchObject({ mode: 'exclusive', cPrefix: 'NET', parts: [{ models: [0, 1, 2] }] });
    expect(plan.run?.isolation.alone).toEqual([8 * 384, 16 * 384, 64 * 384]);
    expect(plan.totals).toMatchObject({
      arenaBytes: 64 * 384,
      // Once, though three tables read them; and the largest input and output, not all of them.
      weightBytes: 2048 + 768,
      inputBytes: 64 * 64,
      outputBytes: 64 * 16,
    });
    const shapes = plan.tensors.filter(({ name }) => name === 'c').map(({ shape }) => shape);
    expect(shapes).toEqual([
      [1, 8, 48],
      [1, 16, 48],
      [1, 64, 48],
    ]);
  });

  it('is what each size alone needs', async () => {
    for (const size of [8, 16, 64]) {
      const alone = await planOf('--dim', `seq=${size}`, '--dim', 'batch=1');
      expect(alone.totals.arenaBytes).toBe(size * 384);
    }
  });

  it('combines the sizes of several dimensions', async () => {
    const plan = await planOf('--bucket', 'batch=1,4', '--bucket', 'seq=8,16');
    const sizes = plan.buckets?.map((bucket) => bucket.sizes.map(({ size }) => size));
    expect(sizes).toEqual([
      [1, 8],
      [1, 16],
      [4, 8],
      [4, 16],
    ]);
    expect(plan.models[2]?.cPrefix).toBe('NET_BATCH4_SEQ8');
  });

  it('copies weights to RAM once', async () => {
    const plan = await planOf(...BUCKETS, '--weights', 'ram');
    expect(plan.totals).toMatchObject({ copyBytes: 2816, arenaBytes: 64 * 384 + 2816 });
    expect(plan.constants.map(({ name, place }) => [name, place])).toEqual([
      ['w', 'ram'],
      ['v', 'ram'],
    ]);
  });

  it('what is said of a tensor counts for each of them', async () => {
    const plan = await planOf(...BUCKETS, '--keep', 'r', '--dma', 'x=DMA1', '--pin', 'y=AXISRAM');
    for (const at of [0, 1, 2]) {
      const own = plan.tensors.filter(({ model }) => model === at);
      const end = plan.steps.findLast(({ model }) => model === at)!.step + 1;
      expect(own.find(({ name }) => name === 'r')?.end).toBe(end);
      expect(plan.rules?.filter((rule) => (rule.model ?? 0) === at)).toHaveLength(2);
      expect(plan.cache?.some(({ model, tensor }) => model === at && tensor === 'x')).toBe(true);
    }
  });

  it('is reported as buckets of one file', async () => {
    const { stdout, read } = await ran(...BUCKETS, '--emit', 'h,c,md,html,csv,svg');
    expect(stdout).toMatch(/^net\.onnx on stm32h743zi/);
    expect(stdout).toContain('3 buckets, one at a time: 12 steps');
    expect(stdout).toMatch(/^ {2}bucket +24,576 +24\.0 KiB +seq=64 alone$/m);
    expect(stdout).toContain('net@seq=64:c');
    expect(read('plan.md')).toContain('## `net.onnx` on');
    expect(read('tensor_memory_pool.h')).toContain('each run is one of exactly these sizes: seq=8;');
  });

  it.each([
    [['--bucket', 'seq=8,16'], 'E_OPEN_DIM'],
    [['--bucket', 'length=8', '--dim', 'batch=1', '--dim', 'seq=4'], 'E_BINDING'],
    [['--bucket', 'seq=8', '--dim', 'seq=8', '--dim', 'batch=1'], 'speak of one dimension'],
    [[...BUCKETS, '--run', 'concurrent'], 'take turns'],
    [[...BUCKETS, '--state', 'y=x'], 'E_RULE'],
    [[...BUCKETS, '--hold', 'y'], '--hold says how several models'],
    [
      ['--bucket', `seq=${Array.from({ length: 65 }, (_, i) => i + 1).join()}`, '--dim', 'batch=1'],
      '64 are the most',
    ],
    [['--bucket', 'seq=8', '--bucket', 'seq=16', '--dim', 'batch=1'], 'given twice'],
  ])('cannot be for %j', async (flags, part) => {
    const { code, stdout, stderr } = await ran(...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(part);
  });

  it('is of one model', async () => {
    const { code, stderr } = await ran('net.onnx', ...BUCKETS);
    expect(code).toBe(2);
    expect(stderr).toContain('--bucket divides one model');
  });
});

describe('the checker', () => {
  const said = (plan: Plan) => verifyPlan(sealed(plan)).map(({ text }) => text);

  it('finds buckets that are not what they say', async () => {
    const plan = await planOf(...BUCKETS);
    const buckets = plan.buckets!;
    const [first, second] = buckets;
    const wrong = (changed: Partial<Plan>) => said({ ...plan, ...changed });
    expect(wrong({ buckets: buckets.slice(1) })).toContain('Not every model has the sizes of a bucket.');
    expect(wrong({ buckets: [first!, first!, second!] })).toContain('Two buckets have the same sizes.');
    expect(wrong({ buckets: [{ sizes: [] }, ...buckets.slice(1)] })).toContain(
      'Buckets do not name the same dimensions.',
    );
    const models = plan.models.map((one, i) => (i === 1 ? { ...one, sha256: '1'.repeat(64) } : one));
    expect(wrong({ models })).toContain('Buckets are not of one model.');
    expect(wrong({ totals: { ...plan.totals, inputBytes: 88 * 64 } })).toHaveLength(1);
  });

  it.each([0, 1, 2])('walks bucket %d: a tensor moved onto a live one is found', async (at) => {
    const plan = await planOf(...BUCKETS);
    const find = (name: string) => plan.tensors.find((t) => t.model === at && t.name === name)!;
    const [c, x] = [find('c'), find('x')];
    const offset = x.offset!;
    const moved = {
      ...plan,
      tensors: plan.tensors.map((t) => (t === c ? { ...t, offset } : t)),
      buffers: plan.buffers.map((b) => (b.id === c.buffer ? { ...b, offset } : b)),
    };
    expect(said(moved).length).toBeGreaterThan(0);
  });
});

/** Asks for buckets by size, walks each one's rows with patterns, and goes from bucket to bucket without clearing. */
const WALK = `
#include "tensor_memory_pool.h"
#include <stdio.h>
#define CHECK(e) do { if (!(e)) { (void)printf("%d: %s\\n", __LINE__, #e); } } while (0)

static unsigned char value(uint32_t t, uint32_t i, uint32_t turn) { return (unsigned char)(t * 37u + i * 11u + turn * 101u + 1u); }

static uint32_t root(uint32_t t)
{
    while (net_table[t].alias != t) { t = net_table[t].alias; }
    return t;
}

static void walk(const net_bucket *bucket, uint32_t turn)
{
    const uint32_t end = bucket->first_tensor + bucket->tensor_count;
    uint32_t step, t, i;

    for (step = bucket->first_step; step < bucket->first_step + bucket->step_count; step++) {
        for (t = bucket->first_tensor; t < end; t++) {
            if (net_table[t].first == step) {
                unsigned char *const bytes = net_tensor((net_index)t);
                for (i = 0u; i < net_table[t].size; i++) { bytes[i] = value(root(t), i, turn); }
            }
        }
        for (t = bucket->first_tensor; t < end; t++) {
            if ((net_table[t].first <= step) && (step < net_table[t].end)) {
                const unsigned char *const bytes = net_tensor((net_index)t);
                for (i = 0u; i < net_table[t].size; i++) {
                    if (bytes[i] != value(root(t), i, turn)) { (void)printf("clobbered %u at %u\\n", (unsigned)t, (unsigned)step); break; }
                }
            }
        }
    }
}

int main(void)
{
    static const uint32_t order[] = { 64u, 8u, 16u, 64u, 16u, 8u };
    uint32_t i, walked = 0u;

    CHECK(NET_BUCKET_COUNT == 3u);
    CHECK(net_bucket_for(1u) == &net_buckets[NET_SEQ8_BUCKET]);
    CHECK(net_bucket_for(8u) == &net_buckets[NET_SEQ8_BUCKET]);
    CHECK(net_bucket_for(9u) == &net_buckets[NET_SEQ16_BUCKET]);
    CHECK(net_bucket_for(17u) == &net_buckets[NET_SEQ64_BUCKET]);
    CHECK(net_bucket_for(64u) == &net_buckets[NET_SEQ64_BUCKET]);
    CHECK(net_bucket_for(65u) == NULL);
    for (i = 0u; i < NET_BUCKET_COUNT; i++) {
        const net_bucket *const bucket = &net_buckets[i];
        CHECK(bucket->inputs[0].size == bucket->dim_seq * 64u);
        CHECK(bucket->outputs[0].size == bucket->dim_seq * 16u);
        CHECK(bucket->step_count == 4u);
        CHECK(bucket->tensor_count == 5u);
        CHECK(net_bucket_input(bucket, 1u) == NULL);
        CHECK(net_bucket_output(bucket, 1u) == NULL);
    }
    CHECK(net_bucket_input(net_bucket_for(8u), 0u) == (void *)net_seq8_input_0());
    CHECK(net_bucket_input(net_bucket_for(64u), 0u) == (void *)net_seq64_input_0());
    CHECK(net_bucket_output(net_bucket_for(16u), 0u) == (void *)net_seq16_output_0());
    for (i = 0u; i < sizeof order / sizeof order[0]; i++) {
        walk(net_bucket_for(order[i]), i);
        walked += net_bucket_for(order[i])->step_count;
    }
    (void)printf("walked %u\\n", (unsigned)walked);
    return 0;
}
`;

describe.skipIf(missing(...PROGRAMS) !== undefined)('in C', () => {
  const walked = async (plan: Plan) => {
    const dir = generated(plan, {}, [{ name: 'main.c', text: WALK }]);
    const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
    const built = await run('gcc', [...flags, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
    return built.output === '' ? (await run(join(dir, 'main'), [], dir)).output : built.output;
  };

  it('the right bucket is found, and the walk over its table clobbers nothing', async () => {
    const plan = await planOf(...BUCKETS, '--no-elide');
    expect(await walked(plan)).toBe('walked 24\n');
  });

  it('the walk finds a tensor of one bucket that was moved', async () => {
    const plan = await planOf(...BUCKETS, '--no-elide');
    const [c, x] = ['c', 'x'].map((name) => plan.tensors.find((t) => t.model === 1 && t.name === name)!);
    const tensors = plan.tensors.map((t) => (t === c ? { ...t, offset: x!.offset } : t));
    expect(await walked({ ...plan, tensors })).toContain('clobbered');
  });

  it.each([{ arena: 'static' }, { arena: 'pointer' }, { table: 'none' }, { headerOnly: true }] as const)(
    '%o compiles without a warning',
    async (options) => {
      for (const flags of [BUCKETS, ['--bucket', 'batch=1,4', '--bucket', 'seq=8,16', '--io', 'external']]) {
        const dir = generated(await planOf(...flags), options, [
          ...('headerOnly' in options
            ? [
                {
                  name: 'tensor_memory_pool.c',
                  text: '#define NET_IMPLEMENTATION\n#include "tensor_memory_pool.h"\n',
                },
              ]
            : []),
          { name: 'use.cpp', text: '#include "tensor_memory_pool.h"\n' },
        ]);
        const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
          compile(compiler, dir, [compiler.language === 'c' ? 'tensor_memory_pool.c' : 'use.cpp']),
        );
        expect(said.filter((words) => words !== '')).toEqual([]);
      }
    },
  );
});
