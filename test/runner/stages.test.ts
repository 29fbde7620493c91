/** Weights that a runner brings for their steps: they come in time, to their places, and kernels read them there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import type { RunnerOptions } from '../../src/runner/view.ts';
import { emptyFolder } from '../support/generated.ts';
import {
  differences,
  type Emitted,
  type Expected,
  emitNet,
  emitRunner,
  inferOnHost,
  PROGRAMS,
  runOracle,
  spoilRunner,
  wrong,
} from '../support/inference.ts';
import { graph, model, node, tensor } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { rounds } from '../support/rounds.ts';
import { missing } from '../support/tools.ts';
import { exampleModel } from './examples.ts';
import { inTwoRegions } from './ways.ts';

const RUNS = 4;
const oracle = hasOracle();
const CHECK = ['-DNET_CHECK'];
/** No cache, so that a copy takes its own bytes alone. */
const PLAIN = { target: 'cortex-m4', weights: 'stage' } as const;
const CACHED = { target: 'stm32h743', weights: 'stage' } as const;

const matrix = (rows: number, columns: number) =>
  tensor(
    'float32',
    [rows, columns],
    Array.from({ length: rows * columns }, (_, i) => Math.sin(rows + columns + 1.3 * i) / 3),
  );

/** Weights of 4096, 2048, 256 and 32 bytes: u for step 0, v for 1, w for 2 and 4, t for 5. */
const NET = model({
  opset: 13,
  inputs: { x: ['float32', [1, 16]] },
  outputs: { y: ['float32', [1, 8]] },
  initializers: { u: matrix(16, 64), v: matrix(64, 8), w: matrix(8, 8), t: matrix(1, 8) },
  nodes: [
    node('MatMul', ['x', 'u'], ['a'], {}, { name: 's0' }),
    node('MatMul', ['a', 'v'], ['b'], {}, { name: 's1' }),
    node('MatMul', ['b', 'w'], ['c'], {}, { name: 's2' }),
    node('Softmax', ['c'], ['d'], {}, { name: 's3' }),
    node('MatMul', ['d', 'w'], ['e'], {}, { name: 's4' }),
    node('Add', ['e', 't'], ['y'], {}, { name: 's5' }),
  ],
});
/** One of its branches reads v; w is needed behind both of them. */
const BRANCHES = model({
  opset: 13,
  inputs: { x: ['float32', [1, 16]] },
  outputs: { y: ['float32', [1, 8]] },
  initializers: { least: tensor('float32', [], [0]), v: matrix(16, 16), w: matrix(16, 8) },
  nodes: [
    node('ReduceMean', ['x'], ['mean'], { keepdims: 0 }),
    node('Greater', ['mean', 'least'], ['is']),
    node('If', ['is'], ['b'], {
      then_branch: graph({
        nodes: [node('MatMul', ['x', 'v'], ['t'])],
        outputs: { t: ['float32', [1, 16]] },
      }),
      else_branch: graph({ nodes: [node('Neg', ['x'], ['e'])], outputs: { e: ['float32', [1, 16]] } }),
    }),
    node('MatMul', ['b', 'w'], ['y']),
  ],
});

/** What reports call the weights: they come behind the tensors x, a, b, c, d, e and y. */
const NUMBERS = { u: 7, v: 8, w: 9, t: 10 } as const;

interface Ready {
  readonly emitted: Emitted;
  readonly expected: Expected;
}

function prepared(request: Partial<PlanRequest>, options: Partial<RunnerOptions> = {}, network = NET): Ready {
  const { path, emitted } = emitNet(network, request, options);
  return { emitted, expected: runOracle(emitted, path, RUNS) };
}

const RUNNER = 'tensor_memory_pool_runner.c';

/** Runs it with an engine that takes its time; `flags`: for the engine. */
async function ran({ emitted, expected }: Ready, defines: readonly string[], flags?: readonly string[]) {
  const library = flags === undefined ? [] : [...flags, join(PROGRAMS, 'engine.c')];
  const all = { ...emitted, defines: [...emitted.defines, ...defines], library };
  const { status, output } = await inferOnHost(all, RUNS);
  return { status, output, wrong: status === 0 ? wrong(differences(emitted, expected)) : [] };
}

