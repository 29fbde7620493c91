/** Firmware that keeps to a plan clobbers nothing, and firmware with a faulty plan does: on the host and on a Cortex-M7. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Plan, PlanTensor } from '../../src/plan/types.ts';
import { BOARD_REGIONS, walkOnBoard, walkOnHost, withClash } from '../support/firmware.ts';
import { generated } from '../support/generated.ts';
import { planOf } from '../support/plans.ts';
import { randomSketch } from '../support/random-plan.ts';
import { missing } from '../support/tools.ts';

const [AXISRAM, DTCM] = BOARD_REGIONS;

/** A residual block whose sum is written in place over one branch, with a quantised view at the end. */
const RESIDUAL = planOf({
  file: 'residual.onnx',
  prefix: 'NET',
  regions: [AXISRAM],
  tensors: [
    { name: 'x', shape: [64, 64], role: 'input', live: [0, 3], offset: 0 },
    { name: 'a', shape: [64, 64], live: [0, 2], offset: 16384 },
    { name: 'b', shape: [64, 64], live: [1, 3], offset: 32768 },
    { name: 'sum', shape: [64, 64], live: [2, 4], offset: 32768, how: 'in-place', aliasOf: 'b' },
    { name: 'flat', shape: [4096], live: [3, 5], offset: 32768, how: 'view', aliasOf: 'sum' },
    { name: 'y', type: 'int8', shape: [4096], role: 'output', live: [4, 5], offset: 0 },
  ],
});

const RANDOM = [1, 2, 3].map((seed) => ({
  seed,
  plan: planOf(randomSketch(seed, 60, BOARD_REGIONS)),
}));

/** Every pair of buffers of one region that are alive together, as names of their first tensors. */
function neighbours(plan: Plan): readonly (readonly [PlanTensor, PlanTensor])[] {
  const own = plan.tensors.filter((t) => t.how === 'own' && t.region !== null && t.bytes > 0);
  return own.flatMap((a, i) =>
    own
      .slice(i + 1)
      .filter((b) => a.region === b.region && a.first < b.end && b.first < a.end)
      .map((b) => [a, b] as const),
  );
}

describe.skipIf(missing('gcc', 'clang') !== undefined)('on the host, with sanitizers', () => {
  it.each(['gcc', 'clang'] as const)('a residual block keeps its bytes (%s)', async (compiler) => {
    const { status, output } = await walkOnHost(generated(RESIDUAL), compiler);
    expect(output).toBe('steps 5\nclobbered 0\n');
    expect(status).toBe(0);
  });

  it.each(RANDOM)('random network $seed keeps its bytes', async ({ plan }) => {
    const { status, output } = await walkOnHost(generated(plan));
    expect(output).toBe('steps 60\nclobbered 0\n');
    expect(status).toBe(0);
  });

  it('a tensor moved onto a live one is found', async () => {
    const { status, output } = await walkOnHost(generated(withClash(RESIDUAL, 'a', 'x')));
    expect(output).toContain('clobbered: tensor 0\n  at step 0\n  byte 0\n');
    expect(status).toBe(1);
  });

  it('a tensor written before its bytes are free is found', async () => {
    const early = {
      ...RESIDUAL,
      tensors: RESIDUAL.tensors.map((t) => (t.name === 'y' ? { ...t, first: 2 } : t)),
    };
    const { status } = await walkOnHost(generated(early));
    expect(status).toBe(1);
  });
});

describe.skipIf(missing('arm-none-eabi-gcc', 'qemu-system-arm') !== undefined)('on a Cortex-M7', () => {
  it.each([{ seed: 'by hand', plan: RESIDUAL }, ...RANDOM])(
    'network $seed keeps its bytes',
    async ({ plan }) => {
      const { status, output } = await walkOnBoard(generated(plan));
      expect(output).toBe(`steps ${plan.steps.length}\nclobbered 0\n`);
      expect(status).toBe(0);
    },
  );

  it.each(RANDOM)('network $seed: a tensor moved onto a live one is found', async ({ plan, seed }) => {
    const pairs = neighbours(plan);
    const [a, b] = pairs[(seed * 7919) % pairs.length]!;
    const { status, output } = await walkOnBoard(generated(withClash(plan, b.name, a.name)));
    expect(output).toContain('clobbered: tensor ');
    expect(status).toBe(1);
  });

  it('an arena that the linker put elsewhere is found', async () => {
    const board = fileURLToPath(new URL('./board/an500.ld', import.meta.url));
    const dir = generated(RESIDUAL);
    const careless = readFileSync(board, 'utf8').replace(/.*\*\(\.bss\.memplan\.axisram\).*\n/, '');
    writeFileSync(join(dir, 'careless.ld'), careless);
    const { status, output } = await walkOnBoard(dir, 'careless.ld');
    expect(output).toBe('misplaced: regions 1\n');
    expect(status).toBe(2);
  });

  it('an arena larger than the memory does not link', async () => {
    const large = planOf({
      file: 'large.onnx',
      prefix: 'NET',
      regions: [{ ...AXISRAM, capacity: null }, DTCM],
      tensors: [{ name: 'x', type: 'int8', shape: [512 * 1024 + 32], live: [0, 1], offset: 0 }],
    });
    const { status, output } = await walkOnBoard(generated(large));
    expect(status).toBe(256);
    expect(output).toContain('overflowed by 32 bytes');
  });
});
