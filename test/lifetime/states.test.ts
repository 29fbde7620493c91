import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan, PlanTensor } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';
import { planSeveral } from '../support/several.ts';

/** A cell that reads its state first and makes the next one last. Bytes: x 40, h 24, m 80, y 8, n 24. */
const CELL: GraphSketch = {
  inputs: ['x', 'h'],
  outputs: ['y', 'n'],
  tensors: { x: [10], h: [6], m: [20], y: [2], n: [6] },
  nodes: ['Conv x h -> m', 'Conv m -> y', 'Conv m -> n'],
};

/** The same, but the old state is read once more after the new one was made. */
const LATE: GraphSketch = {
  ...CELL,
  tensors: { ...CELL.tensors, z: [2] },
  outputs: ['z', 'n'],
  nodes: ['Conv x h -> m', 'Conv m -> n', 'Conv m h -> z'],
};

/** The new state is the old one plus something: written in place. */
const SUM: GraphSketch = {
  inputs: ['x', 'h'],
  outputs: ['y', 'n'],
  tensors: { x: [10], h: [6], m: [6], y: [2], n: [6] },
  nodes: ['Conv x -> m', 'Add h m -> n', 'Conv n -> y'],
};

const state = (from: string | undefined, tensor: string) => ({ states: [{ tensor, from }] });
const made = (sketch: GraphSketch, options: Partial<PlanRequest> = {}): Plan => {
  const plan = planSketch(sketch, { align: 8, ...options });
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
};
const find = (plan: Plan, name: string, model = 0) =>
  plan.tensors.find((tensor) => tensor.name === name && tensor.model === model)!;

describe('a state', () => {
  it('whose old value is read before the new one is made has one place', () => {
    const plan = made(CELL, state('n', 'h'));
    const [h, n] = [find(plan, 'h'), find(plan, 'n')];
    expect([h.buffer, h.offset]).toEqual([n.buffer, n.offset]);
    expect([h.role, n.role, h.first, h.end, n.first, n.end]).toEqual(['state', 'state', 0, 1, 2, 3]);
    const buffer = plan.buffers[h.buffer!]!;
    expect(buffer).toMatchObject({ kind: 'persistent', first: 0, end: 3, bytes: 24 });
    expect(buffer.gaps).toEqual([{ first: 1, end: 2, from: 0, to: 24 }]);
    expect(plan.states).toEqual([{ model: 0, tensor: 'h', from: 'n', how: 'shared' }]);
    // x, h and m at the first step; the gap lets y lie where h was.
    expect(plan.totals.arenaBytes).toBe(40 + 24 + 80);
    expect(plan.totals.noReuseBytes).toBe(40 + 24 + 80 + 8);
  });

  it('that is read after the new one was made has two places and a copy', () => {
    const plan = made(LATE, state('n', 'h'));
    expect(plan.states).toEqual([{ model: 0, tensor: 'h', from: 'n', how: 'copied' }]);
    expect(find(plan, 'h')).toMatchObject({ role: 'state', first: 0, end: 3 });
    expect(find(plan, 'n')).toMatchObject({ role: 'output', first: 1, end: 3 });
    expect(find(plan, 'h').offset).not.toBe(find(plan, 'n').offset);
  });

  it('that the kernel writes in place has one place', () => {
    expect(made(SUM, state('n', 'h')).states![0]!.how).toBe('shared');
    // Without permission the step needs both at once.
    expect(made(SUM, { ...state('n', 'h'), inPlace: false }).states![0]!.how).toBe('copied');
  });

  it('that is no output keeps its bytes to the end all the same', () => {
    const plan = made(
      {
        ...CELL,
        outputs: ['y'],
        nodes: [...CELL.nodes, 'Conv n -> m2'],
        tensors: { ...CELL.tensors, m2: [1] },
      },
      state('n', 'h'),
    );
    expect(find(plan, 'n').end).toBe(4);
  });

  it('may be any tensor, which then keeps its bytes at all steps', () => {
    const plan = made(CELL, state(undefined, 'm'));
    expect(find(plan, 'm')).toMatchObject({ role: 'state', first: 0, end: 3 });
    expect(plan.states).toEqual([{ model: 0, tensor: 'm', from: null, how: 'kept' }]);
    // x, m, y and n at the last step.
    expect(made(CELL, state(undefined, 'x')).totals.arenaBytes).toBe(40 + 80 + 8 + 24);
  });

  it('keeps its bytes while other models run', () => {
    const other: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [100], y: [1] },
      nodes: ['Conv x -> y'],
    };
    for (const states of [[{ tensor: 'a:h', from: 'a:n' }], [{ tensor: 'h', from: 'n' }]]) {
      const plan = planSeveral([CELL, other], { align: 8, states });
      expect(verifyPlan(plan)).toEqual([]);
      expect(plan.totals.arenaBytes).toBe(24 + 400 + 4);
      expect(plan.states).toEqual([{ model: 0, tensor: 'h', from: 'n', how: 'shared' }]);
    }
    const behind = planSeveral([other, CELL], { align: 8, states: [{ tensor: 'h', from: 'n' }] });
    expect(verifyPlan(behind)).toEqual([]);
    expect(behind.totals.arenaBytes).toBe(24 + 400 + 4);
    const copied = planSeveral([other, LATE], { align: 8, states: [{ tensor: 'h', from: 'n' }] });
    expect(verifyPlan(copied)).toEqual([]);
    expect(find(copied, 'h', 1)).toMatchObject({ first: 0, end: 4 });
  });

  it.each([
    [state('n', 'y'), /y is no input/],
    [state('y', 'h'), /the one is float32\[2\], the other float32\[6\]/],
    [state('n', 'nothing'), /no tensor of this name/],
    [{ ...state('n', 'h'), io: 'external' as const }, /lies in no buffer/],
    [{ states: [...state('n', 'h').states, ...state(undefined, 'h').states] }, /it is named twice/],
  ])('%j is refused', (options, text) => {
    expect(() => planSketch(CELL, options)).toThrow(text);
  });
});