/** How far runs write in all arenas: not to the end of the last line of the cache that a copy has for itself. */
function written({ regions, buffers, constants }: Plan): number {
  const bytes = new Map(constants.map((one) => [one.buffer, one.bytes]));
  const ends = regions.map(({ name }) =>
    Math.max(...buffers.map((b) => (b.region === name ? b.offset + (bytes.get(b.id) ?? b.bytes) : 0))),
  );
  return ends.reduce((a, b) => a + b, 0);
}

/** Spoils a byte of a weight when the kernel of a step is done. */
const spoil = (weight: string, step: number) =>
  [
    new RegExp(`/\\* +${step} +s${step} (?:.|\\n)*?    memplan_(?!bring)\\w+\\([^;]*;\\n`),
    `$&    ((uint8_t *)NET_AT_RAM(NET_W_${weight}_OFFSET))[5] ^= 1u;\n`,
  ] as const;

const bringing = (weight: string) =>
  new RegExp(`    memplan_bring\\(NET_AT_\\w+\\(NET_W_${weight}_OFFSET\\)[^;]*;\n`);

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const right = { status: 0, wrong: [] };

    const ways = [
      ['no cache', PLAIN],
      ['a cache', CACHED],
      ['inputs and outputs of the caller', { ...PLAIN, io: 'external' }],
    ] as const;
    it.each(ways.slice(0, rounds(ways.length, 1)))('whoever copies, with %s', async (_, request) => {
      const ready = prepared(request);
      const used = ready.emitted.planned.plan.totals.arenaBytes;
      const said = `touched ${used}\nused ${used}\n`;
      for (const defines of [CHECK, []].slice(0, rounds(2, 1)))
        for (const flags of [undefined, []])
          expect(await ran(ready, defines, flags)).toEqual({ ...right, output: said });
    });

    it('an arena that gets its memory at run time', async () => {
      const ready = prepared(PLAIN, { arena: 'pointer' });
      const { plan, target } = ready.emitted.planned;
      const memory = `#include "tensor_memory_pool.h"
static uint8_t memory[NET_R_RAM_SIZE] __attribute__((aligned(64)));
__attribute__((constructor)) static void give(void) { (void)net_arena_ram_set(memory, sizeof memory); }
`;
      writeFiles(ready.emitted.dir, [
        ...renderFiles(plan, target, { arena: 'pointer' }),
        { name: 'memory.c', text: memory },
      ]);
      for (const defines of [CHECK, []].slice(0, rounds(2, 1)))
        expect(await ran(ready, defines, ['memory.c'])).toMatchObject(right);
    });

    it('kernels read no weight in flash', async () => {
      const ready = prepared(PLAIN, { weights: 'bin' });
      const { dir } = ready.emitted;
      const weights = readFileSync(join(dir, 'tensor_memory_pool_weights.bin'));
      writeFileSync(join(dir, 'true.bin'), weights);
      // But for the hash and the size before them.
      writeFileSync(join(dir, 'tensor_memory_pool_weights.bin'), weights.fill(0xee, 16));
      expect(await ran(ready, [], [`-DENGINE_TRUE_WEIGHTS=${weights.length}`])).toMatchObject(right);
      const outputs = (await ran(ready, [], [])).wrong.map(({ output }) => output);
      expect(outputs).toEqual(['y']);
    });

    it('what is needed behind an If comes while its branches run', async () => {
      const ready = prepared(PLAIN, {}, BRANCHES);
      const text = readFileSync(join(ready.emitted.dir, RUNNER), 'utf8');
      const order = [
        ...['memplan_bring\\(NET_AT_RAM\\(NET_W_w_OFFSET', 'STEP_ENDS\\(2u', 'if \\(', 'STEP_ENDS\\(3u'],
        ...[
          'else',
          'STEP_ENDS\\(4u',
          'STEP_BEGINS\\(5u',
          'memplan_bring_wait',
          'BROUGHT\\(5u',
          'matmul',
          'BROUGHT\\(5u',
        ],
      ];
      expect(text).toMatch(new RegExp(order.join('[^]*')));
      expect(await ran(ready, CHECK)).toMatchObject(right);
      const least = ready.emitted.planned.plan.tensors.length;
      spoilRunner(ready.emitted, [
        / {8}memplan_(matmul|neg)_f32\([^;]*;\n/g,
        '$&        ((uint8_t *)NET_AT_RAM(NET_W_w_OFFSET))[5] ^= 1u;\n',
      ]);
      const { status, output } = await ran(ready, CHECK);
      expect({ status, first: output.split('\n').slice(0, 2) }).toEqual({
        status: 3,
        first: ['damaged: step 5', `  tensor ${least + 2}`],
      });
    });

    const networks = [
      ['kws-int8', PLAIN, 1],
      ['kws', CACHED, 1],
      ['branchy', PLAIN, 2],
      ['resnet8', CACHED, 1],
    ] as const;
    it.each(networks.slice(0, rounds(networks.length, 0)))(
      '%s, %j, regions: %i',
      async (name, way, regions) => {
        const dir = emptyFolder();
        const path = exampleModel(name, dir);
        const request = regions === 1 ? way : { ...way, ...inTwoRegions(dir, [path], way) };
        const emitted = emitRunner(dir, { ...request, models: [path] });
        const ready = { emitted, expected: runOracle(emitted, path, RUNS) };
        expect(emitted.planned.plan.regions.length).toBe(regions);
        const { plan } = emitted.planned;
        const used = plan.totals.arenaBytes;
        if (plan.cache === undefined) expect(written(plan)).toBe(used);
        const output = `touched ${written(plan)}\nused ${used}\n`;
        expect(await ran(ready, [], [])).toEqual({ ...right, output });
        expect(await ran(ready, CHECK)).toMatchObject(right);
      },
    );
  },
);

