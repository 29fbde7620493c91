/** Models that share one arena run one after the other, each by its own runner, as onnxruntime runs each alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { type Planned, planModel } from '../../src/pipeline.ts';
import { type PlanRequest, planRequest } from '../../src/plan/request.ts';
import { renderRunner } from '../../src/runner/render.ts';
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
import { rounds } from '../support/rounds.ts';
import { missing, run } from '../support/tools.ts';
import { exampleModel } from './examples.ts';

const RUNS = 10;
const NETWORKS = ['kws-int8', 'branchy'] as const;
const oracle = hasOracle();
const OPTIONS = { name: 'tensor_memory_pool', arena: 'static', weights: 'auto' } as const;
const PREFIXES = new Map([
  ['kws-int8', 'ONE'],
  ['branchy', 'TWO'],
]);

function plannedTogether(dir: string, request: Partial<PlanRequest>): Planned {
  const models = NETWORKS.map((name) => exampleModel(name, dir));
  const common = { target: 'cortex-m7', kernels: 'reference', prefix: 'APP', prefixes: PREFIXES };
  return planModel(planRequest({ ...common, ...request, models }));
}

/** Runs both over a painted arena, in this order of what is done in each turn. Exit status: what a runner returned, or 9. */
const program = (order: string) => `#include <string.h>
#include "files.h"
#include "tensor_memory_pool_one_runner.h"
#include "tensor_memory_pool_two_runner.h"

#define FILL(P, p) if (!read_bytes(p##_input_0(), P##_INPUT_0_SIZE)) { return 9; }
#define RUN(P, p) do { const int status = p##_run(); if (status != 0) { return status; } } while (0);
#define DRAIN(P, p) if (!write_bytes(p##_output_0(), P##_OUTPUT_0_SIZE)) { return 9; }

int main(void)
{
#ifndef KEEP
    (void)memset(app_arena_ram, 0xA5, APP_R_RAM_SIZE);
#endif
    for (int i = 0; i < RUNS; i++) {
        ${order}
    }
    return 0;
}
`;
const IN_TURN = 'FILL(ONE, one) RUN(ONE, one) DRAIN(ONE, one) FILL(TWO, two) RUN(TWO, two) DRAIN(TWO, two)';
/** The first's output is read when the second has run. */
const HELD = 'FILL(ONE, one) RUN(ONE, one) FILL(TWO, two) RUN(TWO, two) DRAIN(ONE, one) DRAIN(TWO, two)';
/** The second's input waits while the first runs. */
const APART = 'FILL(ONE, one) FILL(TWO, two) RUN(ONE, one) RUN(TWO, two) DRAIN(ONE, one) DRAIN(TWO, two)';

/** Each model alone: what it is fed and what it should answer. */
function alone(name: string): { readonly inputs: Buffer; readonly expected: Expected } {
  const dir = emptyFolder();
  const path = exampleModel(name, dir);
  const expected = runOracle(emitRunner(dir, { models: [path] }), path, RUNS);
  return { inputs: readFileSync(join(dir, 'inputs.bin')), expected };
}

