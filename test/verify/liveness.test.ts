import { describe, expect, it } from 'vitest';
import type { Plan, PlanState } from '../../src/plan/types.ts';
import { findBodies } from '../../src/verify/bodies.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { livenessFaults } from '../../src/verify/liveness.ts';
import { together } from '../support/joint-plans.ts';
import { planOf } from '../support/plans.ts';

function said(plan: Plan, of?: string): readonly string[] {
  const index = indexPlan(plan);
  return livenessFaults(index, findBodies(index))
    .filter(({ tensor }) => of === undefined || tensor === of)
    .map(({ text }) => text);
}

/** Of all live ranges that the tensor could have, those in which the checker finds no fault. */
function ranges(plan: Plan, name: string, model = 0): string {
  const found: string[] = [];
  for (let first = 0; first < plan.steps.length; first++) {
    for (let end = first + 1; end <= plan.steps.length + 1; end++) {
      const tensors = plan.tensors.flatMap((one) =>
        one.name === name && one.model === model
          ? [{ ...one, first, end }]
          : one.model === model
            ? [one]
            : [],
      );
      if (said({ ...plan, tensors }, name).length === 0) found.push(`${first}-${end}`);
    }
  }
  return found.join(' ');
}

const four = (name: string, role: 'input' | 'output' | 'activation' = 'activation') => {
  return { name, role, shape: [4], live: [0, 1], offset: 0 } as const;
};

/** Steps 0 to 2. */
const CHAIN = planOf({
  file: 'a.onnx',
  tensors: [four('in', 'input'), four('t'), four('out', 'output'), four('last')],
  steps: [
    { node: 'n0', op: 'Conv', reads: ['in'], writes: ['t'] },
    { node: 'n1', op: 'Conv', reads: ['t'], writes: ['out'] },
    { node: 'n2', op: 'Conv', reads: [], writes: ['last'] },
  ],
});
const all = (plan: Plan, model = 0): readonly string[] =>
  ['in', 't', 'out', 'last'].map((name) => ranges(plan, name, model));
const assuming = (plan: Plan, change: Partial<Plan['assumptions']>): Plan => {
  return { ...plan, assumptions: { ...plan.assumptions, ...change } };
};
const keeping = (plan: Plan, model: number, how: PlanState['how'], from: string | null): Plan => {
  return { ...plan, states: [{ model, tensor: 'in', from, how }] };
};

describe('the one live range of a tensor', () => {
  it('reaches from the step that writes it to the last that reads it, or to the end of its model', () => {
    expect(all(CHAIN)).toEqual(['0-1', '0-2', '1-3', '2-3']);
    expect(all(assuming(CHAIN, { preserveInputs: true }))).toEqual(['0-3', '0-2', '1-3', '2-3']);
    expect(all(assuming(CHAIN, { asyncIo: true }))).toEqual(['0-3', '0-2', '0-3', '2-3']);
    expect(all(assuming(CHAIN, { keep: ['t'] }))).toEqual(['0-1', '0-3', '1-3', '2-3']);
  });

  it('is the whole axis for what is kept, and up to the end for the new value in its place', () => {
    expect(all(keeping(CHAIN, 0, 'kept', null)).slice(0, 2)).toEqual(['0-3', '0-2']);
    expect(all(keeping(CHAIN, 0, 'copied', 't')).slice(0, 2)).toEqual(['0-3', '0-2']);
    expect(all(keeping(CHAIN, 0, 'shared', 't')).slice(0, 2)).toEqual(['0-1', '0-3']);
  });

  it('covers a loop for what comes in and what goes round, and a branch for its result', () => {
    const loop = planOf({
      file: 'l.onnx',
      tensors: ['x', 'k']
        .map((name) => four(name, 'input'))
        .concat(['z', 'i', 'p', 'o', 'y'].map((name) => four(name) as never)),
      steps: [
        { node: 'loop', op: 'Loop', reads: ['x'], writes: ['z', 'i'] },
        { node: 'a', op: 'Conv', reads: ['i', 'k'], writes: ['p'] },
        { node: 'b', op: 'Relu', reads: ['p'], writes: ['o'] },
        { node: 'c', op: 'Conv', reads: ['z'], writes: ['y'] },
      ],
    });
    const body = { path: 'l/body', inputs: ['i'], outputs: ['o'] };
    const inLoop = (op: string): Plan => ({
      ...loop,
      steps: loop.steps.map((one, at) =>
        at === 0 ? { ...one, op, bodies: [body] } : at < 3 ? { ...one, path: 'l/body' } : one,
      ),
    });
    const found = (op: string): readonly string[] =>
      ['x', 'k', 'i', 'p', 'o', 'z', 'y'].map((name) => ranges(inLoop(op), name));
    expect(found('Loop')).toEqual(['0-3', '0-3', '0-3', '1-3', '1-3', '0-4', '3-4']);
    // The same steps as a branch: its result comes when it is written.
    expect(found('If')).toEqual(['0-3', '0-3', '0-3', '1-3', '2-3', '0-4', '3-4']);
  });

  it('covers the rest of a branch for a result that is made early', () => {
    const plan = planOf({
      file: 'i.onnx',
      tensors: [four('k', 'input'), ...['z', 'e', 'f', 'g', 'y'].map((name) => four(name))],
      steps: [
        { node: 'if', op: 'If', reads: [], writes: ['z'] },
        { node: 'a', op: 'Conv', reads: ['k'], writes: ['e'] },
        { node: 'b', op: 'Conv', reads: [], writes: ['f'] },
        { node: 'c', op: 'Conv', reads: [], writes: ['g'] },
        { node: 'd', op: 'Conv', reads: ['z'], writes: ['y'] },
      ],
    });
    const bodies = [
      { path: 'i/then', inputs: [], outputs: ['e'] },
      { path: 'i/else', inputs: [], outputs: ['g'] },
    ];
    const paths = ['', 'i/then', 'i/then', 'i/else', ''];
    const steps = plan.steps.map((one, at) => ({ ...one, path: paths[at]!, ...(at === 0 && { bodies }) }));
    const branches = { ...plan, steps };
    expect(['k', 'e', 'f', 'g', 'z'].map((name) => ranges(branches, name))).toEqual([
      '0-4',
      '1-3',
      '2-3',
      '3-4',
      '0-5',
    ]);
  });

  it('ends within a body for what is made and read in it', () => {
    const steps = CHAIN.steps.map((one, at) => ({ ...one, path: at === 0 ? '' : 'i/then' }));
    const extra = { ...CHAIN.steps[2]!, step: 3, path: 'i/then', reads: [], writes: [] };
    const bodies = [{ path: 'i/then', inputs: [], outputs: [] }];
    const plan = {
      ...CHAIN,
      steps: [{ ...steps[0]!, op: 'If', bodies }, steps[1]!, { ...steps[2]!, reads: ['t'] }, extra],
    };
    const made = plan.steps.map((one, at) =>
      at === 1 ? { ...one, reads: [], writes: ['t'] } : { ...one, writes: [] },
    );
    expect(ranges({ ...plan, steps: made }, 't')).toBe('1-3');
    // What comes from outside is needed to the end of all bodies.
    expect(ranges({ ...plan, steps: made }, 'in')).toBe('0-4');
  });

  it('stays within the steps of its model, unless it is held, handed over or filled at any time', () => {
    const joint = (options: Parameters<typeof together>[1] = {}): Plan =>
      together([CHAIN, CHAIN, CHAIN], options);
    expect(all(joint(), 1)).toEqual(['3-4', '3-5', '4-6', '5-6']);
    expect(all(joint({ holds: ['b:t', 'b:in'] }), 1)).toEqual(['0-9', '0-9', '4-6', '5-6']);
    expect(all(joint({ holds: ['a:t', 'a:out'] }), 0)).toEqual(['0-1', '0-9', '1-9', '2-3']);
    expect(all(joint({ holds: ['b:t'], order: 'sequence' }), 1)).toEqual(['3-4', '3-9', '4-6', '5-6']);
    expect(all(joint({ asyncIo: true }), 1)).toEqual(['0-9', '3-5', '0-9', '5-6']);
    const links = [['a:out', 'c:in']] as const;
    expect(all(joint({ links, order: 'sequence' }), 0)).toEqual(['0-1', '0-2', '1-6', '2-3']);
    expect(all(assuming(joint(), { preserveInputs: true }), 1)).toEqual(['3-6', '3-5', '4-6', '5-6']);
    expect(all(keeping(joint(), 1, 'kept', null), 1)[0]).toBe('0-9');
    expect(all(keeping(joint(), 1, 'copied', 't'), 1)[0]).toBe('0-9');
    expect(all(keeping(joint(), 1, 'shared', 't'), 1).slice(0, 2)).toEqual(['3-4', '3-6']);
  });
});

