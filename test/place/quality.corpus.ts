/** How far placements of real models over two and three memories are from what none can cost less than. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import type { Plan } from '../../src/plan/types.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { emptyFolder } from '../support/generated.ts';
import { requestOf } from '../support/planned.ts';
import { recordedBindings } from '../support/truth.ts';
import { costBound } from './bound.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/memory.md'), 'utf8');

/** Real models with more buffers than the exact search takes. */
const MODELS = [
  'basic_pitch_nmp',
  'fastestdet',
  'gtcrn_simple_stream',
  'gtcrn_stream',
  'light_densenet121',
  'light_shufflenet',
  'npm_ppocr_cls',
  'ort_bert_toy_optimized',
  'ort_model_181031_12',
  'shufflenet_v2_12_int8',
  'silero_vad_piper_v2',
  'ultraface_version-RFB-320',
  'yunet_n_320_320',
  'yunet_s_dynamic',
] as const;

/** Memories by their part of the arena that one memory would take; the last one holds everything. */
const SPLITS: readonly (readonly number[])[] = [[1 / 4], [1 / 2], [1 / 8, 1 / 4]];

function planOf(name: string, regions: readonly { readonly size: number; readonly rank: number }[]): Plan {
  const path = join(folder!, 'data/models', `${name}.onnx`);
  const chip = join(emptyFolder(), 'chip.json');
  const listed = regions.map(({ size, rank }, i) => {
    return { name: `M${i}`, origin: 0x20000000 + i * 0x10000000, size, speedRank: rank };
  });
  writeFileSync(
    chip,
    JSON.stringify({
      id: 'chip',
      cpu: { core: 'cortex-m4' },
      main: `M${regions.length - 1}`,
      regions: listed,
    }),
  );
  const bindings = recordedBindings(folder!, name, readModel(path).graph) ?? { ...NO_BINDINGS, all: 1 };
  return planModel(requestOf({ models: [path], target: chip, bindings, place: 'fastest' })).plan;
}

/** Buffers that the bound settles. */
const NODES = 300;
const LARGE = 128 * 1024 * 1024;

describe.skipIf(folder === undefined)('placement of real models', () => {
  it('is this far from the bound', { timeout: 1_200_000 }, () => {
    const rows = MODELS.map((name) => {
      const whole = planOf(name, [{ size: LARGE, rank: 0 }]);
      const arena = whole.totals.arenaBytes;
      const cells = SPLITS.map((parts) => {
        const sizes = [...parts.map((part) => 64 * Math.ceil((arena * part) / 64)), LARGE];
        const regions = sizes.map((size, rank) => ({ size, rank }));
        const plan = planOf(name, regions);
        const ranks = new Map(plan.regions.map((region) => [region.name, region.speedRank!]));
        const cost = plan.buffers.reduce((sum, { id, region }) => {
          return (
            sum + plan.placement!.buffers.find((one) => one.buffer === id)!.traffic * (1 + ranks.get(region)!)
          );
        }, 0);
        const bound = costBound(
          plan,
          regions.map(({ size, rank }) => ({ rank, room: size })),
          NODES,
        );
        expect(cost).toBeGreaterThanOrEqual(bound - 1e-6 * bound);
        return `${((100 * cost) / bound - 100).toFixed(2)} %`;
      });
      return `| ${[name, String(whole.buffers.length), ...cells].join(' | ')} |`;
    });
    expect(PAGE).toContain(rows.join('\n'));
  });
});
