/** The figures of docs/kernels.md are those of plans. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { keywordSpotterInt8 } from '../../examples/models/keyword-spotter.ts';
import { mobileNetV1, mobileNetV1Int8 } from '../../examples/models/mobilenet-v1.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';

const page = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'kernels.md'),
  'utf8',
);
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
/** The cells of the row that starts with a text. */
const row = (first: string): readonly string[] => rows.find((cells) => cells[1] === first)!.slice(2, -1);

const mobileNet = writeTemp(mobileNetV1Int8().encode(), 'mobilenet-v1-int8.onnx');
const spotter = writeTemp(keywordSpotterInt8().encode(), 'kws-int8.onnx');
const planOf = (path: string, request: Partial<PlanRequest>): Plan =>
  planModel(requestOf({ models: [path], fuse: 'default', ...request })).plan;

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

describe('MobileNetV1 0.25', () => {
  it.each<[string, Partial<PlanRequest>]>([
    ['none', { kernels: 'none' }],
    ['reference', { kernels: 'reference' }],
    ['CMSIS-NN 7, scalar', { kernels: 'cmsis-nn', kernelsBuild: 'scalar' }],
    ['CMSIS-NN 7, DSP', { kernels: undefined }],
    ['CMSIS-NN 7, MVE', { kernels: 'cmsis-nn', kernelsBuild: 'mve' }],
    ['CMSIS-NN 7, DSP, armclang', { kernels: 'cmsis-nn', kernelsVersion: '7-armclang' }],
    ['TensorFlow Lite Micro, DSP', { kernels: 'tflm' }],
    ['im2col, whole', { kernels: 'im2col' }],
    ['im2col, 64 pixels at a time', { kernels: 'im2col', kernelsVersion: 'tile=64' }],
  ])('%s', (name, request) => {
    const { totals, steps } = planOf(mobileNet, request);
    const { scratchBytes, complete } = totals;
    const [most] = [...steps].sort((a, b) => b.scratchBytes - a.scratchBytes || a.step - b.step);
    expect(row(name)).toEqual([
      grouped(totals.arenaBytes),
      complete ? grouped(scratchBytes) : 'not counted',
      scratchBytes > 0 ? most!.node : '',
    ]);
    expect(totals.optimal).toBe(true);
  });

  it('beside what was published', () => {
    const plan = planOf(mobileNet, { kernels: undefined });
    const planned = (name: string): string | undefined => row(name)[2];
    const largest = Math.max(...plan.tensors.map(({ bytes }) => bytes));
    expect(planned('largest int8 tensor (`pw1`)')).toBe(grouped(largest));
    expect(planned('most int8 bytes live at once')).toBe(grouped(plan.peak.bytes));
    expect(planned('working memory of the kernels, the most of a step')).toBe(
      grouped(plan.totals.scratchBytes),
    );
    expect(planned('RAM in all')).toBe(grouped(plan.totals.arenaBytes));
    const learned = plan.constants.filter(
      (c) => /_(weight|bias)$/.test(c.name) && !c.name.startsWith('pool_'),
    );
    const weights = learned.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(planned('weights and biases in int8')).toBe(grouped(weights));
    const float = writeTemp(mobileNetV1({ weights: 'light' }).encode());
    const { peak } = planOf(float, { target: 'cortex-m7', kernels: 'none', fuse: 'none' });
    expect(planned('float32, most bytes live at once')).toBe(grouped(peak.bytes));
    expect(page).toContain('takes 57.4 % of the');
    expect((100 * plan.totals.arenaBytes) / 524_288).toBeCloseTo(57.4, 1);
  });

  it('has true figures that its layers give', () => {
    const layers = [...mobileNetV1Int8().activations.values()].filter((v) => v.type === 'int8');
    const bytes = layers.map(({ shape }) => shape.reduce((a, b) => a * b, 1));
    const pairs = bytes.slice(1).map((size, i) => size + bytes[i]!);
    const even = Math.max(...bytes.filter((_, i) => i % 2 === 0));
    const odd = Math.max(...bytes.filter((_, i) => i % 2 === 1));
    const truth = (name: string): string | undefined => row(name)[1];
    expect(truth('most int8 bytes live at once')).toBe(grouped(Math.max(...pairs)));
    expect(truth('... as two equal buffers')).toBe(grouped(2 * Math.max(...bytes)));
    expect(truth('... as two buffers of their own sizes')).toBe(grouped(even + odd));
    // Weights alone: conv1, two depthwise and two pointwise layers of 8, 16 and 32 filters.
    const first = 3 * 9 * 8 + 8 * 9 + 8 * 16 + 16 * 9 + 16 * 32;
    const biases = 4 * (8 + 8 + 16 + 16 + 32);
    expect(truth('first five layers of them')).toBe(`${grouped(first + biases)}, 0.29 %`);
  });
});

describe('the keyword spotter', () => {
  it.each<[string, Partial<PlanRequest>]>([
    ['16,000 bytes of tensors', { kernels: 'none' }],
    ['24,064 with DSP', { kernels: 'cmsis-nn', kernelsBuild: 'dsp' }],
    ['70,064 with Helium', { kernels: 'cmsis-nn', kernelsBuild: 'mve' }],
  ])('%s', (text, request) => {
    const { totals } = planOf(spotter, request);
    expect(text).toContain(grouped(totals.arenaBytes));
    expect(page).toContain(text);
  });
});