describe('a wrong live range', () => {
  const live = (name: string, first: number, end: number): readonly string[] => {
    const tensors = CHAIN.tensors.map((one) => (one.name === name ? { ...one, first, end } : one));
    return said({ ...CHAIN, tensors }, name);
  };

  it('is said to be too short, too long, or too late, and why', () => {
    expect(live('t', 0, 1)).toEqual([
      'Tensor t is read at step 1, but its live range is [0,1).',
      'Tensor t is needed until step 1, but its live range ends before step 1.',
    ]);
    expect(live('out', 1, 2)).toEqual([
      'Tensor out is needed to the end, but its live range ends before step 2.',
    ]);
    expect(live('t', 0, 3)).toEqual([
      'Tensor t lives until before step 3, but nothing is known to use it after step 1: a read is missing, or the range is too long.',
    ]);
    expect(live('out', 2, 3)).toEqual(['Tensor out is written at step 1, but its live range begins at 2.']);
    expect(live('t', 2, 3)).toEqual([
      'Tensor t is read at step 1, but its live range is [2,3).',
      'Tensor t is written at step 0, but its live range begins at 2.',
    ]);
  });

  it('is found by any of its reads, and is the only fault', () => {
    const reads = [['in', 'out'], ['t'], ['out']];
    const steps = CHAIN.steps.map((one, at) => ({ ...one, reads: reads[at]! }));
    expect(said({ ...CHAIN, steps }, 'out')[0]).toBe('Step 0 reads out, which is written only at step 1.');
    const right: Readonly<Record<string, readonly [number, number]>> = {
      ...{ in: [0, 1], t: [0, 2], out: [1, 3], last: [2, 3] },
    };
    const tensors = CHAIN.tensors.map((one) => {
      const [first, end] = right[one.name]!;
      return { ...one, first, end };
    });
    expect(said({ ...CHAIN, tensors })).toEqual([]);
  });

  it('is one of a tensor that nobody writes, or that is read before', () => {
    const steps = CHAIN.steps.map((one, at) =>
      at === 0 ? { ...one, reads: ['in', 'out'], writes: [] } : one,
    );
    expect(said({ ...CHAIN, steps }, 't')).toEqual(['Nothing writes tensor t.']);
    const itself = CHAIN.steps.map((one, at) => (at === 1 ? { ...one, reads: ['t', 'out'] } : one));
    expect(said({ ...CHAIN, steps: itself }, 'out')[0]).toBe(
      'Step 1 reads out, which is written only at step 1.',
    );
    expect(said({ ...CHAIN, steps }, 'out')[0]).toBe('Step 0 reads out, which is written only at step 1.');
  });
});
