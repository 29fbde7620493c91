/** The plans whose reports are kept as goldens. */
import type { Plan } from '../../src/plan/types.ts';
import { AXISRAM, DTCM, type PlanSketch, planOf } from '../support/plans.ts';

/** A keyword spotter of four steps: an in-place Relu, a gap to the bound of 1,024 bytes. */
export const KWS: PlanSketch = {
  file: 'kws.onnx',
  regions: [{ ...AXISRAM, reserved: 16384 }],
  tensors: [
    { name: 'input', shape: [1, 1, 16, 16], role: 'input', live: [0, 1], offset: 0 },
    { name: 'conv1/out', shape: [1, 6, 16, 16], live: [0, 2], offset: 1024 },
    {
      name: 'conv1/relu',
      shape: [1, 6, 16, 16],
      live: [1, 3],
      offset: 1024,
      how: 'in-place',
      aliasOf: 'conv1/out',
    },
    { name: 'conv2/out', shape: [1, 24, 16, 16], live: [2, 4], offset: 7168 },
    { name: 'scores', shape: [1, 12], role: 'output', live: [3, 4], offset: 0 },
  ],
  steps: [
    { node: 'conv1', op: 'Conv', reads: ['input'], writes: ['conv1/out'] },
    { node: 'relu1', op: 'Relu', reads: ['conv1/out'], writes: ['conv1/relu'] },
    { node: 'conv2', op: 'Conv', reads: ['conv1/relu'], writes: ['conv2/out'] },
    { node: 'fc', op: 'Gemm', reads: ['conv2/out'], writes: ['scores'] },
  ],
  constants: [{ name: 'w', type: 'float32', shape: [24, 6, 3, 3] }],
};

export const kws: Plan = planOf(KWS);

/** At its bound, in a region that is too small for it. */
export const tooLarge: Plan = planOf({
  ...KWS,
  regions: [{ ...DTCM, capacity: 16384 }],
  tensors: KWS.tensors.map((t) => (t.name === 'conv2/out' ? { ...t, offset: 0 } : { ...t, offset: 24576 })),
});

/** Two regions, one of unknown size, inputs and outputs owned by the caller. */
export const twoRegions: Plan = planOf({
  ...KWS,
  regions: [DTCM, { name: 'PSRAM' }],
  assumptions: { io: 'external' },
  tensors: KWS.tensors.map((t) => {
    if (t.role === 'input' || t.role === 'output') return { ...t, offset: null };
    return t.name === 'conv2/out' ? { ...t, region: 'PSRAM', offset: 0 } : { ...t, offset: 0 };
  }),
});

/** No step at all: the input is the output. */
export const passThrough: Plan = atBound(
  planOf({
    file: 'identity.onnx',
    tensors: [{ name: 'x', shape: [4], role: 'input', live: [0, 1], offset: 0 }],
    steps: [],
  }),
);

/** Without a step the sketch knows no bound: there is one moment, at which everything is live. */
function atBound(plan: Plan): Plan {
  const regions = plan.regions.map((region) => ({ ...region, lowerBound: region.used, optimal: true }));
  const totals = { ...plan.totals, lowerBoundBytes: plan.totals.arenaBytes, optimal: true };
  return { ...plan, regions, totals };
}

/** Twelve tensors live at one step, and names that a terminal must not obey. */
export const wide: Plan = planOf({
  file: 'wide\u001b[31m.onnx',
  tensors: Array.from({ length: 12 }, (_, i) => ({
    name: `block_${i}/a very long name of a tensor, as exporters like to make them/${'x'.repeat(60)}\u202e`,
    shape: [1, 64 - i],
    live: [0, 2] as const,
    offset: 256 * i,
  })),
});
