/** Real models run from their plans as onnxruntime runs them, or the runner names what it has no kernel for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { emptyFolder } from '../support/generated.ts';
import {
  type Difference,
  differences,
  type Emitted,
  emitRunner,
  inferOnHost,
  runOracle,
  wrong,
} from '../support/inference.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';

const shared = corpus();
const oracle = hasOracle();
if (shared === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);
if (!oracle) console.warn(`skipped: ${ORACLE_MISSING}`);

/** Models that must run, of those that can be planned. */
const LEAST_RUN = 53;
/** Larger networks take minutes. */
const MOST_WEIGHT_BYTES = 120e6;
/** Networks below this run ten times under the sanitizers, others once. */
const LIGHT_BYTES = 8e6;

/**
 * Between QuantizeLinear and DequantizeLinear products are sums of floats. Another order of the terms may put a sum on
 * the other side of where it is rounded: few elements differ, by a step of the quantisation.
 */
const ROUNDED: Readonly<Record<string, number>> = { ort_qdq_with_multi_consumer_dq_nodes: 0.006 };

type Truth = { readonly inputs: Readonly<Record<string, readonly [string, readonly number[]]>> };

/** The runner, or why there is none. */
function emitted(name: string, dir: string): Emitted | readonly string[] {
  const truth = JSON.parse(readFileSync(join(shared!, 'data/truth', `${name}.json`), 'utf8')) as Truth;
  const inputShapes = new Map(Object.entries(truth.inputs).map(([input, [, shape]]) => [input, shape]));
  try {
    const models = [join(shared!, 'data/models', `${name}.onnx`)];
    return emitRunner(dir, { models, bindings: { ...NO_BINDINGS, inputShapes } });
  } catch (error) {
    if (error instanceof MemplanError) return error.diagnostics.map(({ code, text }) => `${code}: ${text}`);
    throw error;
  }
}

/** What is wrong with a model; nothing where so few elements differ as rounding explains. */
function faultsOf(name: string, found: readonly Difference[]): readonly Difference[] {
  const share = ROUNDED[name];
  return share === undefined
    ? wrong(found)
    : found.filter(({ count, total, most }) => count > total * share && most > 0);
}

const names =
  shared === undefined
    ? []
    : readdirSync(join(shared, 'data/truth'))
        .filter((file) => !file.includes('.second.'))
        .map((file) => file.replace(/\.json$/, ''))
        .sort();

describe.skipIf(shared === undefined || !oracle || missing('gcc') !== undefined)('corpus', () => {
  let count = 0;

  it.each(names)('%s', { timeout: 600_000 }, async (name) => {
    const dir = emptyFolder();
    const runner = emitted(name, dir);
    if (!('planned' in runner)) {
      console.warn(`no runner: ${name}: ${runner.join('\n  ')}`);
      expect(
        runner.filter((text) => !/^E_(UNSUPPORTED_KERNEL|UNRESOLVED|WEIGHTS|UNKNOWN_OP)/.test(text)),
      ).toEqual([]);
      return;
    }
    const { weightBytes, arenaBytes } = runner.planned.plan.totals;
    if (weightBytes > MOST_WEIGHT_BYTES) {
      console.warn(`not run: ${name}: ${weightBytes} bytes of weights`);
      return;
    }
    const light = weightBytes + arenaBytes < LIGHT_BYTES && !name.startsWith('light_');
    const runs = light ? 10 : 1;
    const expected = runOracle(runner, join(shared!, 'data/models', `${name}.onnx`), runs);
    const { status, output } = await inferOnHost(runner, runs, light ? undefined : ['-O2']);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain(`touched ${arenaBytes}\nused ${arenaBytes}\n`);
    expect(faultsOf(name, differences(runner, expected))).toEqual([]);
    count++;
  });

  it(`at least ${LEAST_RUN} models were run`, () => expect(count).toBeGreaterThanOrEqual(LEAST_RUN));
});
