/** Every plan of the real models, carried out with the bytes that onnxruntime gives to each tensor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { requestOf } from '../support/planned.ts';
import { replay } from '../support/replay.ts';
import { type TrueTensor, trueBytes } from '../support/true-bytes.ts';
import { recordedBindings, recordings } from '../support/truth.ts';

const shared = corpus();
const oracle = hasOracle();
if (shared === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);
if (!oracle) console.warn(`skipped: ${ORACLE_MISSING}`);

/** What is switched on and off: the first value of each is the default. */
const SWITCHES: readonly (readonly [Partial<PlanRequest>, Partial<PlanRequest>])[] = [
  [{}, { inPlace: false }],
  [{}, { inPlaceInputs: false }],
  [{}, { views: false }],
  [{}, { elide: false }],
  [{}, { preserveInputs: true }],
  [{}, { io: 'external' }],
  [{}, { schedule: 'min-peak' }],
  [{}, { layout: 'nhwc' }],
  // One memory of unknown size, and several of a chip.
  [{ target: 'cortex-m7' }, { target: 'stm32h743', place: 'fastest' }],
  [{}, { asyncIo: true }],
  [{}, { align: 1 }],
];

/** Plackett and Burman's design: in its 12 rows every two columns have all four pairs of values, three times each. */
const ROW = [1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0];
const DESIGN: readonly (readonly number[])[] = [
  ...ROW.map((_, turn) => ROW.map((_, column) => ROW[(column + turn) % ROW.length]!)),
  ROW.map(() => 0),
];

function requestAt(row: readonly number[]): Partial<PlanRequest> {
  return Object.assign({}, ...row.map((value, column) => SWITCHES[column]![value as 0 | 1]));
}

/** Models that cannot be planned without more said: sizes that depend on data. */
const OPEN: ReadonlySet<string> = new Set([
  'occ_test_subgraph',
  'ort_subgraph_input_shadows_outer_scope_value',
]);
/** Boxes of an image. */
const POSITIVE: ReadonlySet<string> = new Set(['ort_crop_and_resize']);
/** Models of constants alone. */
const NOTHING: ReadonlySet<string> = new Set([
  'burn_all_dtypes',
  'ort_initializer_as_output',
  'trt_initializer_is_output',
]);
/** The search for an order is cut short where it would take long: any order will do here. */
const EFFORT = 20_000;

const names = shared === undefined ? [] : recordings(shared).filter((name) => !name.endsWith('.second'));

describe.skipIf(shared === undefined || !oracle)('real models', () => {
  let [plans, compared, elided] = [0, 0, 0];

  it.each(names)('%s', { timeout: 900_000 }, (name) => {
    const model = join(shared!, 'data/models', `${name}.onnx`);
    const bindings = recordedBindings(shared!, name, readModel(model).graph)!;
    let truth: ReadonlyMap<string, TrueTensor> | undefined;
    const planned = new Set<string>();
    let own = 0;
    for (const row of DESIGN) {
      const request = requestOf({ models: [model], bindings, effort: EFFORT, ...requestAt(row) });
      const plan = planOf(request);
      if (plan === undefined) {
        expect(OPEN).toContain(name);
        return;
      }
      truth ??= runOf(name, model, plan);
      planned.add(plan.planHash);
      const result = replay(plan, truth);
      expect(result.differences, JSON.stringify(requestAt(row))).toEqual([]);
      compared += result.compared;
      elided += plan.tensors.filter(({ how }) => how === 'elided').length;
      own += result.compared;
    }
    if (!NOTHING.has(name)) expect(own).toBeGreaterThan(0);
    plans += planned.size;
  });

  it('were planned in many ways', () => {
    console.warn(`${plans} plans, ${compared} comparisons, ${elided} elided parts`);
    expect(plans).toBeGreaterThan(600);
    expect(elided).toBeGreaterThan(500);
  });
});

function planOf(request: PlanRequest): Plan | undefined {
  try {
    return planModel(request).plan;
  } catch (error) {
    if (error instanceof MemplanError && error.code === 'E_UNRESOLVED') return undefined;
    throw error;
  }
}

/** Tensors of control-flow bodies and of functions cannot be asked for. */
function runOf(name: string, model: string, plan: Plan): ReadonlyMap<string, TrueTensor> {
  const truth = JSON.parse(readFileSync(join(shared!, 'data/truth', `${name}.json`), 'utf8')) as {
    readonly inputs: Readonly<Record<string, readonly [string, readonly number[]]>>;
    readonly tensors: Readonly<Record<string, unknown>>;
  };
  const inputs = Object.entries(truth.inputs).map(([input, [type, shape]]) => ({ name: input, type, shape }));
  const own = new Set([...plan.models[0]!.inputs, ...plan.models[0]!.outputs]);
  const wanted = plan.tensors
    .map((tensor) => tensor.name)
    .filter((tensor) => !own.has(tensor) && tensor in truth.tensors);
  return trueBytes(model, inputs, wanted, POSITIVE.has(name) ? 0 : -1);
}
