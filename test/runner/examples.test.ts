/** The keyword spotters run from their plans as onnxruntime runs them, whatever shares bytes, on the host and on boards. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import { BOARD_TARGET, inferOnA53, inferOnBoard } from '../support/boards.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { ALL_CASES } from '../support/rounds.ts';
import { missing } from '../support/tools.ts';
import { exampleModel, WAYS } from './examples.ts';
import { inTwoRegions } from './ways.ts';

const RUNS = 10;
const oracle = hasOracle();
const SPOTTERS = ['kws', 'kws-int8'] as const;
/** The cells of the last one join tensors, most of which lie in their places. */
const NETWORKS = ALL_CASES ? ([...SPOTTERS, 'branchy'] as const) : (['kws-int8'] as const);

/** An example in a folder of its own, with the oracle's inputs and outputs. */
function prepared(name: string, way: Partial<PlanRequest> = {}) {
  const dir = emptyFolder();
  const path = exampleModel(name, dir);
  const emitted = emitRunner(dir, { models: [path], target: BOARD_TARGET, ...way });
  return { emitted, expected: runOracle(emitted, path, RUNS), used: emitted.planned.plan.totals.arenaBytes };
}

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    describe.each(WAYS.filter((_, i) => ALL_CASES || i % 2 === 0))('on the host, %s', (_, way) => {
      it.each(NETWORKS)('%s', async (name) => {
        const { emitted, expected, used } = prepared(name, way);
        const { status, output } = await inferOnHost(emitted, RUNS);
        expect({ status, output }).toEqual({ status: 0, output: `touched ${used}\nused ${used}\n` });
        expect(wrong(differences(emitted, expected))).toEqual([]);
      });
    });

    it('branchy in two arenas, with its weights in RAM and a check build', async () => {
      const dir = emptyFolder();
      const path = exampleModel('branchy', dir);
      const request = { ...inTwoRegions(dir, [path]), weights: 'ram' } as const;
      const emitted = emitRunner(dir, { ...request, models: [path] });
      const { plan } = emitted.planned;
      expect(plan.regions.map(({ name }) => name)).toEqual(['A', 'B']);
      expect(plan.totals.copyBytes).toBe(plan.totals.weightBytes);
      const expected = runOracle(emitted, path, RUNS);
      const used = plan.totals.arenaBytes;
      const said = { status: 0, output: `touched ${used}\nused ${used}\n` };
      expect(await inferOnHost(emitted, RUNS)).toEqual(said);
      expect(wrong(differences(emitted, expected))).toEqual([]);
      const checked = { ...emitted, defines: ['-DNET_CHECK'] };
      expect(await inferOnHost(checked, RUNS, ['-O1'])).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });

    it.each(SPOTTERS)('%s in a check build', async (name) => {
      const { emitted, expected } = prepared(name);
      const checked = { ...emitted, defines: [...emitted.defines, '-DNET_CHECK'] };
      expect(await inferOnHost(checked, RUNS, ['-O1'])).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });

    const boards = [
      ...SPOTTERS.map((name) => [name, 'cortex-m7', {}] as const),
      ['kws-int8', 'cortex-m4', {}] as const,
      ['kws-int8', 'cortex-m4', { weights: 'stage' }] as const,
    ];
    describe.skipIf(missing('arm-none-eabi-gcc', 'qemu-system-arm') !== undefined)('on a board', () => {
      it.each(boards)('%s on a %s, %j', async (name, board, way) => {
        const { emitted, expected, used } = prepared(name, way);
        const { status, output } = await inferOnBoard(emitted, RUNS, board);
        expect({ status, output }).toMatchObject({ status: 0 });
        expect(output).toContain(`touched ${used}\nused ${used}\nbehind 0\n`);
        expect(Number(/stack (\d+)/.exec(output)?.[1])).toBeLessThan(512);
        expect(wrong(differences(emitted, expected))).toEqual([]);
      });
    });

    describe.skipIf(missing('aarch64-linux-gnu-gcc', 'qemu-aarch64-static') !== undefined)(
      'on a Cortex-A53',
      () => {
        it('kws-int8 gives the bytes of the host', async () => {
          const { emitted, expected } = prepared('kws-int8');
          expect(await inferOnA53(emitted, RUNS)).toMatchObject({ status: 0 });
          expect(readFileSync(join(emitted.dir, 'outputs.bin'))).toEqual(expected.bytes);
        });
      },
    );
  },
);
