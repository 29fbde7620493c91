/** Buckets of one model run one after another over one arena and one copy of the weights, each as onnxruntime runs its size. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { planModel } from '../../src/pipeline.ts';
import { type PlanRequest, planRequest } from '../../src/plan/request.ts';
import { renderRunner } from '../../src/runner/render.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { emptyFolder } from '../support/generated.ts';
import {
  differences,
  type Expected,
  emitRunner,
  PROGRAMS,
  runOracle,
  STRICT,
  wrong,
} from '../support/inference.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing, run } from '../support/tools.ts';

const RUNS = 4;
const SIZES = [1, 3, 8] as const;
const OPTIONS = { name: 'tensor_memory_pool', arena: 'static', weights: 'auto' } as const;
const oracle = hasOracle();

const numbers = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => Math.sin(seed + 1.7 * i) / 2);

/** Of `half` there is one for each size, all of one name: 8, 24 and 64 elements of the value 0.5. */
const NET = model({
  opset: 13,
  inputs: { x: ['float32', ['n', 16]] },
  outputs: { y: ['float32', ['n', 8]], t: ['float32', [8, 'n']] },
  initializers: {
    u: tensor('float32', [16, 64], numbers(16 * 64, 1)),
    v: tensor('float32', [64, 8], numbers(64 * 8, 2)),
    bias: tensor('float32', [8], numbers(8, 3)),
  },
  nodes: [
    node('MatMul', ['x', 'u'], ['a'], {}, { name: 's0' }),
    node('Relu', ['a'], ['b'], {}, { name: 's1' }),
    node('MatMul', ['b', 'v'], ['c'], {}, { name: 's2' }),
    node('Add', ['c', 'bias'], ['d'], {}, { name: 's3' }),
    node('Shape', ['d'], ['shape'], {}, { name: 'shape' }),
    node(
      'ConstantOfShape',
      ['shape'],
      ['half'],
      { value: { tensor: tensor('float32', [1], [0.5]) } },
      { name: 'half' },
    ),
    node('Mul', ['d', 'half'], ['e'], {}, { name: 's4' }),
    node('Softmax', ['e'], ['y'], { axis: 1 }, { name: 's5' }),
    node('Transpose', ['y'], ['t'], { perm: [1, 0] }, { name: 's6' }),
  ],
});

function pathIn(dir: string): string {
  const path = join(dir, 'net.onnx');
  writeFileSync(path, NET);
  return path;
}

/** The folder with the C of all buckets. */
function inBuckets(request: Partial<PlanRequest> = {}) {
  const dir = emptyFolder();
  const common = { target: 'cortex-m7', kernels: 'reference', prefix: 'NET' };
  const buckets = [{ name: 'n', sizes: SIZES }];
  const planned = planModel(planRequest({ ...common, buckets, ...request, models: [pathIn(dir)] }));
  const files = [...renderFiles(planned.plan, planned.target), ...renderRunner(planned, OPTIONS)];
  writeFiles(dir, files);
  return { dir, planned };
}

const LAST = `NET_N${SIZES.at(-1)}`;
const last = LAST.toLowerCase();

