import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSeveral } from '../support/several.ts';

/** Convolutions write nothing in place, so that sums can be done by hand. Bytes: x 40, p 160, y 24; peak 200. */
const A: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [10], p: [40], y: [6] },
  nodes: ['Conv x -> p', 'Conv p -> y'],
};

/** Bytes: x 24, q 80, r 16, z 8; peak 24 + 80 = 104, then 96, then 24. */
const B: GraphSketch = {
  inputs: ['x'],
  outputs: ['z'],
  tensors: { x: [6], q: [20], r: [4], z: [2] },
  nodes: ['Conv x -> q', 'Conv q -> r', 'Conv r -> z'],
};

const plan = (options: Partial<PlanRequest> = {}, sketches = [A, B]): Plan => {
  const made = planSeveral(sketches, { align: 8, ...options });
  expect(verifyPlan(made)).toEqual([]);
  return made;
};
const find = ({ tensors }: Plan, model: number, name: string) =>
  tensors.find((tensor) => tensor.model === model && tensor.name === name)!;

describe('models that never run at once', () => {
  it('share the arena of the largest need', () => {
    const { totals, steps, models, run } = plan();
    expect(totals.arenaBytes).toBe(200);
    expect(totals.optimal).toBe(true);
    expect(steps.map(({ step, model, op }) => [step, model, op])).toEqual([
      [0, 0, 'Conv'],
      [1, 0, 'Conv'],
      [2, 1, 'Conv'],
      [3, 1, 'Conv'],
      [4, 1, 'Conv'],
    ]);
    expect(models.map(({ name, cPrefix }) => [name, cPrefix])).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
    expect(run).toMatchObject({ mode: 'exclusive', cPrefix: 'A_B', holds: [], links: [] });
    expect(run!.isolation).toEqual({ alone: [200, 104], isolatedBytes: 304, sharedBytes: 200 });
  });

  it('tensors of one name are told apart', () => {
    const made = plan();
    expect(made.totals.inputBytes).toBe(64);
    expect([find(made, 0, 'x').bytes, find(made, 1, 'x').bytes]).toEqual([40, 24]);
    expect([find(made, 0, 'x').first, find(made, 1, 'x').first]).toEqual([0, 2]);
    expect(find(made, 0, 'y').end).toBe(2);
  });

  it('a held output of the first keeps its bytes while the second runs', () => {
    // 24 held and at most 104 of B: less than A needs.
    const made = plan({ hold: ['a:y'] });
    expect(made.totals.arenaBytes).toBe(200);
    expect(find(made, 0, 'y')).toMatchObject({ first: 1, end: 5 });
  });

  it('what the caller owns is filled and drained at any time, with --async-io', () => {
    const made = plan({ io: 'external', asyncIo: true });
    expect(['x', 'y'].map((name) => find(made, 0, name))).toMatchObject([
      { first: 0, end: 5, region: null },
      { first: 0, end: 5, region: null },
    ]);
    expect(find(made, 1, 'x')).toMatchObject({ first: 0, end: 5 });
  });

  it.each(['exclusive', 'joint'] as const)('%s: unused bytes behind one tensor are in the arena', (run) => {
    const made = plan({ run, rules: [{ kind: 'slack', tensor: 'p', bytes: 40 }] });
    expect(made.totals.arenaBytes).toBe(240);
    // What is compared knows no rules.
    expect(made.run!.isolation).toEqual({ alone: [200, 104], isolatedBytes: 304, sharedBytes: 200 });
  });

  it('a held output of the second keeps its bytes while the first runs', () => {
    // Held: 8 bytes beside the 200 of A.
    const made = plan({ hold: ['b:z'] });
    expect(made.totals.arenaBytes).toBe(208);
    expect(find(made, 1, 'z')).toMatchObject({ first: 0, end: 5 });
    const { gaps } = made.buffers[find(made, 1, 'z').buffer!]!;
    expect(gaps).toEqual([{ first: 2, end: 4, from: 0, to: 8 }]);
  });

  it('a tensor inside a network can be held', () => {
    // q is the output of B's first step: 80 beside the 200 of A.
    expect(plan({ hold: ['q'] }).totals.arenaBytes).toBe(280);
  });

  it('with asynchronous ports those stay while the others run', () => {
    // x and y of A, x and z of B: 40 + 24 + 24 + 8; p of A beside them.
    expect(plan({ asyncIo: true }).totals.arenaBytes).toBe(96 + 160);
  });
});

