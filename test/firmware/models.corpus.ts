/** The C of every corpus model that can be planned compiles, and a walk through its offset table clobbers nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RenderedFile, renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { MemplanError } from '../../src/errors.ts';
import { planModel } from '../../src/pipeline.ts';
import { REQUEST_DEFAULTS } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { compile, SOME_COMPILERS } from '../support/compilers.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { walkOnHost } from '../support/firmware.ts';
import { emptyFolder } from '../support/generated.ts';
import { missing, twoAtATime } from '../support/tools.ts';

const shared = corpus();
if (shared === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

/** Bytes that a walk writes and reads; beyond this it would take minutes. */
const MOST_BYTES = 4e9;
/** Models of the corpus that must be planned here, of 68 with true shapes. */
const LEAST_PLANNED = 43;

type Truth = { readonly inputs: Readonly<Record<string, readonly [string, readonly number[]]>> };

/** The plan with its C, or the code of the error that says why there is none. */
function planned(name: string): { readonly plan: Plan; readonly files: readonly RenderedFile[] } | string {
  const truth = JSON.parse(readFileSync(join(shared!, 'data/truth', `${name}.json`), 'utf8')) as Truth;
  const inputShapes = new Map(Object.entries(truth.inputs).map(([input, [, shape]]) => [input, shape]));
  try {
    const { plan, target } = planModel({
      ...REQUEST_DEFAULTS,
      models: [join(shared!, 'data/models', `${name}.onnx`)],
      target: 'cortex-m7',
      prefix: 'NET',
      bindings: { ...NO_BINDINGS, inputShapes },
    });
    return { plan, files: renderFiles(plan, target) };
  } catch (error) {
    if (error instanceof MemplanError) return error.code;
    throw error;
  }
}

const names =
  shared === undefined
    ? []
    : readdirSync(join(shared, 'data/truth'))
        .filter((file) => !file.includes('.second.'))
        .map((file) => file.replace(/\.json$/, ''))
        .sort();

describe.skipIf(shared === undefined || missing('gcc', 'clang', 'arm-none-eabi-gcc') !== undefined)(
  'corpus',
  () => {
    let count = 0;

    it.each(names)('%s', async (name) => {
      const result = planned(name);
      if (typeof result === 'string') {
        console.warn(`not planned: ${name}: ${result}`);
        return;
      }
      count++;
      const { plan, files } = result;
      const dir = emptyFolder();
      writeFiles(dir, files);
      writeFiles(dir, [{ name: 'use.cpp', text: '#include "tensor_memory_pool.h"\n' }]);
      const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
        compile(compiler, dir, [compiler.language === 'c' ? 'tensor_memory_pool.c' : 'use.cpp']),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
      const bytes = plan.tensors.reduce((sum, t) => sum + t.bytes * (t.end - t.first + 1), 0);
      if (bytes > MOST_BYTES || plan.tensors.length === 0) {
        console.warn(`not walked: ${name}: ${bytes} bytes over the steps`);
        return;
      }
      const { status, output } = await walkOnHost(dir);
      expect(output).toBe(`steps ${plan.steps.length}\nclobbered 0\n`);
      expect(status).toBe(0);
    });

    it(`at least ${LEAST_PLANNED} models were planned`, () =>
      expect(count).toBeGreaterThanOrEqual(LEAST_PLANNED));
  },
);
