/** A published voice detector, with an LSTM behind Ifs in Ifs, runs on emulated boards as onnxruntime runs it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { BOARD_TARGET, inferOnA53, inferOnBoard } from '../support/boards.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, runOracle, wrong } from '../support/inference.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';

const RUNS = 10;
const shared = corpus();
const oracle = hasOracle();
if (shared === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);
if (!oracle) console.warn(`skipped: ${ORACLE_MISSING}`);

/** A frame of 32 ms with what it remembers of the one before. */
const inputShapes = new Map([
  ['input', [1, 576]],
  ['state', [2, 1, 128]],
]);

describe.skipIf(
  shared === undefined ||
    !oracle ||
    missing('arm-none-eabi-gcc', 'qemu-system-arm', 'aarch64-linux-gnu-gcc', 'qemu-aarch64-static') !==
      undefined,
)('the voice detector', () => {
  const emitted = (target: string) => {
    const path = join(shared!, 'data/models/silero_vad_16k_op15.onnx');
    const emission = emitRunner(emptyFolder(), {
      models: [path],
      target,
      bindings: { ...NO_BINDINGS, inputShapes },
    });
    // The rate of the samples.
    return { emission, expected: runOracle(emission, path, RUNS, { sr: [16000, 16001] }) };
  };

  it.each(['cortex-m4', 'cortex-m7', 'cortex-m55'] as const)('%s', async (board) => {
    const { emission, expected } = emitted(BOARD_TARGET);
    const { status, output } = await inferOnBoard(emission, RUNS, board);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(emission.planned.plan.totals.arenaBytes).toBe(7720);
    expect(output).toContain('touched 7720\nused 7720\nbehind 0\n');
    expect(Number(/stack (\d+)/.exec(output)?.[1])).toBeLessThan(512);
    expect(wrong(differences(emission, expected))).toEqual([]);
  });

  it('cortex-a53', async () => {
    const { emission, expected } = emitted('cortex-a53');
    expect(await inferOnA53(emission, RUNS)).toMatchObject({ status: 0 });
    expect(wrong(differences(emission, expected))).toEqual([]);
  });
});
