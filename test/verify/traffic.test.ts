import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { trafficFaults } from '../../src/verify/traffic.ts';
import { AXISRAM, DTCM, planOf } from '../support/plans.ts';

const said = (plan: Plan): readonly string[] => trafficFaults(indexPlan(plan)).map(({ text }) => text);

const live = [0, 5] as const;
/** Bytes: x 16, i 8, a 32, s 24, v and c in a, p 16 in w, q 32, w 48, b 32. */
const SKETCH = planOf({
  file: 'm.onnx',
  regions: [AXISRAM, DTCM],
  tensors: [
    { name: 'x', shape: [4], role: 'input', live, offset: 0 },
    { name: 'i', shape: [2], role: 'input', live, offset: 0, region: 'DTCM' },
    { name: 'a', shape: [8], live, offset: 16 },
    { name: 's', shape: [6], role: 'scratch', live, offset: 48 },
    { name: 'v', shape: [4, 2], live, offset: 16, how: 'view', aliasOf: 'a' },
    { name: 'c', shape: [2, 2], live, offset: 16, how: 'elided', aliasOf: 'v' },
    { name: 'w', shape: [12], live, offset: 80 },
    { name: 'p', shape: [4], live, offset: 80, how: 'elided', aliasOf: 'w' },
    { name: 'q', shape: [8], live, offset: 128 },
    { name: 'b', shape: [8], live, offset: 16, how: 'in-place', aliasOf: 'a' },
    { name: 'y', shape: [8], role: 'output', live, offset: null },
  ],
  steps: [
    // x 16, a 32.
    { node: 'conv', op: 'Conv', reads: ['x'], writes: ['a'] },
    // A view moves nothing, and what says where it begins is not read for it: only the scratch, 24 twice.
    { node: 'reshape', op: 'Reshape', reads: ['a', 'i'], writes: ['v'] },
    // One part stays in v, the other is written: v 32, q 32.
    { node: 'split', op: 'Split', reads: ['v'], writes: ['c', 'q'] },
    // i 8, p 16 in w.
    { node: 'more', op: 'Conv', reads: ['i'], writes: ['p'] },
    // p is there, q is copied: q 32, w 48 - 16.
    { node: 'concat', op: 'Concat', reads: ['p', 'q'], writes: ['w'] },
    // In place both sides move: a 32 twice.
    { node: 'relu', op: 'Relu', reads: ['a'], writes: ['b'] },
    // A step without a result reads all the same: w 48.
    { node: 'sink', op: 'Sink', reads: ['w'] },
    // The caller's tensor is not counted: b 32.
    { node: 'last', op: 'Conv', reads: ['b'], writes: ['y'] },
  ],
});
const MOVED = { x: 16, i: 8, a: 32 + 32 + 64 + 32, s: 48, w: 16 + 32 + 48, q: 32 + 32 };
const steps = SKETCH.steps.map((one) => (one.node === 'reshape' ? { ...one, scratch: ['s'] } : one));

/** The plan with these figures stated, by the first tensor of each buffer. */
function stating(moved: Readonly<Record<string, number>>, axisram: number, dtcm?: number): Plan {
  const buffers = SKETCH.buffers
    .filter(({ tensors: [name] }) => name! in moved)
    .map(({ id, tensors: [name] }) => ({ buffer: id, traffic: moved[name!]!, why: 'home' as const }));
  const [first, second] = SKETCH.regions;
  const regions = [
    { ...first!, traffic: axisram },
    { ...second!, ...(dtcm !== undefined && { traffic: dtcm }) },
  ];
  return { ...SKETCH, steps, regions, placement: { optimal: true, buffers, gains: [] } };
}

describe('the traffic of a plan', () => {
  it('is what its steps move', () => {
    expect(said(stating(MOVED, 16 + 160 + 48 + 96 + 64, 8))).toEqual([]);
  });

  it('of a region is the sum over its buffers, and need not be stated', () => {
    expect(said(stating(MOVED, 384))).toEqual([]);
    expect(said(stating(MOVED, 392, 0))).toEqual([
      'The traffic of AXISRAM is stated as 392, but comes to 384.',
      'The traffic of DTCM is stated as 0, but comes to 8.',
    ]);
    const { placement, ...bare } = stating(MOVED, 384);
    expect(said(bare)).toEqual([]);
    expect(said({ ...bare, steps: [] })).toEqual([
      'The traffic of AXISRAM is stated as 384, but comes to 0.',
    ]);
  });

  it('of a weight that is brought is written once, and read by each step that asks for its copy', () => {
    const copy = (id: number) => ({ ...SKETCH.buffers[0]!, id, kind: 'copy' as const, tensors: ['k'] });
    const constant = (model: number, buffer: number) => {
      const shape = [25];
      return { model, name: 'k', type: 'float32', shape, bytes: 100, place: 'ram', buffer } as const;
    };
    const reading = (model: number, at: number) => {
      return { ...SKETCH.steps[at]!, model, reads: [], writes: [], weights: ['k'] };
    };
    const plan: Plan = {
      ...SKETCH,
      models: [SKETCH.models[0]!, SKETCH.models[0]!],
      steps: [reading(0, 0), reading(0, 1), reading(1, 2)],
      buffers: [copy(0), copy(1)],
      constants: [constant(0, 0), constant(1, 1)],
    };
    const stated = (first: number, second: number): Plan => {
      const rows = [first, second].map((traffic, buffer) => ({ buffer, traffic, why: 'home' as const }));
      return { ...plan, placement: { optimal: true, buffers: rows, gains: [] } };
    };
    expect(said(stated(300, 200))).toEqual([]);
    expect(said(stated(200, 100))).toEqual([
      'The traffic of buffer 0 is stated as 200, but comes to 300.',
      'The traffic of buffer 1 is stated as 100, but comes to 200.',
    ]);
  });

  it('of every buffer is stated once where buffers were placed', () => {
    expect(said(stating({ ...MOVED, a: 159 }, 384))).toEqual([
      'The traffic of buffer 2 is stated as 159, but comes to 160.',
    ]);
    const { q, ...others } = MOVED;
    expect(said(stating(others, 384))).toEqual([
      'The placement does not name every buffer once.',
      'The traffic of buffer 5 is stated as undefined, but comes to 64.',
    ]);
    const plan = stating(MOVED, 384);
    const { buffers } = plan.placement!;
    const strange = { ...plan.placement!, buffers: [...buffers, { ...buffers[0]!, buffer: 77 }] };
    expect(said({ ...plan, placement: strange })).toEqual(['The placement does not name every buffer once.']);
    const still = { ...plan, steps: [], regions: plan.regions.map(({ traffic, ...one }) => one) };
    const none = stating({ x: 0, i: 0, a: 0, s: 0, w: 0, q: 0 }, 0).placement!;
    expect(said({ ...still, placement: none })).toEqual([]);
  });
});
