/** Plans of the example models, against arenas counted by hand, and the C that lies beside the models. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ARCHITECTURES, EXAMPLES } from '../../examples/models/catalogue.ts';
import { bytesOf, type WriterOptions } from '../../examples/models/writer.ts';
import { run } from '../../src/main.ts';
import type { Plan } from '../../src/plan/types.ts';

const examples = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples');
const folder = mkdtempSync(join(tmpdir(), 'memplan-plans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a model of the catalogue and returns its path. */
function fileOf(name: string, options: WriterOptions): string {
  const found = [...EXAMPLES, ...ARCHITECTURES].find((example) => example.name === name)!;
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, found.build(options).encode());
  return path;
}

async function memplan(
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const stream = (of: keyof typeof said) => ({
    write(text: string) {
      said[of] += text;
    },
  });
  const code = await run(args, { stdout: stream('stdout'), stderr: stream('stderr'), env: {}, cwd: folder });
  return { code, ...said };
}

async function plan(name: string, ...flags: readonly string[]): Promise<Plan> {
  return planOf(fileOf(name, { weights: 'light' }), ...flags);
}

async function planOf(model: string, ...flags: readonly string[]): Promise<Plan> {
  const { code, stdout, stderr } = await memplan(model, '--json', '--out', folder, ...flags);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as Plan;
}

/** A core with memory of unknown size: nothing is over capacity. */
const ANYWHERE = ['--target', 'cortex-a53', '--align', '16'];

describe('arenas', () => {
  // Elements of the two or three tensors alive at the widest step, times the bytes of one.
  it.each<[string, string, readonly string[], number]>([
    ['mobilenet-v1-int8', 'dw1 and pw1', [], 112 * 112 * (8 + 16)],
    ['mobilenet-v1-int8', 'dw1 and pw1', ['--no-in-place'], 112 * 112 * (8 + 16)],
    ['mobilenet-v1', 'dw1 and pw1', [], 112 * 112 * (8 + 16) * 4],
    ['mobilenet-v1', 'pw1 before and after its ReLU6', ['--no-in-place'], 112 * 112 * (16 + 16) * 4],
    ['kws-int8', 'two layers', [], 25 * 5 * (64 + 64)],
    ['kws', 'two layers', [], 25 * 5 * (64 + 64) * 4],
    ['resnet8', 'shortcut and two layers', [], 32 * 32 * (16 + 16 + 16) * 4],
    ['autoencoder', 'the ends', [], (640 + 128) * 4],
    ['branchy', 'input and 4 branches, joined', [], 16 * 16 * (16 + 16 + 16) * 4],
    ['resnet50', 'pool1, main path and shortcut of conv2_1', [], 56 * 56 * (64 + 256 + 256) * 4],
    ['resnet50', 'main path, shortcut and sum', ['--no-in-place'], 56 * 56 * (256 + 256 + 256) * 4],
    ['mobilenet-v3-large', 'bneck2 expanded', [], 112 * 112 * (16 + 64) * 4],
    ['mobilenet-v3-large', 'bneck2 and its ReLU', ['--no-in-place'], 112 * 112 * (64 + 64) * 4],
    ['yolo-s', 'p1 and its sigmoid', [], 320 * 320 * (32 + 32) * 4],
    ['yolo-s', 'p1, its sigmoid, their product', ['--no-in-place'], 320 * 320 * (32 + 32 + 32) * 4],
  ])('%s: %s %j', async (name, _, flags, bytes) => {
    const { totals, peak } = await plan(name, ...ANYWHERE, ...flags);
    expect(totals).toMatchObject({ arenaBytes: bytes, lowerBoundBytes: bytes, optimal: true });
    expect(peak.bytes).toBe(bytes);
  });

  it.each<[string, string, readonly string[], number]>([
    ['mobilenet-v1-int8', 'dw1 and pw1: their scratch is small', ['dsp'], 112 * 112 * (8 + 16)],
    ['mobilenet-v1-int8', 'dw1 and pw1', ['scalar'], 112 * 112 * (8 + 16)],
    ['mobilenet-v1-int8', 'dw1 and pw1', ['mve'], 112 * 112 * (8 + 16)],
    // A window of 125 pixels for each of 64 channels, in 16 bits.
    ['kws-int8', 'the average: a layer, its scratch, 64 sums', ['dsp'], 25 * 5 * (64 + 2 * 64) + 64],
    ['kws-int8', 'two layers', ['scalar'], 25 * 5 * (64 + 64)],
    // Four windows of 125 pixels, 124 channels at a time.
    ['kws-int8', 'the average: a layer, its scratch, 64 sums', ['mve'], 25 * 5 * (64 + 4 * 124) + 64],
  ])('%s with CMSIS-NN: %s, %j', async (name, _, [build], bytes) => {
    const flags = ['--kernels', 'cmsis-nn', '--kernels-build', build!];
    const { totals } = await plan(name, '--target', 'cortex-m7', '--align', '16', ...flags);
    expect(totals).toMatchObject({ arenaBytes: bytes, lowerBoundBytes: bytes, complete: true });
  });

  it('the published layers of MobileNetV1 0.25 in int8 come out to the byte', async () => {
    const { tensors, totals, constants } = await plan('mobilenet-v1-int8', '--target', 'stm32h743');
    const layers = tensors.filter((t) => t.type === 'int8' && t.how !== 'view');
    expect(layers.reduce((sum, t) => sum + t.bytes, 0)).toBe(1_413_456);
    // CMSIS-NN's softmax writes its 1000 scores over what it reads; its first convolution keeps two columns of
    // 3 x 3 x 3 in 16 bits, on whole words, the average as a convolution one of 7 x 7 for each channel.
    const scratch = 2 * 2 * 28 + 2 * 256 * 7 * 7;
    expect(totals.noReuseBytes).toBe(1_413_456 - 1000 + scratch);
    expect(totals).toMatchObject({
      arenaBytes: 112 * 112 * (8 + 16),
      scratchBytes: 2 * 256 * 7 * 7,
      complete: true,
    });
    const learned = constants.filter((c) => /_(weight|bias)$/.test(c.name) && !c.name.startsWith('pool_'));
    expect(learned.reduce((sum, c) => sum + c.bytes, 0)).toBe(478_544);
  });
});