describe.skipIf(!oracle || missing('gcc') !== undefined)('what is asked of an engine', () => {
  /** By every run the same. */
  const asked = async (request: Partial<PlanRequest>) => {
    const { output } = await ran(prepared(request), [], ['-DENGINE_SAYS']);
    const all = output.split('\n').filter((line) => /^(bring|wait|invalidate)/.test(line));
    expect(all.length % RUNS).toBe(0);
    const each = Array.from({ length: RUNS }, (_, i) =>
      all.slice((i * all.length) / RUNS, ((i + 1) * all.length) / RUNS),
    );
    for (const one of each) expect(one).toEqual(each[0]);
    return each[0];
  };

  it('beside a cache', async () => {
    expect(await asked(PLAIN)).toEqual([
      // Before step 0, and while it runs.
      ...['bring 4096', 'wait 1', 'bring 2048', 'wait 1'],
      // While steps 1 and 4 run.
      ...['bring 256', 'wait 1'],
      ...['bring 32', 'wait 1'],
    ]);
  });

  it('behind a cache: its lines are dropped before and behind', async () => {
    expect(await asked(CACHED)).toEqual([
      ...['invalidate 4096', 'bring 4096', 'wait 1', 'invalidate 4096'],
      ...['invalidate 2048', 'bring 2048', 'wait 1', 'invalidate 2048'],
      ...['invalidate 256', 'bring 256', 'wait 1', 'invalidate 256'],
      ...['invalidate 32', 'bring 32', 'wait 1', 'invalidate 32'],
    ]);
  });
});

it('its C is as it was', async () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'net.onnx'), NET);
  emitRunner(dir, { models: [join(dir, 'net.onnx')], ...CACHED });
  await expect(readFileSync(join(dir, RUNNER), 'utf8')).toMatchFileSnapshot('golden/staged_runner.c');
});