describe('the checker of states', () => {
  const plan = made(CELL, state('n', 'h'));
  const tensors = (name: string, change: (tensor: PlanTensor) => Partial<PlanTensor>, of = plan): Plan => ({
    ...of,
    tensors: of.tensors.map((one) => (one.name === name ? { ...one, ...change(one) } : one)),
  });
  const said = (damaged: Plan) =>
    verifyPlan(sealed(damaged))
      .map(({ text }) => text)
      .join('\n');

  it('finds a new value in another place', () => {
    const other = plan.buffers.find(({ id }) => id === find(plan, 'm').buffer)!;
    expect(said(tensors('n', () => ({ buffer: other.id, offset: other.offset })))).toMatch(
      /n is made elsewhere/,
    );
  });

  it('finds that something is written over it', () => {
    // y is alive from step 1 on, beside n from step 2 on.
    const y = find(plan, 'y');
    const moved = {
      ...tensors('y', () => ({ offset: find(plan, 'h').offset! })),
      buffers: plan.buffers.map((one) =>
        one.id === y.buffer ? { ...one, offset: find(plan, 'h').offset! } : one,
      ),
    };
    expect(said(moved)).toMatch(/hold the same byte at step 2/);
  });

  it('finds a gap that is longer than it may be', () => {
    const buffers = plan.buffers.map((one) =>
      one.kind === 'persistent' ? { ...one, gaps: [{ first: 0, end: 3, from: 0, to: 24 }] } : one,
    );
    const low = find(plan, 'x').buffer!;
    // x on the bytes of h, which a gap says are free.
    const damaged = {
      ...plan,
      buffers: buffers.map((one) => (one.id === low ? { ...one, offset: find(plan, 'h').offset! } : one)),
      tensors: plan.tensors.map((one) =>
        one.buffer === low ? { ...one, offset: find(plan, 'h').offset! } : one,
      ),
    };
    expect(said(damaged)).toMatch(/said to be free where h lies/);
  });

  it('finds states that nobody asked for, and states that are none', () => {
    expect(said({ ...plan, states: [] })).toMatch(/h is not the state it is said to be/);
    expect(said(tensors('h', () => ({ role: 'input' })))).toMatch(/h is not the (state|graph input)/);
    expect(said({ ...plan, states: [{ model: 0, tensor: 'h', from: null, how: 'kept' }] })).toMatch(
      /live range|not the state/,
    );
    expect(said({ ...plan, states: [{ model: 0, tensor: 'h', from: 'n', how: 'copied' }] })).toMatch(
      /live range|not the state/,
    );
    expect(
      said({
        ...plan,
        buffers: plan.buffers.map((one) => ({
          ...one,
          kind: one.kind === 'persistent' ? ('input' as const) : one.kind,
        })),
      }),
    ).toMatch(/its buffer is not persistent/);
  });

  it('finds a model that writes over the state of another', () => {
    const other: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [100], y: [1] },
      nodes: ['Conv x -> y'],
    };
    const both = planSeveral([CELL, other], { align: 8, states: [{ tensor: 'h', from: 'n' }] });
    const { buffer } = find(both, 'h');
    const { offset } = find(both, 'x', 1);
    const damaged: Plan = {
      ...both,
      buffers: both.buffers.map((one) =>
        one.id === buffer ? { ...one, offset: offset!, gaps: [{ first: 3, end: 4, from: 0, to: 24 }] } : one,
      ),
      tensors: both.tensors.map((one) => (one.buffer === buffer ? { ...one, offset } : one)),
    };
    expect(said(damaged)).toMatch(/After a run of b, n should still be there/);
  });
});
