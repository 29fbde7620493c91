/** Inputs with several places (--buffers): a DMA fills one while a run reads another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { parsePlan } from '../../src/plan/read.ts';
import type { Plan } from '../../src/plan/types.ts';
import { loadTarget } from '../../src/target/load.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { cli, emptyFolder } from '../cli/run.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { sealed } from '../support/planned.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

/**
 * x 100 bytes, flat a view of it, r 100, y 400: x would be dead after step 1, and r could lie on it. With two places of
 * 128 bytes (whole lines of 32) at all steps: 256 beside r and y, 500 and its padding.
 */
const NET = model({
  inputs: { x: ['float32', [1, 5, 5]] },
  outputs: { y: ['float32', [1, 100]] },
  initializers: { shape: tensor('int64', [2], [1, 25]), w: tensor('float32', [25, 100]) },
  nodes: [
    node('Reshape', ['x', 'shape'], ['flat'], {}, { name: 'flat' }),
    node('Relu', ['flat'], ['r'], {}, { name: 'relu' }),
    node('MatMul', ['r', 'w'], ['y'], {}, { name: 'wide' }),
  ],
});

const JOB = ['net.onnx', '--target', 'stm32h743', '--align', '4', '--emit', 'json'];

async function ran(bytes: Uint8Array, ...flags: string[]) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'net.onnx'), bytes);
  return cli([...JOB, ...flags], { cwd });
}

async function planOf(...flags: string[]): Promise<Plan> {
  const { code, stdout, stderr } = await ran(NET, '--json', ...flags);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const plan = parsePlan(stdout, 'stdout');
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
}

const DOUBLE = ['--buffers', 'x=2', '--dma', 'x=DMA1'];

it('is called an input with places in the C, for it keeps no value', async () => {
  const header = renderFiles(await planOf(...DOUBLE), loadTarget('stm32h743'))[0]!.text;
  expect(header).toContain('/* x: float32[1,5,5], input with 2 places, live [0, 3)');
  expect(header).not.toContain('state');
});

