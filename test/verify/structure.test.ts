import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanConstant, PlanStep, PlanTensor } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { structureFaults } from '../../src/verify/structure.ts';
import { together } from '../support/joint-plans.ts';
import { planOf } from '../support/plans.ts';

const said = (plan: Plan): readonly string[] => structureFaults(indexPlan(plan)).map(({ text }) => text);

/** A part of a tensor, a write over it, scratch, a tensor of the caller, and a weight with a copy. */
const SOUND = ((): Plan => {
  const plan = planOf({
    file: 'm.onnx',
    tensors: [
      { name: 'x', shape: [4], role: 'input', live: [0, 1], offset: 0 },
      { name: 'a', shape: [8], live: [0, 3], offset: 16 },
      { name: 'v', shape: [4], live: [1, 3], offset: 32, how: 'elided', aliasOf: 'a' },
      { name: 'r', shape: [4], live: [2, 3], offset: 32, how: 'in-place', aliasOf: 'v' },
      { name: 's', shape: [4], role: 'scratch', live: [1, 2], offset: 64 },
      { name: 'out', shape: [4], role: 'output', live: [2, 3], offset: null },
    ],
    steps: [
      { node: 'conv', op: 'Conv', reads: ['x'], writes: ['a'] },
      { node: 'slice', op: 'Slice', reads: ['a'], writes: ['v'] },
      { node: 'relu', op: 'Relu', reads: ['v'], writes: ['r', 'out'] },
    ],
    constants: [{ name: 'w', type: 'float32', shape: [4] }],
  });
  const copy: PlanBuffer = {
    ...plan.buffers[0]!,
    ...{ id: 9, kind: 'copy', tensors: ['w'], offset: 96, bytes: 16, first: 0, end: 3 },
  };
  return {
    ...plan,
    steps: plan.steps.map((one) => (one.step === 1 ? { ...one, scratch: ['s'] } : one)),
    buffers: [
      ...plan.buffers.map(
        (one): PlanBuffer => (one.tensors.includes('s') ? { ...one, kind: 'scratch' } : one),
      ),
      copy,
    ],
    constants: plan.constants.map((one) => ({ ...one, place: 'ram', buffer: 9 })),
  };
})();

const tensor =
  (name: string, change: Partial<PlanTensor>) =>
  (plan: Plan): Plan => {
    return { ...plan, tensors: plan.tensors.map((one) => (one.name === name ? { ...one, ...change } : one)) };
  };
/** The buffer that holds a tensor or a copy. */
const buffer =
  (of: string, change: Partial<PlanBuffer>) =>
  (plan: Plan): Plan => {
    const buffers = plan.buffers.map((one) => (one.tensors.includes(of) ? { ...one, ...change } : one));
    return { ...plan, buffers };
  };
const step =
  (at: number, change: Partial<PlanStep>) =>
  (plan: Plan): Plan => {
    return { ...plan, steps: plan.steps.map((one, index) => (index === at ? { ...one, ...change } : one)) };
  };
const weight =
  (change: Partial<PlanConstant>) =>
  (plan: Plan): Plan => ({ ...plan, constants: plan.constants.map((one) => ({ ...one, ...change })) });
const gap = (first: number, end: number, from: number, to: number) =>
  buffer('a', { gaps: [{ first, end, from, to }] });
const both =
  (...plants: readonly ((plan: Plan) => Plan)[]) =>
  (plan: Plan): Plan =>
    plants.reduce((planted, plant) => plant(planted), plan);
const port =
  (side: 'inputs' | 'outputs', names: readonly string[]) =>
  (plan: Plan): Plan => ({
    ...plan,
    models: plan.models.map((one) => ({ ...one, [side]: names })),
  });

