/** Known architectures with BatchNormalization and activations as nodes of their own: fused they take what was counted by hand. */
import { describe, expect, it } from 'vitest';
import { autoencoder } from '../../examples/models/autoencoder.ts';
import { keywordSpotter } from '../../examples/models/keyword-spotter.ts';
import { mobileNetV1 } from '../../examples/models/mobilenet-v1.ts';
import { resNet50 } from '../../examples/models/resnet50.ts';
import type { ModelWriter } from '../../examples/models/writer.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';

function planOf(model: ModelWriter, request: Partial<PlanRequest>): Plan {
  const path = writeTemp(model.encode());
  return planModel(
    requestOf({ models: [path], target: 'cortex-a53', kernels: 'none', align: 16, ...request }),
  ).plan;
}

const light = { weights: 'light' } as const;

describe('MobileNetV1 0.25 at 224x224', () => {
  const unfolded = mobileNetV1({ ...light, foldNormalization: false });
  const fused = planOf(unfolded, { fuse: 'default' });
  // Elements of all layers, each one tensor: see examples/README.md.
  const elements = 1_413_456;

  it('has one tensor per layer', () => {
    expect(fused.totals.noReuseBytes).toBe(4 * elements);
    // Input, 27 layers, pool, its flat view, logits, scores.
    expect(fused.tensors.length).toBe(1 + 27 + 4);
    expect(fused.steps.filter((step) => step.fused.length === 3).length).toBe(27);
  });

  it('takes three and more times that sum where every node is a step', () => {
    const { tensors } = planOf(unfolded, { fuse: 'none' });
    const own = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
    // Published: 15.7 MB with BatchNormalization and ReLU6 as steps of their own.
    expect((own / 1e6).toFixed(1)).toBe('15.7');
  });

  it('has the weights of the folded network: one bias in place of four parameters', () => {
    const folded = planOf(mobileNetV1(light), { fuse: 'default' });
    expect(fused.totals).toEqual(folded.totals);
    expect(fused.totals.weightBytes).toBeLessThan(planOf(unfolded, {}).totals.weightBytes);
  });

  it('takes a quarter once quantised: the published 301,056 bytes', () => {
    const { totals, assumptions, diagnostics } = planOf(unfolded, { fuse: 'default', assume: 'int8' });
    expect(totals).toMatchObject({ arenaBytes: 301_056, lowerBoundBytes: 301_056, noReuseBytes: elements });
    expect(assumptions.assume).toBe('int8');
    expect(diagnostics.map(({ code }) => code)).toContain('W_ESTIMATE');
  });
});

it('ResNet-50 has one tensor per convolution and per sum', () => {
  /** Elements of a stage: 1x1, 3x3 with the stride, 1x1, sum in every block, and the shortcut of the first. */
  const stage = (width: number, before: number, size: number, blocks: number): number =>
    width * before ** 2 +
    (blocks - 1) * width * size ** 2 +
    blocks * (width + 4 * width + 4 * width) * size ** 2 +
    4 * width * size ** 2;
  const elements =
    3 * 224 ** 2 +
    64 * 112 ** 2 +
    64 * 56 ** 2 +
    stage(64, 56, 56, 3) +
    stage(128, 56, 28, 4) +
    stage(256, 28, 14, 6) +
    stage(512, 14, 7, 3) +
    2 * 2048 +
    2 * 1000;
  const model = resNet50({ ...light, foldNormalization: false });
  const { totals } = planOf(model, { fuse: 'default', inPlace: false, views: false });
  expect(totals.noReuseBytes).toBe(4 * elements);
});

it.each([
  ['keyword spotter', (foldNormalization: boolean) => keywordSpotter({ ...light, foldNormalization })],
  ['autoencoder', (foldNormalization: boolean) => autoencoder({ ...light, foldNormalization })],
] as const)('%s takes the same folded by the exporter or by fusion', (_, build) => {
  const folded = planOf(build(true), { fuse: 'default' });
  const unfolded = planOf(build(false), { fuse: 'default' });
  expect(unfolded.totals).toEqual(folded.totals);
  expect(unfolded.tensors.map(({ name, offset }) => [name, offset])).toEqual(
    folded.tensors.map(({ name, offset }) => [name, offset]),
  );
});
