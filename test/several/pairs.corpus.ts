/** Pairs of real models on one chip: what isolation costs against joint planning, as docs/several-models.md has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { interleave } from '../support/interleave.ts';
import { requestOf } from '../support/planned.ts';
import { createRandom } from '../support/random.ts';
import { recordedBindings } from '../support/truth.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

interface Pair {
  readonly first: string;
  readonly second: string;
  /** What both are for. */
  readonly use: string;
  /** What of the first is still needed while the second runs. */
  readonly hold: string;
  /** Small enough to be run byte by byte. */
  readonly small?: true;
}

const PAIRS: readonly Pair[] = [
  {
    first: 'yunet_n_320_320',
    second: 'stm32_mobilenet_v2_128_0.5',
    use: 'find faces, classify them',
    hold: 'input',
  },
  {
    first: 'ultraface_version-RFB-320_simplified',
    second: 'stm32_mobilenet_v2_128_0.5',
    use: 'find faces, classify them',
    hold: 'input',
  },
  { first: 'fastestdet', second: 'light_squeezenet', use: 'find things, classify them', hold: 'input.1' },
  {
    first: 'stm32_yamnet_256_64x96_tl',
    second: 'oww_hey_nabu_v2',
    use: 'sounds and a wake word',
    hold: 'input_1',
    small: true,
  },
  {
    first: 'gtcrn_simple_stream',
    second: 'dtln_model_1',
    use: 'two ways to take out noise',
    hold: 'mix',
    small: true,
  },
  {
    first: 'handgesture_keypoint_classifier',
    second: 'handgesture_point_history_classifier_lstm',
    use: 'signs and movements of a hand',
    hold: 'input',
    small: true,
  },
  {
    first: 'burn_mnist',
    second: 'onnxmlir_mnist',
    use: 'two readers of digits that vote',
    hold: 'input.1',
    small: true,
  },
];

const models = join(folder ?? '', 'data', 'models');
const pathOf = (name: string) => join(models, `${name}.onnx`);

function bindingsOf(name: string): Bindings {
  const { graph } = readModel(pathOf(name));
  return recordedBindings(folder!, name, graph) ?? { ...NO_BINDINGS, all: 1 };
}

/** Of both, each size under the name of its model. */
function together(names: readonly string[]): Bindings {
  const each = names.map((name) => ({ name, bindings: bindingsOf(name) }));
  const scoped = <T>(pick: (bindings: Bindings) => ReadonlyMap<string, T>) =>
    new Map(
      each.flatMap(({ name, bindings }) =>
        [...pick(bindings)].map(([key, value]) => [`${name}:${key}`, value] as const),
      ),
    );
  return {
    ...NO_BINDINGS,
    dims: scoped(({ dims }) => dims),
    inputShapes: scoped(({ inputShapes }) => inputShapes),
    all: each.find(({ bindings }) => bindings.all !== undefined)?.bindings.all,
  };
}

/** On a chip whose memory has no end, so that everything lies in one arena. The checker has passed it. */
function plan({ first, second }: Pair, options: Partial<PlanRequest>): Plan {
  const bindings = together([first, second]);
  const request = { models: [pathOf(first), pathOf(second)], target: 'cortex-m7', bindings, ...options };
  return planModel(requestOf(request)).plan;
}

const grouped = (bytes: number) => String(bytes).replace(/\B(?=(\d{3})+$)/g, ',');

describe.skipIf(folder === undefined)('pairs of real models', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/several-models.md', import.meta.url)), 'utf8');

  it.each(PAIRS)(
    '$first and $second',
    (pair) => {
      const alone = [pair.first, pair.second].map(
        (name) =>
          planModel(requestOf({ models: [pathOf(name)], target: 'cortex-m7', bindings: bindingsOf(name) }))
            .plan.totals.arenaBytes,
      );
      const exclusive = plan(pair, { run: 'exclusive' });
      const concurrent = plan(pair, { run: 'concurrent' });
      const joint = plan(pair, { run: 'joint', hold: [`${pair.first}:${pair.hold}`] });
      const [a = 0, b = 0] = alone;
      // Nothing is held: the larger of the two, to the byte. Nothing is shared: both, but for the alignment of one base.
      const turns = exclusive.totals.arenaBytes;
      const isolated = concurrent.totals.arenaBytes;
      expect(turns).toBe(Math.max(a, b));
      expect(isolated).toBeGreaterThanOrEqual(a + b);
      expect(isolated).toBeLessThan(a + b + 64);
      expect(exclusive.run!.isolation).toEqual({ alone, isolatedBytes: isolated, sharedBytes: turns });
      expect(concurrent.run!.isolation).toEqual({ alone, isolatedBytes: isolated, sharedBytes: turns });
      // The second finds room beside what is held, which no plan can have for less than both.
      const held = joint.tensors.find((t) => t.model === 0 && t.name === pair.hold)!;
      expect(joint.totals.arenaBytes).toBeGreaterThanOrEqual(Math.max(a, b, held.bytes));
      expect(joint.totals.arenaBytes).toBeLessThanOrEqual(isolated + held.bytes);
      for (const one of pair.small === true ? [exclusive, concurrent, joint] : []) {
        for (const seed of [1, 2])
          expect(interleave(one, createRandom(seed), 2), `seed ${seed}`).toBeUndefined();
      }
      const cost = isolated - turns;
      const numbers = [a, b, isolated, turns, cost].map(grouped);
      const row = `| ${pair.first} + ${pair.second}: ${pair.use} | ${numbers.join(' | ')} (${((100 * cost) / turns).toFixed(1)} %) | ${grouped(joint.totals.arenaBytes)} |`;
      expect(page.includes(row), row).toBe(true);
    },
    120_000,
  );
});