describe('the structure of a plan', () => {
  it('is sound', () => {
    expect(said(SOUND)).toEqual([]);
  });

  const FAULTS: readonly (readonly [string, (plan: Plan) => Plan, ...(readonly string[])])[] = [
    ['a C name twice', tensor('a', { c: 'x' }), 'There are two C names x.'],
    [
      'a buffer twice',
      (plan) => ({ ...plan, buffers: [...plan.buffers, plan.buffers[0]!] }),
      'There are two buffers 0.',
    ],
    [
      'another region',
      (plan) => ({ ...plan, regions: [...plan.regions, { ...plan.regions[0]!, name: 'DTCM' }] }),
    ],
    [
      'a region twice',
      (plan) => ({ ...plan, regions: [...plan.regions, ...plan.regions] }),
      'There are two regions AXISRAM.',
    ],
    ['a step in another place', step(1, { step: 5 }), 'Step 5 stands in place 1.'],
    [
      'fused nodes without their own',
      step(0, { fused: ['other', 'more'] }),
      'Step 0 does the work of other, more, but not that of conv.',
    ],
    ['fused nodes with their own', step(0, { fused: ['other', 'conv'] })],
    [
      'an input that is written',
      step(2, { writes: ['r', 'out', 'x'] }),
      'Step 2 writes x, which has its value already.',
    ],
    [
      'a tensor written twice',
      step(2, { writes: ['r', 'out', 'a'] }),
      'Step 2 writes a, which has its value already.',
    ],
    ['scratch of two steps', step(2, { scratch: ['s'] }), 'Step 2 writes s, which has its value already.'],
    ...(['reads', 'writes', 'scratch'] as const).map(
      (side) =>
        [
          `a stranger among the ${side}`,
          step(2, { reads: ['v'], writes: ['r', 'out'], [side]: ['stranger'] }),
          'Step 2 uses stranger, which is not among the tensors.',
        ] as const,
    ),
    [
      'scratch that is none',
      step(2, { writes: ['r'], scratch: ['out'] }),
      'out is said to be scratch of relu, but is none.',
    ],
    ['scratch that is read', step(2, { reads: ['v', 's'] }), 'relu passes on s, which is scratch.'],
    [
      'scratch that is written',
      (plan) => step(1, { scratch: [] })(step(1, { writes: ['v', 's'] })(plan)),
      'slice passes on s, which is scratch.',
    ],
    ['a body of no node', step(1, { path: 'if/then' }), 'Step 1 stands in a body if/then of no node.'],
    [
      'a body that names what is not there',
      (plan) =>
        step(1, { path: 'if/then' })(
          step(0, { bodies: [{ path: 'if/then', inputs: ['in', 'w'], outputs: ['a', 'gone'] }] })(plan),
        ),
      'A body of conv names in, which is not in the plan.',
      'A body of conv names gone, which is not in the plan.',
    ],
    [
      'a body of another path',
      (plan) =>
        step(1, { path: 'if/else' })(
          step(0, { bodies: [{ path: 'if/then', inputs: [], outputs: [] }] })(plan),
        ),
      'Step 1 stands in a body if/else of no node.',
    ],
    ['wrong bytes', tensor('s', { bytes: 12 }), 'Tensor s has 12 bytes; float32 of its shape has 16.'],
    ['an empty life', tensor('out', { first: 2, end: 2 }), 'Tensor out lives [2,2) in a plan of 3 steps.'],
    [
      'a life before the first step',
      tensor('out', { first: -1 }),
      'Tensor out lives [-1,3) in a plan of 3 steps.',
    ],
    ['a life after the last step', tensor('out', { end: 4 }), 'Tensor out lives [2,4) in a plan of 3 steps.'],
    ['a life from the first step on', tensor('out', { first: 0 })],
    [
      'own bytes that are shared',
      tensor('s', { aliasOf: 'x' }),
      'Tensor s has its own bytes, yet shares those of x.',
    ],
    ['bytes of nobody', tensor('r', { aliasOf: null }), 'Tensor r is in-place, but of what is not said.'],
    [
      'bytes of a stranger',
      tensor('r', { aliasOf: 'gone' }),
      'Tensor r shares the bytes of gone, which is not among the tensors.',
    ],
    [
      'a ring',
      tensor('v', { aliasOf: 'r' }),
      'Tensor v shares bytes with itself in a ring.',
      'Tensor r shares bytes with itself in a ring.',
    ],
    [
      'bytes of another buffer',
      tensor('r', { aliasOf: 'x' }),
      'Tensor r shares bytes with x of another buffer.',
    ],
    [
      'a write over half of its operand',
      tensor('r', { aliasOf: 'a' }),
      'Tensor r is in-place of a, but does not lie on its bytes.',
    ],
    [
      'a write over the first half of its operand',
      tensor('r', { aliasOf: 'a', offset: 16 }),
      'Tensor r is in-place of a, but does not lie on its bytes.',
    ],
    ['a part at the beginning of the whole', both(tensor('v', { offset: 16 }), tensor('r', { offset: 16 }))],
    [
      'a tensor of the caller in the bytes of another',
      both(
        tensor('x', { how: 'external', buffer: null, region: null, offset: null, shape: [2], bytes: 8 }),
        tensor('out', { aliasOf: 'x' }),
      ),
      'Buffer 0 holds no tensor.',
    ],
    [
      'a part before the whole',
      tensor('a', { aliasOf: 'v', how: 'view' }),
      'Tensor a shares bytes with itself in a ring.',
      'Tensor v shares bytes with itself in a ring.',
      'Tensor r shares bytes with itself in a ring.',
    ],
    [
      'a part that begins before the whole',
      tensor('v', { offset: 12 }),
      'Tensor v is elided of a, but does not lie on its bytes.',
      'Tensor v at [12,28) reaches out of its buffer 1 at [16,48).',
      'Tensor r is in-place of v, but does not lie on its bytes.',
    ],
    [
      'a part that ends behind the whole',
      tensor('v', { offset: 36 }),
      'Tensor v is elided of a, but does not lie on its bytes.',
      'Tensor v at [36,52) reaches out of its buffer 1 at [16,48).',
      'Tensor r is in-place of v, but does not lie on its bytes.',
      'Buffer 1 does not have 0 unused bytes behind v.',
    ],
    [
      'a tensor of the caller with a region',
      tensor('out', { region: 'AXISRAM' }),
      'Tensor out is external, yet has a place.',
    ],
    [
      'a tensor of the caller with an offset',
      tensor('out', { offset: 0 }),
      'Tensor out is external, yet has a place.',
    ],
    [
      'a tensor of the caller with a buffer',
      tensor('out', { buffer: 0 }),
      'Tensor out is external, yet has a place.',
      'Buffer 0 lists tensors that lie elsewhere.',
      'Buffer 0 lives [0,1), its tensors [0,3).',
    ],
    ['no buffer', tensor('s', { buffer: null }), 'Tensor s has no place.', 'Buffer 2 holds no tensor.'],
    [
      'a buffer that is not there',
      tensor('s', { buffer: 77 }),
      'Tensor s has no place.',
      'Buffer 2 holds no tensor.',
    ],
    ['no offset', tensor('s', { offset: null }), 'Tensor s has no place.'],
    ['another region', tensor('s', { region: 'DTCM' }), 'Tensor s is in DTCM, its buffer in AXISRAM.'],
    [
      'a tensor that its buffer does not reach',
      buffer('s', { offset: 72, bytes: 16 }),
      'Tensor s at [64,80) reaches out of its buffer 2 at [72,88).',
    ],
    [
      'a buffer that begins late',
      buffer('s', { first: 2, end: 3 }),
      'Tensor s lives [1,2), its buffer 2 only [2,3).',
      'Buffer 2 lives [2,3), its tensors [1,2).',
    ],
    [
      'a buffer that ends early',
      buffer('a', { end: 2 }),
      'Tensor a lives [0,3), its buffer 1 only [0,2).',
      'Tensor v lives [1,3), its buffer 1 only [0,2).',
      'Tensor r lives [2,3), its buffer 1 only [0,2).',
      'Buffer 1 lives [0,2), its tensors [0,3).',
    ],
    [
      'a buffer that is there too early',
      buffer('s', { first: 0 }),
      'Buffer 2 lives [0,2), its tensors [1,2).',
    ],
    ['a buffer that is held too long', buffer('s', { end: 3 }), 'Buffer 2 lives [1,3), its tensors [1,2).'],
    [
      'a buffer beyond the last step',
      buffer('a', { end: 4 }),
      'Buffer 1 lives to 4 in a plan of 3 steps.',
      'Buffer 1 lives [0,4), its tensors [0,3).',
    ],
    ['a buffer in no region', buffer('w', { region: 'NONE' }), 'Buffer 9 lies in no region.'],
    ['a buffer that stays', buffer('a', { kind: 'persistent' })],
    [
      'a buffer that stays and does not begin at once',
      buffer('s', { kind: 'persistent', first: 1, end: 3 }),
      'Buffer 2 is persistent, but not alive at every step.',
      'Buffer 2 mixes scratch with other things.',
    ],
    [
      'a buffer that stays and goes',
      buffer('x', { kind: 'persistent' }),
      'Buffer 0 is persistent, but not alive at every step.',
    ],
    ['names in another order', buffer('a', { tensors: ['r', 'v', 'a'] })],
    ['a name too few', buffer('a', { tensors: ['a', 'v'] }), 'Buffer 1 lists tensors that lie elsewhere.'],
    [
      'a name twice in the place of another',
      buffer('a', { tensors: ['a', 'v', 'v'] }),
      'Buffer 1 lists tensors that lie elsewhere.',
    ],
    [
      'a name twice besides all others',
      buffer('a', { tensors: ['a', 'v', 'r', 'r'] }),
      'Buffer 1 lists tensors that lie elsewhere.',
    ],
    [
      'scratch that is called so without need',
      buffer('x', { kind: 'scratch' }),
      'Buffer 0 mixes scratch with other things.',
    ],
    [
      'a name of another buffer',
      buffer('a', { tensors: ['a', 'v', 'x'] }),
      'Buffer 1 lists tensors that lie elsewhere.',
    ],
    [
      'scratch in the bytes of a tensor',
      tensor('r', { role: 'scratch' }),
      'relu passes on r, which is scratch.',
      'Buffer 1 mixes scratch with other things.',
    ],
    [
      'a tensor in a buffer of scratch',
      both(tensor('r', { role: 'scratch' }), buffer('a', { kind: 'scratch' })),
      'relu passes on r, which is scratch.',
      'Buffer 1 mixes scratch with other things.',
    ],
    ['a gap where nothing lies', gap(0, 1, 0, 0)],
    ['a gap before a tensor', buffer('s', { gaps: [{ first: 0, end: 1, from: 0, to: 16 }] })],
    ['a gap behind a tensor', buffer('s', { gaps: [{ first: 1, end: 2, from: 16, to: 32 }] })],
    ['a gap where a tensor lies', gap(0, 1, 0, 16), 'Buffer 1 is said to be free where a lies.'],
    [
      'a gap beside a tensor in time and space',
      (plan) =>
        tensor('a', { end: 2, shape: [4], bytes: 16 })(
          tensor('v', { how: 'own', aliasOf: null })(gap(2, 3, 0, 16)(plan)),
        ),
    ],
    [
      'a gap that a tensor touches',
      (plan) =>
        tensor('a', { end: 2, shape: [4], bytes: 16 })(
          tensor('v', { how: 'own', aliasOf: null })(gap(1, 3, 0, 16)(plan)),
        ),
      'Buffer 1 is said to be free where a lies.',
    ],
    [
      'a weight in flash with a copy',
      weight({ place: 'flash' }),
      'Buffer 9 is the copy of no weight.',
      'Weight w is said to lie in flash, but its copy says otherwise.',
    ],
    [
      'a weight of another size',
      weight({ bytes: 20 }),
      'Buffer 9 is the copy of no weight.',
      'Weight w has 20 bytes; float32 of its shape has 16.',
    ],
    ['a weight of another model', weight({ model: 1 }), 'Buffer 9 is the copy of no weight.'],
    ['a weight of another name', weight({ name: 'u' }), 'Buffer 9 is the copy of no weight.'],
    [
      'a weight without a copy',
      weight({ buffer: 8 }),
      'Buffer 9 is the copy of no weight.',
      'Weight w is said to lie in ram, but its copy says otherwise.',
    ],
    [
      'two weights with one copy',
      (plan) => ({ ...plan, constants: [...plan.constants, ...plan.constants] }),
      'Buffer 9 is the copy of no weight.',
    ],
    ['a copy of two', buffer('w', { tensors: ['w', 'u'] }), 'Buffer 9 is the copy of no weight.'],
    ['a copy that comes late', buffer('w', { first: 1 }), 'Copy 9 is not alive at every step that needs it.'],
    ['a copy that goes', buffer('w', { end: 2 }), 'Copy 9 is not alive at every step that needs it.'],
    [
      'a copy with a gap',
      buffer('w', { gaps: [{ first: 0, end: 1, from: 0, to: 4 }] }),
      'Copy 9 is not alive at every step that needs it.',
    ],
    [
      'a weight whose buffer is no copy',
      weight({ buffer: 0 }),
      'Buffer 9 is the copy of no weight.',
      'Weight w is said to lie in ram, but its copy says otherwise.',
    ],
    [
      'an input that stays',
      both(
        (plan) => ({ ...plan, states: [{ model: 0, tensor: 'x', from: null, how: 'kept' }] }),
        both(tensor('x', { role: 'state' }), buffer('x', { kind: 'persistent', end: 3 })),
      ),
    ],
    ['a lost output', port('outputs', ['out', 'gone']), "The model's gone is missing from the plan."],
    ['a constant output', port('outputs', ['out', 'w'])],
    ['a lost input', port('inputs', ['x', 'gone']), "The model's gone is missing from the plan."],
    ['an input that is none', port('inputs', []), 'Tensor x is not the graph input it is said to be.'],
    [
      'an input that is called something else',
      tensor('x', { role: 'activation' }),
      'Tensor x is not the graph input it is said to be.',
    ],
    [
      'unused bytes that are not there',
      (plan) => ({ ...plan, assumptions: { ...plan.assumptions, slack: 4 } }),
      'Buffer 0 does not have 4 unused bytes behind x.',
      'Buffer 1 does not have 4 unused bytes behind a.',
      'Buffer 1 does not have 4 unused bytes behind v.',
      'Buffer 1 does not have 4 unused bytes behind r.',
      'Buffer 2 does not have 4 unused bytes behind s.',
    ],
  ];

  it.each(FAULTS.map(([name, plant, ...texts]) => ({ name, plant, texts })))('$name', ({ plant, texts }) => {
    expect(said(plant(SOUND))).toEqual(texts);
  });

  it('wants names once in a model, and of a model that is there', () => {
    const twice = { ...SOUND, tensors: [...SOUND.tensors, SOUND.tensors[5]!] };
    expect(said(twice)).toContain('There are two tensors out.');
    expect(said(together([SOUND, SOUND]))).not.toContain('There are two tensors out.');
    expect(said(tensor('out', { model: 3 })(SOUND))).toContain('Tensor out has no model.');
  });

  it('wants a C name of each copy once in a model', () => {
    const named = weight({ c: 'W' })(SOUND);
    const [first] = named.constants;
    const again = (model: number): Plan => {
      return { ...named, constants: [first!, { ...first!, name: 'other', model, buffer: 8 }] };
    };
    expect(said(named)).toEqual([]);
    expect(said(again(0))[0]).toBe('There are two C names of copies W.');
    expect(said(again(1)).join()).not.toContain('C names');
    expect(said(weight({ c: 'x' })(SOUND))).toEqual([]);
  });

  it.each<[string, (plan: Plan) => Plan, { readonly node?: string; readonly tensor?: string }]>([
    ['a step in another place', step(1, { step: 5 }), { node: 'slice' }],
    ['a stranger', step(2, { reads: ['v', 'stranger'] }), { node: 'relu' }],
    ['scratch that is none', step(2, { writes: ['r'], scratch: ['out'] }), { node: 'relu', tensor: 'out' }],
    ['scratch that is read', step(2, { reads: ['v', 's'] }), { node: 'relu', tensor: 's' }],
    ['a second write', step(2, { writes: ['r', 'out', 'a'] }), { node: 'relu', tensor: 'a' }],
    ['a body of no node', step(1, { path: 'if/then' }), { node: 'slice' }],
    [
      'a body with a stranger',
      step(2, { bodies: [{ path: 'b', inputs: ['in'], outputs: [] }] }),
      { node: 'relu' },
    ],
    ['a tensor without a place', tensor('s', { offset: null }), { tensor: 's' }],
    ['a gap where a tensor lies', gap(0, 1, 0, 16), { tensor: 'a' }],
    ['a lost output', port('outputs', ['out', 'gone']), { tensor: 'gone' }],
    ['an input that is none', port('inputs', []), { tensor: 'x' }],
  ])('names the node and the tensor of %s', (_, plant, where) => {
    expect(structureFaults(indexPlan(plant(SOUND)))).toMatchObject([where]);
  });

  it('names the tensor that has too little behind it', () => {
    const slack = { ...SOUND, assumptions: { ...SOUND.assumptions, slack: 4 } };
    expect(structureFaults(indexPlan(slack))[0]).toMatchObject({ tensor: 'x' });
  });
});
