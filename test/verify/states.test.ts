import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanState, PlanTensor } from '../../src/plan/types.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { stateFaults } from '../../src/verify/states.ts';
import { planOf } from '../support/plans.ts';

const faults = (plan: Plan) => stateFaults(indexPlan(plan));
const said = (plan: Plan): readonly string[] => faults(plan).map(({ text }) => text);

/** h in one place with n, g copied from m, c kept; x in two places of 32 bytes, with v shown and s cut out of it. */
const PLAN = ((): Plan => {
  const plan = planOf({
    file: 'm.onnx',
    tensors: [
      { name: 'h', shape: [4], role: 'state', live: [0, 1], offset: 0 },
      { name: 'n', shape: [4], role: 'state', live: [1, 3], offset: 0, how: 'in-place', aliasOf: 'h' },
      { name: 'g', shape: [4], role: 'state', live: [0, 3], offset: 16 },
      { name: 'm', shape: [4], role: 'output', live: [1, 3], offset: 32 },
      { name: 'c', shape: [4], role: 'state', live: [0, 3], offset: 48 },
      { name: 'x', shape: [8], role: 'state', live: [0, 3], offset: 64 },
      { name: 'v', shape: [4, 2], live: [0, 3], offset: 64, how: 'view', aliasOf: 'x' },
      { name: 's', shape: [4], live: [0, 3], offset: 80, how: 'elided', aliasOf: 'x' },
      { name: 'out', shape: [4], live: [0, 3], offset: null },
    ],
    inputs: ['h', 'g', 'x'],
  });
  const buffers = plan.buffers.map((one) => (one.tensors.includes('x') ? { ...one, bytes: 64 } : one));
  const states: readonly PlanState[] = [
    { model: 0, tensor: 'h', from: 'n', how: 'shared' },
    { model: 0, tensor: 'g', from: 'm', how: 'copied' },
    { model: 0, tensor: 'c', from: null, how: 'kept' },
    { model: 0, tensor: 'x', from: null, how: 'kept', places: 2, stride: 32 },
  ];
  return { ...plan, buffers, states, regions: plan.regions.map((one) => ({ ...one, cacheLine: 32 })) };
})();
const state = (name: string, change: Partial<PlanState>, plan = PLAN): Plan => ({
  ...plan,
  states: plan.states!.map((one) => (one.tensor === name ? { ...one, ...change } : one)),
});
const tensor = (name: string, change: Partial<PlanTensor>, plan = PLAN): Plan => {
  return { ...plan, tensors: plan.tensors.map((one) => (one.name === name ? { ...one, ...change } : one)) };
};
const buffer = (of: string, change: Partial<PlanBuffer>): Plan => {
  const buffers = PLAN.buffers.map((one) => (one.tensors.includes(of) ? { ...one, ...change } : one));
  return { ...PLAN, buffers };
};
const inputs = (...names: readonly string[]): Plan => {
  return { ...PLAN, models: PLAN.models.map((one) => ({ ...one, inputs: names })) };
};

describe('what is kept from run to run', () => {
  const NOWHERE = { buffer: null, region: null, offset: null };
  const FAULTS: readonly (readonly [name: string, plan: Plan, ...texts: readonly string[]])[] = [
    ['is as it says', PLAN],
    ['lies in a buffer', tensor('c', NOWHERE), 'State c: it lies in no buffer.'],
    [
      'is in the plan',
      state('c', { tensor: 'gone' }),
      'State gone: it lies in no buffer.',
      'Tensor c is not the state it is said to be.',
    ],
    ['stays', buffer('c', { kind: 'activation' }), 'State c: its buffer is not persistent.'],
    ['lies in a buffer of the plan', tensor('c', { buffer: 77 }), 'State c: its buffer is not persistent.'],
    ['that is kept is made of nothing', state('c', { from: 'm' }), 'State c: it is kept, made of m.'],
    [
      'that is copied is made of another',
      state('g', { from: null }),
      'State g: it is copied, made of itself.',
    ],
    [
      'that is shared is made of another',
      state('h', { from: null }),
      'State h: it is shared, made of itself.',
      'Tensor n is not the state it is said to be.',
    ],
    ['and is made anew is an input', inputs('h', 'x'), 'State g: it is no input, so no run begins with it.'],
    ['that just stays need not be one', inputs('h', 'g', 'x')],
    ['is made in a buffer', tensor('m', NOWHERE), 'State g: m lies in no buffer.'],
    ['is made of what is there', state('g', { from: 'gone' }), 'State g: gone lies in no buffer.'],
    ['is made in its type', tensor('m', { type: 'int32' }), 'State g: m has other bytes.'],
    ['is made in its size', tensor('m', { bytes: 12 }), 'State g: m has other bytes.'],
    ['in one place is in one region', tensor('n', { region: 'DTCM' }), 'State h: n is made elsewhere.'],
    ['in one place has one offset', tensor('n', { offset: 16 }), 'State h: n is made elsewhere.'],
    ['and copied may be made where it lies', tensor('m', { offset: 16 })],
  ];

  it.each(FAULTS.map(([name, plan, ...texts]) => ({ name, plan, texts })))('$name', ({ plan, texts }) => {
    expect(said(plan)).toEqual(texts);
  });

  it('and nothing else is a state', () => {
    const wrong = (name: string) => [`Tensor ${name} is not the state it is said to be.`];
    expect(said(tensor('v', { role: 'state' }))).toEqual(wrong('v'));
    expect(said(tensor('n', { role: 'output' }))).toEqual(wrong('n'));
    // Of a copied state the new value is an output like any other.
    expect(said(tensor('m', { role: 'state' }))).toEqual(wrong('m'));
    expect(said(tensor('out', { model: 1, name: 'h', role: 'state' }))).toEqual(wrong('h'));
    const none = { ...PLAN, tensors: PLAN.tensors.filter(({ role }) => role !== 'state') };
    const { states, ...bare } = none;
    expect(said(bare)).toEqual([]);
  });

  it('is named', () => {
    expect(faults(tensor('c', NOWHERE))).toMatchObject([{ tensor: 'c' }]);
    expect(faults(tensor('v', { role: 'state' }))).toMatchObject([{ tensor: 'v' }]);
    expect(faults(state('x', { places: 1 }))).toMatchObject([{ tensor: 'x' }]);
  });
});