describe.skipIf(!oracle || missing('gcc') !== undefined)('a fault shows', () => {
  const spoilt = (
    changes: readonly (readonly [string | RegExp, string])[],
    flags?: readonly string[],
    request: Partial<PlanRequest> = {},
  ) => {
    const ready = prepared({ ...PLAIN, ...request });
    spoilRunner(ready.emitted, ...changes);
    return { checked: () => ran(ready, CHECK, flags), plain: () => ran(ready, [], flags) };
  };
  /** The first of them, which those behind it may follow from. */
  const expectReport = async (run: () => ReturnType<typeof ran>, step: number, tensor: number) => {
    const { status, output } = await run();
    expect({ status, first: /^damaged.*\n.*$/m.exec(output)?.[0] }).toEqual({
      status: 3,
      first: `damaged: step ${step}\n  tensor ${tensor}`,
    });
  };

  const missed = [
    ['u', 0],
    ['v', 0],
    ['w', 1],
    ['t', 4],
  ] as const;
  it.each(missed.slice(0, rounds(missed.length, 1)))('%s is not brought', async (weight, step) => {
    const { checked, plain } = spoilt([[bringing(weight), '']]);
    await expectReport(checked, step, NUMBERS[weight]);
    expect((await plain()).wrong.map(({ output }) => output)).toEqual(['y']);
  });

  const late = async () => {
    const line = '    memplan_bring(NET_AT_RAM(NET_W_w_OFFSET), net_weights.w_w, NET_W_w_SIZE);\n';
    const { checked, plain } = spoilt([
      [bringing('w'), ''],
      ['    STEP_ENDS(2u);\n', `${line}    STEP_ENDS(2u);\n`],
    ]);
    await expectReport(checked, 1, NUMBERS.w);
    expect((await plain()).wrong.map(({ output }) => output)).toEqual(['y']);
  };

  const unwaited = async () => {
    const { checked, plain } = spoilt([], ['-DENGINE_NEVER_WAITS']);
    await expectReport(checked, 0, NUMBERS.u);
    expect((await plain()).wrong.map(({ output }) => output)).toEqual(['y']);
  };

  const spoiled = [
    ['that is on its way', 'v', 0],
    ['that its step reads', 'v', 1],
    ['that the first step reads', 'u', 0],
    ['that waits for its next reader', 'w', 3],
  ] as const;
  it.each(spoiled.slice(0, rounds(spoiled.length, 1)))(
    'a kernel writes over a weight %s',
    async (_, weight, step) => {
      await expectReport(spoilt([spoil(weight, step)]).checked, step, NUMBERS[weight]);
    },
  );

  const overlapping = async () => {
    const ready = prepared(PLAIN);
    const { dir, planned } = ready.emitted;
    const v = planned.plan.constants.find(({ name }) => name === 'v')!;
    const { offset } = planned.plan.buffers.find(({ id }) => id === v.buffer)!;
    for (const file of ['tensor_memory_pool.h', 'tensor_memory_pool.c']) {
      const before = readFileSync(join(dir, file), 'utf8');
      const after = before.replace(/(NET_W_w_OFFSET (?:!= )?)\d+u/g, `$1${offset}u`);
      expect(after).not.toBe(before);
      writeFileSync(join(dir, file), after);
    }
    await expectReport(() => ran(ready, CHECK), 1, NUMBERS.v);
    expect((await ran(ready, [])).wrong.map(({ output }) => output)).toEqual(['y']);
  };

  const wholes = [
    ['nobody waits for the engine', unwaited],
    ['a plan puts a weight where one lies that is still read', overlapping],
    ['a weight comes when its step is done', late],
  ] as const;
  it.each(wholes.slice(0, rounds(wholes.length, 1)))('%s', (_, check) => check());

  const further = [
    ['over the input', 4096, 0, 0],
    ['over a weight that is there', 256, 1, NUMBERS.v],
    ['where nobody has bytes', 32, 4, 2 ** 32 - 1],
  ] as const;
  it.each(further.slice(0, rounds(further.length, 1)))(
    'the engine writes too far, %s',
    async (_, bytes, step, tensor) => {
      // What lies behind a weight: u x, w v, t nothing.
      await expectReport(
        spoilt([], [`-DENGINE_TOO_FAR=${bytes}u`], { strategy: 'skyline' }).checked,
        step,
        tensor,
      );
    },
  );
});