/** The same share of each buffer in turn, run by run. */
function inTurn(buffers: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  for (let i = 0; i < RUNS; i++) {
    for (const bytes of buffers) {
      const size = bytes.length / RUNS;
      parts.push(bytes.subarray(i * size, (i + 1) * size));
    }
  }
  return Buffer.concat(parts);
}

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const checks = ['-DONE_CHECK', '-DTWO_CHECK'];
    const held = () => {
      const { plan } = plannedTogether(emptyFolder(), {});
      return { hold: [`kws-int8:${plan.models[0]!.outputs[0]}`] };
    };

    /** Builds and runs them; what differs from onnxruntime. */
    async function ran(request: Partial<PlanRequest>, order: string, more: readonly string[]) {
      const dir = emptyFolder();
      const planned = plannedTogether(dir, request);
      const models = NETWORKS.map(alone);
      writeFiles(dir, [
        ...renderFiles(planned.plan, planned.target),
        ...renderRunner(planned, OPTIONS),
        { name: 'main.c', text: program(order) },
        { name: 'inputs.bin', text: inTurn(models.map(({ inputs }) => inputs)) },
      ]);
      const parts = ['', '_one_runner', '_one_weights', '_two_runner', '_two_weights', '_kernels'];
      const sources = [...parts.map((part) => `tensor_memory_pool${part}.c`), 'main.c'];
      const files = [...sources, join(PROGRAMS, 'files-host.c')];
      const flags = [...STRICT, '-O1', ...more, `-DRUNS=${RUNS}`, '-I.', '-I', PROGRAMS];
      const built = await run('gcc', [...flags, ...files, '-o', 'infer', '-lm'], dir);
      expect(built).toEqual({ status: 0, output: '' });
      expect(await run(join(dir, 'infer'), [], dir)).toMatchObject({ status: 0 });
      const expected: Expected = {
        runs: RUNS,
        outputs: models.flatMap((model) => model.expected.outputs),
        bytes: inTurn(models.map((model) => model.expected.bytes)),
      };
      return wrong(differences({ dir, planned, defines: [] }, expected));
    }

    const modes: readonly (readonly [string, () => Partial<PlanRequest>, string])[] = [
      ['taking turns', () => ({}), IN_TURN],
      ['with their weights in RAM', () => ({ weights: 'ram' }), IN_TURN],
      ['apart', () => ({ run: 'concurrent' }), APART],
      ['one that holds its output', held, HELD],
      ['one after the other', () => ({ run: 'joint' }), IN_TURN],
    ];
    it.each(modes.slice(0, rounds(modes.length, 2)))('%s', async (_, request, order) => {
      for (const more of [['-fsanitize=address,undefined', '-fno-sanitize-recover=all'], checks])
        expect(await ran(request(), order, more)).toEqual([]);
    });

    it('an output that nobody holds is gone when the other has run', async () => {
      expect(await ran({}, HELD, [])).not.toEqual([]);
    });

    it('a tensor that is handed over is read where it was written', async () => {
      const dir = emptyFolder();
      const weights = (rows: number, columns: number) =>
        tensor(
          'float32',
          [rows, columns],
          Array.from({ length: rows * columns }, (_, i) => Math.sin(rows + 1.3 * i) / 4),
        );
      const [first, second] = [
        [node('MatMul', ['x', 'u'], ['p']), node('Relu', ['p'], ['h'])],
        [node('MatMul', ['h', 'v'], ['q']), node('Softmax', ['q'], ['y'])],
      ] as const;
      const [x, h, y] = [
        [1, 16],
        [1, 64],
        [1, 8],
      ].map((shape) => ['float32', shape] as const);
      const file = (name: string, spec: Parameters<typeof model>[0]) => {
        writeFileSync(join(dir, `${name}.onnx`), model(spec));
        return join(dir, `${name}.onnx`);
      };
      const models = [
        file('one', {
          inputs: { x: x! },
          outputs: { h: h! },
          initializers: { u: weights(16, 64) },
          nodes: first,
        }),
        file('two', {
          inputs: { h: h! },
          outputs: { y: y! },
          initializers: { v: weights(64, 8) },
          nodes: second,
        }),
      ];
      const whole = file('whole', {
        ...{ inputs: { x: x! }, outputs: { y: y! }, nodes: [...first, ...second] },
        initializers: { u: weights(16, 64), v: weights(64, 8) },
      });
      const planned = planModel(
        planRequest({
          ...{ models, target: 'cortex-m7', kernels: 'reference', prefix: 'APP', run: 'joint' },
          ...{
            link: ['one:h=two:h'],
            prefixes: new Map([
              ['one', 'ONE'],
              ['two', 'TWO'],
            ]),
          },
        }),
      );
      const alone = emptyFolder();
      const expected = runOracle(emitRunner(alone, { models: [whole] }), whole, RUNS);
      writeFiles(dir, [
        ...renderFiles(planned.plan, planned.target),
        ...renderRunner(planned, OPTIONS),
        { name: 'main.c', text: program('FILL(ONE, one) RUN(ONE, one) RUN(TWO, two) DRAIN(TWO, two)') },
        { name: 'inputs.bin', text: readFileSync(join(alone, 'inputs.bin')) },
      ]);
      const parts = ['', '_one_runner', '_one_weights', '_two_runner', '_two_weights', '_kernels'];
      const files = [
        ...parts.map((part) => `tensor_memory_pool${part}.c`),
        'main.c',
        join(PROGRAMS, 'files-host.c'),
      ];
      const flags = [...STRICT, '-O1', ...checks, `-DRUNS=${RUNS}`, '-I.', '-I', PROGRAMS];
      const built = await run('gcc', [...flags, ...files, '-o', 'infer', '-lm'], dir);
      expect(built).toEqual({ status: 0, output: '' });
      expect(await run(join(dir, 'infer'), [], dir)).toMatchObject({ status: 0 });
      expect(wrong(differences({ dir, planned, defines: [] }, expected))).toEqual([]);
    });
  },
);