describe('a plan', () => {
  it('keeps every place at all steps, on lines of its own, and nothing over them', async () => {
    expect((await planOf()).totals.arenaBytes).toBe(500);
    const plan = await planOf(...DOUBLE);
    const x = plan.tensors.find(({ name }) => name === 'x')!;
    expect(plan.states).toEqual([{ model: 0, tensor: 'x', from: null, how: 'kept', places: 2, stride: 128 }]);
    expect(plan.buffers[x.buffer!]).toMatchObject({ bytes: 256, first: 0, end: 3, kind: 'persistent' });
    expect(x.offset! % 32).toBe(0);
    expect(plan.tensors.find(({ name }) => name === 'r')?.buffer).not.toBe(x.buffer);
    // 256, and r and y above them; the arena holds no more than that.
    expect(plan.totals).toMatchObject({ arenaBytes: 256 + 500, optimal: true });
    expect(plan.cache).toEqual([
      { model: 0, tensor: 'x', at: 'before-dma', step: 0, operation: 'invalidate' },
      { model: 0, tensor: 'x', at: 'before-step', step: 0, operation: 'invalidate' },
    ]);
    expect((await planOf('--buffers', 'x=3')).totals.arenaBytes).toBe(3 * 128 + 500);
  });

  const IDENTITY = model({
    inputs: { x: ['float32', [4]] },
    outputs: { y: ['float32', [4]] },
    nodes: [node('Identity', ['x'], ['y'], {}, { name: 'same' })],
  });
  it.each([
    [NET, ['--buffers', 'z=2'], 'no input of this name'],
    [NET, ['--buffers', 'x=1'], 'at least 2'],
    [NET, ['--buffers', 'x=17'], 'at most 16'],
    [NET, [...DOUBLE, '--io', 'external'], 'the caller owns'],
    [NET, [...DOUBLE, '--state', 'x'], 'a state keeps its place'],
    [IDENTITY, ['--buffers', 'x=2'], 'the output y shows its bytes'],
  ])('cannot be %#', async (bytes, flags, part) => {
    const { code, stderr } = await ran(bytes, ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(part);
  });

  it('the checker knows what a place needs', async () => {
    const plan = await planOf(...DOUBLE);
    const said = (state: object, buffer: object = {}) => {
      const wrong = {
        ...plan,
        states: plan.states!.map((one) => ({ ...one, ...state })),
        buffers: plan.buffers.map((one) => (one.kind === 'persistent' ? { ...one, ...buffer } : one)),
      };
      return verifyPlan(sealed(wrong)).map(({ text }) => text);
    };
    expect(said({ places: 3 }).join()).toContain('its buffer ends before the last of them');
    expect(said({ stride: 96 }).join()).toContain('96 bytes are less than what lies in one place');
    expect(said({ stride: 120 }).join()).toContain('share lines of 32 bytes');
    const gap = { first: 2, end: 3, from: 128, to: 256 };
    expect(said({}, { gaps: [gap] }).join()).toContain('others may lie in its bytes');
  });
});

/** A stream: an engine fills the next place while the steps of a run write all that is theirs. */
const STREAM = `
#include "tensor_memory_pool.h"
#include <stdio.h>
#include <string.h>
#define CHECK(e) do { if (!(e)) { (void)printf("%d: %s\\n", __LINE__, #e); } } while (0)

static unsigned char *invalidated;
static void ignore(void *address, size_t bytes) { (void)address; (void)bytes; }
static void invalidate(void *address, size_t bytes) { invalidated = address; CHECK(bytes == 128u); }
static const net_cache_hooks hooks = { ignore, invalidate, ignore };

static void fill(unsigned char *place, unsigned run) { memset(place, (int)run, NET_INPUT_0_SIZE); }

int main(void)
{
    unsigned char *places[NET_INPUT_0_PLACES];
    unsigned run;

    CHECK(net_input_0_next() != (void *)net_input_0());
    fill((unsigned char *)net_input_0(), 1u);
    for (run = 1u; run < 9u; run++) {
        unsigned char *const now = (unsigned char *)net_input_0();
        unsigned char *const next = net_input_0_next();
        unsigned i;

        if (run <= NET_INPUT_0_PLACES) { places[run - 1u] = now; }
        CHECK(now == places[(run - 1u) % NET_INPUT_0_PLACES]);
        CHECK(net_tensor(NET_I_x) == (void *)now);
        CHECK(net_tensor(NET_I_flat) == (void *)now);
        net_cache_maintain(&hooks, NET_CACHE_BEFORE_DMA, 0u);
        CHECK(invalidated == next);
        fill(next, run + 1u);
        net_cache_maintain(&hooks, NET_CACHE_BEFORE_STEP, 0u);
        CHECK(invalidated == now);
        for (i = 0u; i < NET_INPUT_0_SIZE; i++) { CHECK(now[i] == run); }
        memset(net_tensor(NET_I_r), 0xa5, NET_T_r_SIZE);
        memset(net_output_0(), 0x5a, NET_OUTPUT_0_SIZE);
        for (i = 0u; i < NET_INPUT_0_SIZE; i++) { CHECK(now[i] == run && next[i] == run + 1u); }
        net_input_0_swap();
        CHECK((unsigned char *)net_input_0() == next);
    }
    (void)printf("%u runs\\n", run - 1u);
    return 0;
}
`;

describe.skipIf(missing(...PROGRAMS) !== undefined)('in C', () => {
  it.each([2, 3])('a stream goes round in %d places, and no run touches the next', async (places) => {
    const plan = await planOf('--buffers', `x=${places}`, '--dma', 'x=DMA1');
    const dir = generated(plan, {}, [{ name: 'main.c', text: STREAM }]);
    const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
    const built = await run('gcc', [...flags, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
    const { output } = built.output === '' ? await run(join(dir, 'main'), [], dir) : built;
    expect(output).toBe('8 runs\n');
  });

  it.each([{ arena: 'static' }, { arena: 'pointer' }, { table: 'none' }, { table: 'xmacro' }] as const)(
    '%o compiles without a warning',
    async (options) => {
      const dir = generated(await planOf(...DOUBLE), options, [
        { name: 'use.cpp', text: '#include "tensor_memory_pool.h"\n' },
      ]);
      const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
        compile(compiler, dir, [compiler.language === 'c' ? 'tensor_memory_pool.c' : 'use.cpp']),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    },
  );
});
