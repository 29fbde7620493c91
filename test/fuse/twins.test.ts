/** One network in two spellings: QLinear operators, and QDQ with everything fused, must take the same bytes. */
import { describe, expect, it } from 'vitest';
import { keywordSpotterInt8 } from '../../examples/models/keyword-spotter.ts';
import { mobileNetV1Int8 } from '../../examples/models/mobilenet-v1.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';
import { qdqTwin } from '../support/qdq-twin.ts';

function planOf(bytes: Uint8Array, name: string, request: Partial<PlanRequest>): Plan {
  return planModel(
    requestOf({ models: [writeTemp(bytes, name)], target: 'cortex-m7', kernels: 'none', ...request }),
  ).plan;
}

const lives = ({ tensors }: Plan) =>
  tensors.map(({ name, type, shape, bytes, quant, first, end, offset, how }) => ({
    name,
    type,
    shape,
    bytes,
    quant,
    first,
    end,
    offset,
    how,
  }));

describe.each([
  // Two layers of 25 x 5 x 64; the widest pair of layers at 112 x 112 (examples/README.md).
  ['keyword spotter', keywordSpotterInt8, 25 * 5 * (64 + 64)],
  ['MobileNetV1 0.25', mobileNetV1Int8, 112 * 112 * (8 + 16)],
] as const)('%s', (name, build, arena) => {
  const qlinear = build().encode();
  const qdq = qdqTwin(qlinear);
  const fused = planOf(qdq, `${name}-qdq.onnx`, { fuse: 'default' });
  const plain = planOf(qlinear, `${name}-qlinear.onnx`, { fuse: 'default' });

  it('has the arena that was counted by hand', () => {
    expect(fused.totals).toMatchObject({ arenaBytes: arena, lowerBoundBytes: arena, optimal: true });
  });

  it('has the same tensors at the same places, alive at the same steps, with the same scales', () => {
    expect(lives(fused)).toEqual(lives(plain));
  });

  it('has the same weights, scales and zero points', () => {
    const stored = ({ constants }: Plan) =>
      constants.map(({ name, type, bytes }) => `${name} ${type} ${bytes}`).sort();
    expect(stored(fused)).toEqual(stored(plain));
    expect(fused.totals).toEqual(plain.totals);
  });

  it('takes more than four times the arena, and floats for weights, where nothing is fused', () => {
    const loose = planOf(qdq, `${name}-qdq.onnx`, { fuse: 'none' });
    expect(fused.fusion?.unfused).toEqual({ steps: loose.steps.length, arenaBytes: loose.totals.arenaBytes });
    expect(loose.totals.arenaBytes).toBeGreaterThan(4 * arena);
  });

  it('is compared with itself unfused under the same rules and with the same copies of weights', () => {
    const input = fused.models[0]!.inputs[0]!;
    const ruled = planOf(qdq, `${name}-qdq.onnx`, {
      ...{ fuse: 'default', target: 'stm32h743', weights: 'hybrid' },
      rules: [{ kind: 'forbid', tensor: input, region: 'DTCM' }],
    });
    const effect = ({ fusion, totals }: Plan) => fusion!.unfused.arenaBytes - totals.arenaBytes;
    expect(ruled.totals.copyBytes).toBeGreaterThan(0);
    expect(effect(ruled)).toBe(effect(fused));
  });
});
