/** Models that share one arena run one after the other, each by its own runner, as onnxruntime runs each alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { MemplanError } from '../../src/errors.ts';
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

/** Runs both in turn over a painted arena. Exit status: what a runner returned, or 9. */
const PROGRAM = `#include <string.h>
#include "files.h"
#include "tensor_memory_pool_one_runner.h"
#include "tensor_memory_pool_two_runner.h"

#define TURN(P, p) do { \\
    int status; \\
    if (!read_bytes(p##_input_0(), P##_INPUT_0_SIZE)) { return 9; } \\
    status = p##_run(); \\
    if (status != 0) { return status; } \\
    if (!write_bytes(p##_output_0(), P##_OUTPUT_0_SIZE)) { return 9; } \\
} while (0)

int main(void)
{
#ifndef KEEP
    (void)memset(app_arena_ram, 0xA5, APP_R_RAM_SIZE);
#endif
    for (int i = 0; i < RUNS; i++) {
        TURN(ONE, one);
        TURN(TWO, two);
    }
    return 0;
}
`;

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
    const modes: readonly (readonly [string, Partial<PlanRequest>, readonly string[]])[] = [
      ['taking turns', {}, ['-DONE_CHECK', '-DTWO_CHECK']],
      ['with their weights in RAM', { weights: 'ram' }, ['-DONE_CHECK', '-DTWO_CHECK']],
      ['one after the other', { run: 'joint' }, []],
      ['apart', { run: 'concurrent' }, []],
    ];
    it.each(modes.slice(0, rounds(modes.length, 2)))('%s', async (_, request, checks) => {
      const dir = emptyFolder();
      const planned = plannedTogether(dir, request);
      const models = NETWORKS.map(alone);
      writeFiles(dir, [
        ...renderFiles(planned.plan, planned.target),
        ...renderRunner(planned, OPTIONS),
        { name: 'main.c', text: PROGRAM },
        { name: 'inputs.bin', text: inTurn(models.map(({ inputs }) => inputs)) },
      ]);
      const parts = ['', '_one_runner', '_one_weights', '_two_runner', '_two_weights', '_kernels'];
      const sources = [...parts.map((part) => `tensor_memory_pool${part}.c`), 'main.c'];
      const files = [...sources, join(PROGRAMS, 'files-host.c')];
      for (const more of [['-fsanitize=address,undefined', '-fno-sanitize-recover=all'], checks]) {
        const flags = [...STRICT, '-O1', ...more, `-DRUNS=${RUNS}`, '-I.', '-I', PROGRAMS];
        const built = await run('gcc', [...flags, ...files, '-o', 'infer', '-lm'], dir);
        expect(built).toEqual({ status: 0, output: '' });
        expect(await run(join(dir, 'infer'), [], dir)).toMatchObject({ status: 0 });
        const expected: Expected = {
          runs: RUNS,
          outputs: models.flatMap((model) => model.expected.outputs),
          bytes: inTurn(models.map((model) => model.expected.bytes)),
        };
        expect(wrong(differences({ dir, planned, defines: [] }, expected))).toEqual([]);
      }
    });
  },
);

it('tensors that outlive a run of their model are refused', () => {
  const first = plannedTogether(emptyFolder(), {});
  const hold = [`branchy:${first.plan.models[1]!.inputs[0]}`];
  const planned = plannedTogether(emptyFolder(), { hold });
  expect(() => renderRunner(planned, OPTIONS)).toThrow(MemplanError);
  expect(() => renderRunner(planned, OPTIONS)).toThrow(/hand tensors to each other, or hold them/);
});