describe('the places of an input', () => {
  const wrong = (text: string, places = 2): readonly string[] => [`Input x with ${places} places: ${text}.`];
  const LESS = (stride: number) => `${stride} bytes are less than what lies in one place`;
  const END = 'its buffer ends before the last of them';
  const NONE = 'it is no input of the arena';

  it('are those of an input in a buffer', () => {
    expect(said(inputs('h', 'g'))).toEqual(wrong(NONE));
    expect(said(tensor('x', { buffer: 77 }))).toEqual([
      'State x: its buffer is not persistent.',
      ...wrong(NONE),
    ]);
    const nowhere = tensor('x', { buffer: null, region: null, offset: null });
    expect(said(nowhere)).toEqual(['State x: it lies in no buffer.', ...wrong(NONE)]);
    expect(said(state('x', { tensor: 'gone' }))).toContain(`Input gone with 2 places: ${NONE}.`);
  });

  it('are two at least', () => {
    expect(said(state('x', { places: 1 }))).toEqual(wrong(LESS(32), 1));
    expect(said(state('x', { places: 3 }))).toEqual(wrong(END, 3));
  });

  it('each hold all that lies in the input', () => {
    const { stride, ...without } = PLAN.states!.at(-1)!;
    expect(said({ ...PLAN, states: [...PLAN.states!.slice(0, -1), without] })).toEqual(wrong(LESS(0)));
    expect(said(state('x', { stride: 31 }))).toEqual(wrong(LESS(31)));
    // s from 80 on ends at 96, as the place does.
    expect(said(tensor('s', { offset: 81 }))).toEqual(wrong(LESS(32)));
    expect(said(tensor('s', { offset: 60 }))).toEqual(wrong(LESS(32)));
  });

  it('lie in the buffer, which may begin before them', () => {
    expect(said(buffer('x', { bytes: 63 }))).toEqual(wrong(END));
    expect(said(buffer('x', { offset: 32, bytes: 96 }))).toEqual([]);
    expect(said(buffer('x', { offset: 32, bytes: 95 }))).toEqual(wrong(END));
  });

  it('are at nobody else’s disposal', () => {
    const others = wrong('others may lie in its bytes');
    expect(said(buffer('x', { gaps: [{ first: 0, end: 1, from: 32, to: 64 }] }))).toEqual(others);
    expect(said(buffer('x', { mayOverlap: [{ buffer: 0, distance: 0 }] }))).toEqual(others);
    const inIt = (name: string) => wrong(`${name} lies in it and does not only show it`);
    expect(said(tensor('v', { how: 'in-place' }))).toEqual(inIt('v'));
    expect(said(tensor('s', { how: 'own' }))).toEqual(inIt('s'));
    const output = { ...PLAN, models: PLAN.models.map((one) => ({ ...one, outputs: ['v'] })) };
    expect(said(output)).toEqual(inIt('v'));
  });

  it('have lines of the cache of their own', () => {
    const lines = wrong('places share lines of 32 bytes of the cache');
    const wide = buffer('x', { bytes: 80 });
    expect(said(state('x', { stride: 40 }, wide))).toEqual(lines);
    const uncached = { ...wide, regions: wide.regions.map(({ cacheLine, ...one }) => one) };
    expect(said(state('x', { stride: 40 }, uncached))).toEqual([]);
    expect(said({ ...PLAN, regions: [] })).toEqual([]);
    // The line is that of the region where the buffer lies.
    const dtcm = { ...PLAN.regions[0]!, name: 'DTCM', cacheLine: 64 };
    expect(said({ ...PLAN, regions: [dtcm, ...PLAN.regions] })).toEqual([]);
  });
});
