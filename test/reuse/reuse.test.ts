/** The reuse report, on networks whose answers are worked out by hand beside them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReuseChange, ReuseReport } from '../../src/reuse/reuse.ts';
import { cli, emptyFolder } from '../cli/run.ts';
import { model, node, tensor } from '../support/onnx.ts';

/**
 * Bytes: x 40, a 400, r 400 (over a), y 80. Live: 440, 400, 480 at steps 0 to 2; without writing in place 440, 800,
 * 480.
 */
const CHAIN = model({
  inputs: { x: ['float32', [1, 10]] },
  outputs: { y: ['float32', [1, 20]] },
  initializers: { w: tensor('float32', [10, 100]), v: tensor('float32', [100, 20]) },
  nodes: [
    node('MatMul', ['x', 'w'], ['a'], {}, { name: 'wide' }),
    node('Relu', ['a'], ['r'], {}, { name: 'relu' }),
    node('MatMul', ['r', 'v'], ['y'], {}, { name: 'narrow' }),
  ],
});

/**
 * Two wide tensors of 1000 bytes, each read once. In the file's order both are live together with x (40) at step 1:
 * 2040. One after the other: x, one of them, and the 4 bytes that are made of it: 1044.
 */
const BRANCHES = model({
  inputs: { x: ['float32', [1, 10]] },
  outputs: { y: ['float32', [1, 1]] },
  initializers: { w: tensor('float32', [10, 250]), v: tensor('float32', [250, 1]) },
  nodes: [
    node('MatMul', ['x', 'w'], ['left'], {}, { name: 'left' }),
    node('MatMul', ['x', 'w'], ['right'], {}, { name: 'right' }),
    node('MatMul', ['left', 'v'], ['a'], {}, { name: 'a' }),
    node('MatMul', ['right', 'v'], ['b'], {}, { name: 'b' }),
    node('Add', ['a', 'b'], ['y'], {}, { name: 'sum' }),
  ],
});

/** 512 bytes in, 512 out: each convolution of 1 x 1 makes as much as it reads. */
const IMAGE = model({
  inputs: { image: ['float32', [1, 2, 8, 8]] },
  outputs: { out: ['float32', [1, 2, 8, 8]] },
  initializers: { w: tensor('float32', [2, 2, 1, 1]) },
  nodes: [node('Conv', ['image', 'w'], ['out'], {}, { name: 'conv' })],
});

/** A kernel as large as the image: it does not fit into a smaller one. */
const WHOLE = model({
  inputs: { image: ['float32', [1, 2, 8, 8]] },
  outputs: { out: ['float32', [1, 2, 1, 1]] },
  initializers: { w: tensor('float32', [2, 2, 8, 8]) },
  nodes: [node('Conv', ['image', 'w'], ['out'], {}, { name: 'whole' })],
});

const CHIP = {
  id: 'two-memories',
  cpu: { core: 'cortex-m4' },
  recommendedAlign: { tensorDefault: 4 },
  main: 'BIG',
  regions: [
    { name: 'BIG', origin: 0x20000000, size: 4096 },
    { name: 'SMALL', origin: 0x10000000, size: 450 },
  ],
};

const MODELS = { chain: CHAIN, branches: BRANCHES, image: IMAGE, whole: WHOLE };

function folder(): string {
  const cwd = emptyFolder();
  for (const [name, bytes] of Object.entries(MODELS)) writeFileSync(join(cwd, `${name}.onnx`), bytes);
  writeFileSync(join(cwd, 'chip.json'), JSON.stringify(CHIP));
  return cwd;
}

const on = (name: keyof typeof MODELS, ...flags: string[]) => [
  `${name}.onnx`,
  ...['--target', 'chip.json'],
  ...flags,
];