/** Runs every size in turn, over a painted arena. Exit status: what a runner returned, or 9. */
const PROGRAM = `#include <string.h>
#include "files.h"
${SIZES.map((n) => `#include "tensor_memory_pool_net_n${n}_runner.h"\n`).join('')}
#define TURN(P, p) do { \\
    int status; \\
    if (!read_bytes(p##_input_0(), P##_INPUT_0_SIZE)) { return 9; } \\
    status = p##_run(); \\
    if (status != 0) { return status; } \\
    if (!write_bytes(p##_output_0(), P##_OUTPUT_0_SIZE)) { return 9; } \\
    if (!write_bytes(p##_output_1(), P##_OUTPUT_1_SIZE)) { return 9; } \\
} while (0)

int main(void)
{
#ifdef PAINT
    (void)memset(net_arena_ram, 0xA5, NET_R_RAM_SIZE);
#endif
#ifdef LAST_FIRST
    /* What it answers before the first size has run is what it answers after. */
    static unsigned char answer[${LAST}_OUTPUT_0_SIZE];
    (void)memset(${last}_input_0(), 0, ${LAST}_INPUT_0_SIZE);
    if (${last}_run() != 0) { return 8; }
    (void)memcpy(answer, ${last}_output_0(), sizeof answer);
    if (net_n${SIZES[0]}_run() != 0) { return 8; }
    (void)memset(${last}_input_0(), 0, ${LAST}_INPUT_0_SIZE);
    if ((${last}_run() != 0) || (memcmp(answer, ${last}_output_0(), sizeof answer) != 0)) { return 8; }
#endif
    for (int i = 0; i < RUNS; i++) {
${SIZES.map((n) => `        TURN(NET_N${n}, net_n${n});\n`).join('')}    }
    return 0;
}
`;

/** One size planned alone: what it is fed and what it should answer. */
function alone(n: number): { readonly inputs: Buffer; readonly expected: Expected } {
  const dir = emptyFolder();
  const bindings = { ...NO_BINDINGS, dims: new Map([['n', n]]) };
  const path = pathIn(dir);
  const expected = runOracle(emitRunner(dir, { models: [path], bindings }), path, RUNS);
  return { inputs: readFileSync(join(dir, 'inputs.bin')), expected };
}

/** The same share of each buffer in turn, run by run. */
function inTurn(buffers: readonly Buffer[]): Buffer {
  return Buffer.concat(
    Array.from({ length: RUNS }, (_, i) =>
      buffers.map((bytes) => bytes.subarray((i * bytes.length) / RUNS, ((i + 1) * bytes.length) / RUNS)),
    ).flat(),
  );
}

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    it.each<[string, Partial<PlanRequest>, readonly string[]]>([
      ['every size', {}, ['-DPAINT']],
      ['in check builds', {}, SIZES.map((n) => `-DNET_N${n}_CHECK`)],
      ['with weights in RAM', { weights: 'ram' }, []],
      ['with weights in RAM, in check builds', { weights: 'ram' }, SIZES.map((n) => `-DNET_N${n}_CHECK`)],
      ['the last size first, with weights in RAM', { weights: 'ram' }, ['-DLAST_FIRST']],
    ])('%s', async (_, request, flags) => {
      const { dir, planned } = inBuckets(request);
      const models = SIZES.map(alone);
      writeFiles(dir, [
        { name: 'main.c', text: PROGRAM },
        { name: 'inputs.bin', text: inTurn(models.map(({ inputs }) => inputs)) },
      ]);
      const runners = SIZES.map((n) => `_net_n${n}_runner`);
      const sources = ['', ...runners, '_weights', '_kernels'].map((part) => `tensor_memory_pool${part}.c`);
      const files = [...sources, 'main.c', join(PROGRAMS, 'files-host.c')];
      const sanitize = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
      const args = [...STRICT, '-O1', ...sanitize, ...flags, `-DRUNS=${RUNS}`, '-I.', '-I', PROGRAMS];
      expect(await run('gcc', [...args, ...files, '-o', 'infer', '-lm'], dir)).toEqual({
        status: 0,
        output: '',
      });
      expect(await run(join(dir, 'infer'), [], dir)).toMatchObject({ status: 0 });
      const expected: Expected = {
        runs: RUNS,
        outputs: models.flatMap((one) => one.expected.outputs),
        bytes: inTurn(models.map((one) => one.expected.bytes)),
      };
      expect(expected.outputs.map(({ shape }) => shape)).toEqual(
        SIZES.flatMap((n) => [
          [n, 8],
          [8, n],
        ]),
      );
      expect(wrong(differences({ dir, planned, defines: [] }, expected))).toEqual([]);
    });
  },
);

it('all read the copies in RAM, which the first makes', () => {
  const { dir, planned } = inBuckets({ weights: 'ram' });
  const copied = planned.plan.constants.filter(({ buffer, model: at }) => buffer !== undefined && at === 0);
  expect(copied.map(({ name }) => name)).toEqual(expect.arrayContaining(['u', 'v', 'bias']));
  for (const n of SIZES) {
    const text = readFileSync(join(dir, `tensor_memory_pool_net_n${n}_runner.c`), 'utf8');
    const steps = text.slice(text.indexOf(`int net_n${n}_run(void)`));
    expect(steps).not.toMatch(/net_weights\.w_(u|v|bias)\b/);
    expect(steps).toMatch(new RegExp(`NET_N${n}_AT_RAM\\(NET_N1_W_u_OFFSET\\)`));
    expect(text.includes('net_n1_load_once();')).toBe(n !== 1);
  }
});

it('have one copy of the weights, and what differs from size to size beside it', () => {
  const { dir } = inBuckets();
  const weights = readdirSync(dir).filter((name) => name.includes('_weights'));
  expect(weights.sort()).toEqual(['tensor_memory_pool_weights.c', 'tensor_memory_pool_weights.h']);
  const header = readFileSync(join(dir, 'tensor_memory_pool_weights.h'), 'utf8');
  const members = [...header.matchAll(/float w_(\w+)\[(\d+)\]/g)].map(([, name, size]) => [
    name,
    Number(size),
  ]);
  expect(members.filter(([name]) => ['u', 'v', 'bias'].includes(name as string))).toEqual([
    ['u', 16 * 64],
    ['v', 64 * 8],
    ['bias', 8],
  ]);
  const others = members.filter(([name]) => !['u', 'v', 'bias'].includes(name as string));
  expect(others.map(([, size]) => size)).toEqual(SIZES.map((n) => 8 * n));
  expect(new Set(others.map(([name]) => name)).size).toBe(SIZES.length);
});