describe('models that run at the same time', () => {
  it('share no byte', () => {
    const { totals, run } = plan({ run: 'concurrent' });
    expect(totals.arenaBytes).toBe(304);
    expect(totals.optimal).toBe(true);
    expect(run!.parts).toEqual([
      { models: [0], order: 'any', regions: [{ region: 'AXISRAM', offset: 0, bytes: 200 }] },
      { models: [1], order: 'any', regions: [{ region: 'AXISRAM', offset: 200, bytes: 104 }] },
    ]);
    expect(run!.isolation).toMatchObject({ isolatedBytes: 304, sharedBytes: 200 });
  });

  it('stand so that alignment wastes least', () => {
    // 104 then 200 wastes nothing at 8; at 16 the one with waste stands last: 208 + 104 or 112 + 200.
    const { totals } = plan({ run: 'concurrent', align: 16 });
    expect(totals.arenaBytes).toBe(304 + 8);
  });

  it('may be groups whose models take turns', () => {
    const { totals, models, run } = plan({ run: 'concurrent', group: ['a,c'] }, [A, B, A]);
    expect(models.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(run!.parts.map((part) => part.models)).toEqual([[0, 1], [2]]);
    expect(totals.arenaBytes).toBe(200 + 104);
  });

  it('are placed over several memories, each part with bytes of its own', () => {
    // DTCM of 128 KiB and AXISRAM of 512 KiB: two models of 400 KiB each do not fit one memory.
    const large = (bytes: number): GraphSketch => ({
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [1], p: [bytes / 4], y: [1] },
      nodes: ['Conv x -> p', 'Conv p -> y'],
    });
    const made = plan({ run: 'concurrent' }, [large(400 * 1024), large(100 * 1024), large(100 * 1024)]);
    expect(made.fits).toBe(true);
    expect(made.regions.length).toBeGreaterThan(1);
  });
});

describe('models in a fixed order', () => {
  /** Reads what A makes: y 24 bytes, as x of B. */
  it('hand tensors over without a copy', () => {
    const made = plan({ run: 'joint', link: ['a:y=b:x'] });
    const [y, x] = [find(made, 0, 'y'), find(made, 1, 'x')];
    expect([y.buffer, y.offset]).toEqual([x.buffer, x.offset]);
    expect([y.first, y.end, x.first]).toEqual([1, 2, 2]);
    expect(made.totals.arenaBytes).toBe(200);
    expect(made.totals.noReuseBytes).toBe(40 + 160 + 24 + 80 + 16 + 8);
  });

  it('keep for a later model what it is handed, past models between', () => {
    // B between: its peak of 104 beside the 24 of y; A's own 200 is more. With a large B in between it is seen.
    const between: GraphSketch = { ...B, tensors: { ...B.tensors, q: [100] } };
    const made = plan({ run: 'joint', link: ['a:y=c:x'] }, [A, between, B]);
    expect(find(made, 0, 'y').end).toBe(5);
    expect(made.totals.arenaBytes).toBe(24 + 24 + 400);
  });

  it('two that are handed one tensor find it both', () => {
    const made = plan({ run: 'joint', link: ['a:y=b:x', 'a:y=c:x'] }, [A, B, B]);
    expect(find(made, 1, 'x').end).toBe(5);
    expect(find(made, 0, 'y').end).toBe(5);
  });

  it('hold to the end of the sequence, and not before', () => {
    const made = plan({ run: 'joint', hold: ['a:y'] });
    expect(find(made, 0, 'y')).toMatchObject({ first: 1, end: 5 });
    // Nothing of B is held while A runs: its bytes are made after A.
    expect(plan({ run: 'joint', hold: ['b:z'] }).totals.arenaBytes).toBe(200);
  });
});

describe('what cannot be', () => {
  const refused = (options: Partial<PlanRequest>, sketches = [A, B]) => {
    try {
      planSeveral(sketches, options);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  it.each([
    [{ run: 'joint', link: ['a:y=b:q'] }, /q is no input of b/],
    [{ run: 'joint', link: ['b:z=a:x'] }, /b does not run before a/],
    [{ run: 'exclusive', link: ['a:y=b:x'] }, /does not run before b in a fixed order/],
    [
      { run: 'joint', link: ['a:p=b:x'] },
      /--link a:p=b:x: their bytes differ, the one is float32\[40\], the other float32\[6\]/,
    ],
    [{ run: 'joint', link: ['a:y=b:x', 'a:y=b:x'] }, /x is filled twice/],
    [{ run: 'joint', link: ['a:y=b:nothing'] }, /no model has a tensor/],
    [{ run: 'joint', link: ['a:y=b:x'], io: 'external' }, /the caller owns its bytes/],
    [{ hold: ['x'] }, /several models have a tensor of this name/],
    [{ hold: ['a:nothing'] }, /no model has a tensor of this name/],
    [{ keep: ['x'] }, /several models have one of this name/],
    [{ run: 'concurrent', group: ['a,d'] }, /there is no model "d"/],
    [{ run: 'concurrent', group: ['a,b', 'b'] }, /b is named twice/],
    [{ run: 'joint', group: ['a'] }, /with --run joint none do/],
    [{ prefix: 'A' }, /one C prefix, A/],
    [{ prefixes: new Map([['b', 'A']]) }, /one C prefix, A/],
  ] satisfies [Partial<PlanRequest>, RegExp][])('%j', (options, text) => {
    expect(refused(options)).toMatch(text);
  });

  it('with a single model there is nothing to hold or to link', () => {
    expect(refused({ hold: ['y'], link: ['y=x'], group: ['a'] }, [A])).toMatch(
      /--hold.*\n.*--link.*\n.*--group/,
    );
  });
});