async function reuse(name: keyof typeof MODELS, ...flags: string[]): Promise<ReuseReport> {
  const argv = ['explain', ...on(name, ...flags), '--reuse', '--json'];
  const { code, stdout } = await cli(argv, { cwd: folder() });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

function change({ changes }: ReuseReport, option: string): ReuseChange {
  const found = changes.find((one) => one.option === option);
  expect(found, `${option} among ${changes.map((one) => one.option).join('; ')}`).toBeDefined();
  return found!;
}

describe('what reuse saves', () => {
  test('of a chain', async () => {
    const { plan, ceiling, lives } = await reuse('chain');
    expect(plan).toMatchObject({ arenaBytes: 480, lowerBoundBytes: 480, peakBytes: 480, fits: true });
    expect(ceiling).toEqual({
      apartBytes: 40 + 400 + 400 + 80,
      buffersBytes: 40 + 400 + 80,
      peakBytes: 480,
      peakStep: 2,
      arenaBytes: 480,
      canSaveBytes: 440,
      savesBytes: 440,
      largestStep: { step: 2, node: 'narrow', bytes: 480 },
    });
    // x dies after step 0, a after 1, r and y after 2: 440 of 920 are dead before step 2, too few.
    expect(lives).toEqual({
      parts: [
        { first: 0, end: 1, begin: 2, beginBytes: 440, liveBytes: 440 },
        { first: 1, end: 2, begin: 1, beginBytes: 400, liveBytes: 400 },
        { first: 2, end: 3, begin: 1, beginBytes: 80, liveBytes: 480 },
      ],
      mostDeadAt: 3,
      // x 1, a 2, r 2, y 1
      medianSteps: 1,
    });
  });

  test('bytes of the caller are in no figure', async () => {
    const { ceiling } = await reuse('chain', '--io', 'external');
    expect(ceiling).toMatchObject({ apartBytes: 800, buffersBytes: 400, arenaBytes: 400 });
  });

  test('in parts of the run, where it is long', async () => {
    const { lives, ceiling } = await reuse('branches');
    expect(lives.parts.map(({ liveBytes }) => liveBytes)).toEqual([1040, 2040, 2004, 1008, 12 - 4]);
    expect(ceiling).toMatchObject({ apartBytes: 40 + 2000 + 12, peakBytes: 2040, peakStep: 1 });
    // The two wide tensors are 97 % of all: both are dead after step 3.
    expect(lives.mostDeadAt).toBe(4);
  });
});

describe('single changes', () => {
  test('of a chain', async () => {
    const report = await reuse('chain');
    const bytes = {
      // x and y live with the caller: 400 is left.
      '--io external': 400,
      '--no-in-place': 800,
      '--no-views': 480,
      '--no-elide': 480,
      '--schedule min-peak': 480,
      // 10, 100 and 20 bytes, offsets by 4: 100 + 20.
      '--assume int8': 120,
    };
    for (const [option, arenaBytes] of Object.entries(bytes)) {
      const found = change(report, option);
      expect(found).toMatchObject({ how: 'add', plan: { arenaBytes }, arenaChange: arenaBytes - 480 });
    }
  });

  test.each<[string[], string, number, number]>([
    [['--preserve-inputs'], '--preserve-inputs', 520, 480],
    [['--keep', 'x'], '--keep', 520, 480],
    // Two places of 40 bytes at all steps: 80 + 400 + 80 at the last.
    [['--buffers', 'x=2'], '--buffers', 560, 480],
    // The output is drained at any time: 440 + 80, 400 + 80 + 40, 400 + 80 + 40.
    [['--async-io'], '--async-io', 520, 480],
    [['--no-in-place'], '--no-in-place', 800, 480],
    // 16 more behind each of two buffers that are live together.
    [['--guard', '16'], '--guard', 512, 480],
    [['--size-round', '256'], '--size-round', 768, 480],
    // a lies at 0; y begins behind its 400 bytes, at 1024.
    [['--align', '1024'], '--align', 1104, 480],
    // y must lie in BIG from 2048 on.
    [['--pin', 'y=BIG@2048'], '--pin', 2128, 480],
    [['--slack', 'y=20'], '--slack', 500, 480],
    [['--weights', 'ram'], '--weights ram', 480 + 4000 + 8000, 480],
  ])('without %j', async (flags, option, now, then) => {
    const report = await reuse('chain', ...flags);
    expect(report.plan.arenaBytes).toBe(now);
    expect(change(report, option)).toMatchObject({ how: 'leave-out', plan: { arenaBytes: then } });
  });

  test('another order, there and back', async () => {
    const file = await reuse('branches');
    expect(change(file, '--schedule min-peak')).toMatchObject({
      arenaChange: 1044 - 2040,
      peakChange: 1044 - 2040,
    });
    const least = await reuse('branches', '--schedule', 'min-peak');
    expect(change(least, '--schedule model')).toMatchObject({ arenaChange: 2040 - 1044 });
    expect(least.changes.some(({ option }) => option === '--schedule min-peak')).toBe(false);
  });

  test('another memory is planned alone, and may be too small', async () => {
    const report = await reuse('chain');
    expect(change(report, '--region SMALL')).toMatchObject({
      plan: { fits: false, regions: [{ name: 'SMALL', used: 480, capacity: 450 }] },
      arenaChange: 0,
    });
    expect(change(await reuse('chain', '--region', 'SMALL'), '--region BIG').plan?.fits).toBe(true);
  });

  test('smaller images, and kernels that gather theirs', async () => {
    const report = await reuse('image');
    expect(report.plan.arenaBytes).toBe(1024);
    expect(change(report, '--scale-input 0.5').plan?.arenaBytes).toBe(256);
    expect(change(report, '--scale-input 0.75').plan?.arenaBytes).toBe(2 * 2 * 36 * 4);
    // A convolution of 1 x 1 without a stride reads its input as it lies.
    expect(change(report, '--kernels im2col --kernels-version whole').plan?.arenaBytes).toBe(1024);
    expect(report.changes.some(({ option }) => option === '--kernels xnnpack')).toBe(false);
    expect((await reuse('chain')).changes.some(({ option }) => option.startsWith('--scale'))).toBe(false);
  });

  test('what cannot be planned says why, and stands last', async () => {
    const { changes } = await reuse('whole');
    const failed = changes.filter(({ plan }) => plan === null);
    expect(failed.map(({ option }) => option)).toEqual(['--scale-input 0.5', '--scale-input 0.75']);
    expect(changes.slice(-2)).toEqual(failed);
    for (const one of failed) expect(one).toMatchObject({ arenaChange: null, error: { node: 'whole' } });
  });

  test('each is what the main job plans with that option', async () => {
    const { changes } = await reuse('image');
    expect(changes.length).toBeGreaterThan(10);
    for (const { option, how, plan } of changes) {
      expect(how).toBe('add');
      if (option.startsWith('--scale-input')) continue;
      const { stdout } = await cli([...on('image', ...option.split(' ')), '--json', '--emit', 'json'], {
        cwd: folder(),
      });
      expect(JSON.parse(stdout).totals.arenaBytes, option).toBe(plan?.arenaBytes);
    }
    const bytes = changes.map(({ plan }) => plan!.arenaBytes);
    expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
  });
});

describe('as text', () => {
  test('what moves bytes stands in the table, the rest in a line', async () => {
    const cwd = folder();
    const { code, stdout } = await cli(['explain', ...on('chain'), '--reuse'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}live +480 {2}at step 2: reuse can save 440 at most \(47\.8 %\)$/m);
    expect(stdout).toMatch(/^ {2}arena +480 {2}saves all of that$/m);
    expect(stdout).toMatch(/^ +120 +-360 +75\.0 % {2}--assume int8 +estimate$/m);
    expect(stdout).toMatch(/^ +800 +\+320 +66\.7 % {2}--no-in-place$/m);
    expect(stdout).toMatch(/^ +480 +0 +--region SMALL +does not fit$/m);
    expect(stdout).toMatch(/^ {2}No byte: .*--no-views/m);
    const { stdout: all } = await cli(['explain', ...on('chain'), '--reuse', '--verbose'], { cwd });
    expect(all).toMatch(/^ +480 +0 +--no-views$/m);
    expect(all).not.toContain('No byte');
    const { stdout: without } = await cli(['explain', ...on('chain', '--keep', 'x'), '--reuse'], { cwd });
    expect(without).toMatch(/^ +480 +-40 +7\.7 % {2}without --keep$/m);
  });

  test('says what it was asked for: one thing', async () => {
    const { code, stderr } = await cli(['explain', ...on('chain'), '--reuse', '--tensor', 'a'], {
      cwd: folder(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('or ask for --reuse');
  });
});