describe('shapes', () => {
  it.each([...EXAMPLES, ...ARCHITECTURES])(
    'of $name are those it was built with',
    async ({ name, build }) => {
      const { activations } = build({ weights: 'light' });
      const { tensors } = await plan(name, ...ANYWHERE);
      const found = tensors.filter((t) => t.role !== 'scratch').map((t) => [t.name, t.type, t.shape]);
      expect(found.sort()).toEqual([...activations.values()].map((v) => [v.name, v.type, v.shape]).sort());
    },
  );
});

describe('the folders', () => {
  const page = readFileSync(join(examples, 'README.md'), 'utf8').replace(/ +/g, ' ');

  // After a change of the templates: `npx vitest run test/examples -u`, or `npm run examples`.
  it.each(EXAMPLES)('$name holds the C for $target', async ({ name, target }) => {
    const out = join(folder, name);
    const { code, stderr } = await memplan(fileOf(name, {}), '--target', target, '--out', out);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readdirSync(out).sort()).toEqual(['tensor_memory_pool.c', 'tensor_memory_pool.h']);
    for (const file of readdirSync(out)) {
      await expect(readFileSync(join(out, file), 'utf8')).toMatchFileSnapshot(join(examples, name, file));
    }
  });

  it.each(EXAMPLES)('$name is described with its true figures', async ({ name, about, build, target }) => {
    const { totals } = await planOf(fileOf(name, {}), '--target', target);
    expect(totals.arenaBytes).toBe(totals.lowerBoundBytes);
    const stored = [...build().constants.values()].reduce((sum, v) => sum + bytesOf(v), 0);
    expect(totals.weightBytes).toBe(stored);
    const figures = [totals.arenaBytes, totals.noReuseBytes, stored].map(grouped);
    expect(page).toContain(`| ${[`\`${name}\``, about, target, ...figures].join(' | ')} |`);
  });
});

/** 1234567 as 1,234,567. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
