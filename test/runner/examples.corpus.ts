/** All example networks, however they share bytes: beside onnxruntime on the host and on every emulated board. */
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import { BOARD_TARGET, type BoardName, inferOnA53, inferOnBoard } from '../support/boards.ts';
import { emptyFolder } from '../support/generated.ts';
import {
  differences,
  type Emitted,
  emitRunner,
  inferOnHost,
  runOracle,
  wrong,
} from '../support/inference.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { exampleModel, WAYS } from './examples.ts';

const RUNS = 10;
const BOARD_RUNS = 3;
const oracle = hasOracle();
/** Those with a floating-point unit: without one the float networks take too long. */
const BOARD_NAMES: readonly BoardName[] = ['cortex-m7', 'cortex-m4', 'cortex-m55'];
const ON_BOARDS = ['kws', 'kws-int8', 'resnet8', 'autoencoder', 'branchy', 'mobilenet-v1-int8'] as const;
const LARGE = ['resnet8', 'autoencoder', 'mobilenet-v1', 'mobilenet-v1-int8', 'branchy'] as const;

/** Memory of the boards: float32 MobileNetV1 needs the external one. */
const REGIONS: Readonly<Partial<Record<string, string[]>>> = { 'mobilenet-v1': ['EXT'] };

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    describe.each(LARGE)('%s', (name) => {
      const dir = emptyFolder();
      const path = exampleModel(name, dir);
      const emit = (way: Partial<PlanRequest>): Emitted =>
        emitRunner(dir, { models: [path], target: BOARD_TARGET, regions: REGIONS[name] ?? [], ...way });

      it.each(WAYS)('on the host, %s', async (_, way) => {
        const emitted = emit(way);
        const expected = runOracle(emitted, path, RUNS);
        const used = emitted.planned.plan.totals.arenaBytes;
        const { status, output } = await inferOnHost(emitted, RUNS);
        expect({ status, output }).toEqual({ status: 0, output: `touched ${used}\nused ${used}\n` });
        expect(wrong(differences(emitted, expected))).toEqual([]);
      });

      it('in a check build', async () => {
        const emitted = emit({});
        const expected = runOracle(emitted, path, 1);
        const checked = { ...emitted, defines: ['-DNET_CHECK'] };
        expect(await inferOnHost(checked, 1, ['-O2'])).toMatchObject({ status: 0 });
        expect(wrong(differences(emitted, expected))).toEqual([]);
      });
    });
  },
);

describe.skipIf(!oracle || missing('arm-none-eabi-gcc', 'qemu-system-arm') !== undefined)('on boards', () => {
  describe.each(BOARD_NAMES)('%s', (board) => {
    it.each(ON_BOARDS)('%s', async (name) => {
      const dir = emptyFolder();
      const path = exampleModel(name, dir);
      const emitted = emitRunner(dir, { models: [path], target: BOARD_TARGET, regions: REGIONS[name] ?? [] });
      const expected = runOracle(emitted, path, BOARD_RUNS);
      const used = emitted.planned.plan.totals.arenaBytes;
      const { status, output } = await inferOnBoard(emitted, BOARD_RUNS, board);
      expect({ status, output }).toMatchObject({ status: 0 });
      expect(output).toContain(`touched ${used}\nused ${used}\nbehind 0\n`);
      expect(Number(/stack (\d+)/.exec(output)?.[1])).toBeLessThan(512);
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });
  });

  it.each(['kws', 'kws-int8', 'resnet8', 'autoencoder', 'branchy', 'mobilenet-v1-int8'])(
    'cortex-a53: %s',
    async (name) => {
      const dir = emptyFolder();
      const path = exampleModel(name, dir);
      const emitted = emitRunner(dir, { models: [path], target: 'cortex-a53' });
      const expected = runOracle(emitted, path, BOARD_RUNS);
      expect(await inferOnA53(emitted, BOARD_RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    },
  );
});
