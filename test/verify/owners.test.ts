import { describe, expect, it } from 'vitest';
import type { Plan, PlanTensor } from '../../src/plan/types.ts';
import { findBodies } from '../../src/verify/bodies.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { ownerFaults } from '../../src/verify/owners.ts';
import { together } from '../support/joint-plans.ts';
import { AXISRAM, DTCM, planOf, type StepSketch, type TensorSketch } from '../support/plans.ts';
import { createRandom } from '../support/random.ts';

/** What the walk finds by itself: the plans are made by hand, and the other checks are not asked. */
function said(plan: Plan): readonly string[] {
  const index = indexPlan(plan);
  return ownerFaults(index, findBodies(index)).map(({ text }) => text);
}

/** Four floats of its own at an offset; live ranges do not matter to the walk. */
const at = (name: string, offset: number, more: Partial<TensorSketch> = {}): TensorSketch => {
  return { name, shape: [4], live: [0, 1], offset, ...more };
};
const input = (name: string, offset: number): TensorSketch => at(name, offset, { role: 'input' });
const output = (name: string, offset: number): TensorSketch => at(name, offset, { role: 'output' });
/** `Conv x -> y`: the node is called after what it writes. */
const step = (text: string): StepSketch => {
  const [left, right] = text.split('->').map((side) => side.trim().split(/\s+/));
  return { node: `n_${right![0]}`, op: left![0]!, reads: left!.slice(1), writes: right! };
};
const plan = (tensors: readonly TensorSketch[], ...steps: readonly string[]): Plan =>
  planOf({ file: 'a.onnx', tensors, steps: steps.map(step) });
const changed = (given: Plan, name: string, change: Partial<PlanTensor>): Plan => {
  return { ...given, tensors: given.tensors.map((one) => (one.name === name ? { ...one, ...change } : one)) };
};

describe('the walk of one model', () => {
  it('says whose bytes lie where a step reads, and in which node', () => {
    const lost = plan(
      [input('x', 0), at('a', 16), at('b', 16), output('y', 32)],
      ...['Conv x -> a', 'Conv x -> b', 'Conv a -> y'],
    );
    expect(said(lost)).toEqual([
      'Step 2 (Conv n_y) reads a in AXISRAM at [16,32), but bytes of b lie there.',
    ]);
    const index = indexPlan(lost);
    expect(ownerFaults(index, findBodies(index))).toMatchObject([{ tensor: 'a', node: 'n_y' }]);
  });

  it('says that nobody has written what a step reads', () => {
    expect(said(plan([at('ghost', 64), output('y', 0)], 'Conv ghost -> y'))).toEqual([
      'Step 0 (Conv n_y) reads ghost in AXISRAM at [64,80), but nobody has written there.',
    ]);
  });

  it('wants an output to be there after the last step', () => {
    const lost = plan([input('x', 0), output('y', 16), at('z', 16)], 'Conv x -> y', 'Conv x -> z');
    expect(said(lost)).toEqual([
      'After the last step, y should still be there in AXISRAM at [16,32), but bytes of z lie there.',
    ]);
    const index = indexPlan(lost);
    expect(ownerFaults(index, findBodies(index))[0]!.node).toBeNull();
  });

  it('finds two outputs in the same bytes among many that a step writes', () => {
    const names = Array.from({ length: 40 }, (_, i) => `t${i}`);
    const many = (last: number) =>
      plan(
        [input('x', 0), ...names.map((name, i) => at(name, i === 39 ? last : 16 * (i + 1)))],
        `Foo x -> ${names.join(' ')}`,
      );
    expect(said(many(640)).filter((text) => text.includes('uses both'))).toEqual([]);
    expect(
      said(many(100))
        .filter((text) => text.includes('uses both'))
        .sort(),
    ).toEqual([
      'Step 0 (Foo n_t0) writes t39 over t5 while it uses both.',
      'Step 0 (Foo n_t0) writes t39 over t6 while it uses both.',
      'Step 0 (Foo n_t0) writes t5 over t39 while it uses both.',
      'Step 0 (Foo n_t0) writes t6 over t39 while it uses both.',
    ]);
  });

  it('finds two outputs of a step in the same bytes', () => {
    expect(said(plan([input('x', 0), at('p', 16), at('q', 16)], 'LSTM x -> p q'))).toEqual([
      'Step 0 (LSTM n_p) writes p over q while it uses both.',
      'Step 0 (LSTM n_p) writes q over p while it uses both.',
      'Step 0 (LSTM n_p) leaves p in AXISRAM at [16,32), but bytes of q lie there.',
    ]);
  });

  it('finds a view that lies elsewhere', () => {
    const view = at('v', 48, { how: 'view', aliasOf: 'a' });
    expect(
      said(plan([input('x', 0), at('a', 16), view, output('y', 32)], 'Conv x -> a', 'Reshape a -> v')),
    ).toEqual(['Step 1 (Reshape n_v) leaves v in AXISRAM at [48,64), but nobody has written there.', Y_LOST]);
  });

  it('finds tensors on others that their step does not read', () => {
    const before = at('v', 16, { how: 'view', aliasOf: 'a' });
    const early = plan(
      [input('x', 0), at('a', 16), before, output('y', 32)],
      ...['Identity x -> v', 'Conv x -> a', 'Conv x -> y'],
    );
    expect(said(early)[0]).toBe('Step 0 (Identity n_v) puts v on a, which it does not read.');
    const beside = at('p', 16, { how: 'elided', aliasOf: 'w' });
    const together = plan([input('x', 0), at('w', 16), beside], 'Split x -> w p');
    expect(said(together)[0]).toBe('Step 0 (Split n_w) puts p on w, which it does not read.');
  });

  it('finds a write over an operand that the plan does not name', () => {
    const over = at('y', 0, { shape: [8], role: 'output', how: 'in-place', aliasOf: 'a' });
    const both = plan([at('a', 0, { shape: [8], role: 'input' }), input('b', 16), over], 'Add a b -> y');
    expect(said(both)).toContain('Step 0 (Add n_y) writes y over b while it uses both.');
    const view = at('v', 0, { how: 'view', aliasOf: 'x' });
    const shown = plan([input('x', 0), view, output('y', 0)], 'Reshape x -> v', 'Conv v -> y');
    expect(said(shown)).toEqual(['Step 1 (Conv n_y) writes y over v while it uses both.']);
  });

  it('says of a write over an operand nothing about what shows it', () => {
    const view = at('d', 0, { how: 'view', aliasOf: 'x' });
    const masked = plan([input('x', 0), view, at('mask', 0)], 'Dropout x -> d mask');
    expect(said(masked)).toEqual([
      'Step 0 (Dropout n_d) writes mask over x while it uses both.',
      'Step 0 (Dropout n_d) leaves d in AXISRAM at [0,16), but bytes of mask lie there.',
    ]);
  });

  it('finds a part written over the whole that its step reads', () => {
    const part = at('p', 0, { how: 'elided', aliasOf: 'w' });
    const given = plan(
      [input('x', 64), at('w', 0, { shape: [8], role: 'output' }), part],
      ...['Conv x w -> p', 'Concat p x -> w'],
    );
    expect(said(given)).toContain('Step 0 (Conv n_p) writes p over w while it uses both.');
  });

  it('comes to an end where the part of a Concat is written by nobody, later, or before a loop', () => {
    const part = at('p', 0, { how: 'elided', aliasOf: 'w' });
    const whole = at('w', 0, { shape: [8], role: 'output' });
    const missing = 'Step 0 (Concat n_w) reads p in AXISRAM at [0,16), but nobody has written there.';
    expect(said(plan([input('x', 64), whole, part], 'Concat p x -> w'))).toEqual([missing]);
    expect(said(plan([input('x', 64), whole, part], 'Concat p x -> w', 'Conv x -> p'))[0]).toBe(missing);
    const turning = plan(
      [input('x', 64), whole, part, at('z', 96)],
      ...['Conv x -> p', 'Loop x -> z', 'Concat p x -> w'],
    );
    const bodies = [{ path: 'loop/body', inputs: [], outputs: [] }];
    const steps = turning.steps.map((one, index) => {
      return index === 1 ? { ...one, bodies } : index === 2 ? { ...one, path: 'loop/body' } : one;
    });
    expect(said({ ...turning, steps })).toEqual([]);
  });

  it('lets a part in place lie in the whole, with what shows it', () => {
    const whole = at('w', 0, { shape: [8], role: 'output' });
    const [p, q] = [
      at('p', 0, { how: 'elided', aliasOf: 'w' }),
      at('q', 16, { how: 'elided', aliasOf: 'w' }),
    ];
    const makes = ['Conv x -> p', 'Conv x -> q'];
    expect(said(plan([input('x', 64), whole, p, q], ...makes, 'Concat p q -> w'))).toEqual([]);
    // The Concat reads a part and its view.
    const view = at('v', 0, { how: 'view', aliasOf: 'p' });
    const wide = { ...whole, shape: [12] };
    const seen = plan([input('x', 64), wide, p, q, view], ...makes, 'Reshape p -> v', 'Concat p q v -> w');
    expect(said(seen)).toEqual([]);
  });

  it('lets an output be written over its operand where the operator allows it', () => {
    const over = at('y', 16, { role: 'output', how: 'in-place', aliasOf: 'a' });
    const steps = (op: string) => plan([input('x', 0), at('a', 16), over], 'Conv x -> a', `${op} a -> y`);
    expect(said(steps('Relu'))).toEqual([]);
    expect(said(steps('Conv'))).toEqual([
      'Step 1 (Conv n_y) writes y over its operand, which this operator does not allow.',
    ]);
  });

  it('lets an output show its operand where nothing moves', () => {
    const view = at('v', 0, { shape: [2, 2], role: 'output', how: 'view', aliasOf: 'x' });
    const shown = (op: string) => said(plan([input('x', 0), view], `${op} x -> v`));
    expect(shown('Reshape')).toEqual([]);
    expect(shown('Conv')).toEqual(['Step 0 (Conv n_v) is said to show x as v, but it computes.']);
    const image = { ...input('x', 0), shape: [1, 2, 2] };
    const given = plan([image, { ...view, shape: [4] }], 'Reshape x -> v');
    expect(said(given)).toEqual([]);
    expect(said({ ...given, assumptions: { ...given.assumptions, layout: 'nhwc' } })).toEqual([
      'Step 0 (Reshape n_v) is said to show x as v, but the layout moves its elements.',
    ]);
  });

  it('finds an output in the bytes in which its step works', () => {
    const given = plan([input('x', 0), at('s', 16, { role: 'scratch' }), output('y', 16)], 'Conv x -> y');
    const steps = given.steps.map((one) => ({ ...one, scratch: ['s'] }));
    expect(said({ ...given, steps })).toEqual([
      'Step 0 (Conv n_y) works in s in AXISRAM at [16,32), but bytes of y lie there.',
    ]);
  });

  it('finds nothing of tensors of the caller', () => {
    const caller = (name: string, role: 'input' | 'output') => ({ ...at(name, 0, { role }), offset: null });
    expect(said(plan([caller('x', 'input'), caller('y', 'output')], 'Conv x -> y'))).toEqual([]);
  });

  it('finds a result of a branch that a later step of the branch writes over', () => {
    const given = plan(
      [input('c', 64), input('x', 0), at('p', 16), at('q', 16), output('z', 32)],
      ...['If c x -> z', 'Conv x -> p', 'Conv x -> q'],
    );
    const steps = given.steps.map((one, index) =>
      index === 0
        ? { ...one, bodies: [{ path: 'if/then', inputs: [], outputs: ['p'] }] }
        : { ...one, path: 'if/then' },
    );
    expect(said({ ...given, steps })).toEqual([
      'Step 2 (Conv n_q) should leave p in AXISRAM at [16,32), but bytes of q lie there.',
    ]);
  });

  it.each([3, 6, 14, 15, 40])('finds who touches whom among %i outputs, byte by byte', (count) => {
    const random = createRandom(count);
    const many = Array.from({ length: count }, (_, index): TensorSketch => {
      const place = { offset: 4 * random(3 * count), region: random(3) === 0 ? 'DTCM' : 'AXISRAM' };
      const shape = [random(5)];
      return at(`o${index}`, 0, random(6) === 0 ? { shape, offset: null } : { shape, ...place });
    });
    const given = planOf({
      file: 'a.onnx',
      regions: [AXISRAM, DTCM],
      tensors: [input('x', 4000), ...many],
      steps: [step(`LSTM x -> ${many.map(({ name }) => name).join(' ')}`)],
    });
    const bytesOf = ({ region, offset, bytes }: PlanTensor): readonly string[] =>
      offset === null ? [] : Array.from({ length: bytes }, (_, byte) => `${region} ${offset + byte}`);
    const outputs = given.tensors.slice(1);
    const expected = outputs.flatMap((one) =>
      outputs
        .filter((other) => other !== one && bytesOf(other).some((byte) => bytesOf(one).includes(byte)))
        .map((other) => `Step 0 (LSTM n_o0) writes ${one.name} over ${other.name} while it uses both.`),
    );
    expect(
      said(given)
        .filter((text) => text.includes('over'))
        .sort(),
    ).toEqual(expected.sort());
  });

  it.each([
    ['behind', 0, 16],
    ['before', 16, 0],
  ])('finds a copied operand of a Concat %s the part in place', (_, partAt, otherAt) => {
    const part = at('p', partAt, { how: 'elided', aliasOf: 'w' });
    const whole = at('w', 0, { shape: [8], role: 'output' });
    const reads = partAt === 0 ? 'p q' : 'q p';
    const given = plan(
      [input('x', 64), whole, part, at('q', otherAt)],
      ...['Conv x -> p', 'Conv x -> q', `Concat ${reads} -> w`],
    );
    expect(said(given)).toEqual(['Step 2 (Concat n_w) writes w over q while it uses both.']);
  });

  it('takes an overlap that is stated to be safe, and none beside it', () => {
    const overlapping = (distance: number, by: 'x' | 'y', of: 'x' | 'y' | 'z', swap = false): Plan => {
      const [low, high] = swap ? [32, 16] : [16, 32];
      const given = plan(
        [
          at('x', low, { shape: [8], role: 'input' }),
          at('y', high, { shape: [8], role: 'output' }),
          at('z', 96),
        ],
        'Conv x -> y',
      );
      const id = (name: string): number => given.tensors.find((one) => one.name === name)!.buffer!;
      const buffers = given.buffers.map((one) =>
        one.id === id(by) ? { ...one, mayOverlap: [{ buffer: id(of), distance }] } : one,
      );
      return { ...given, buffers };
    };
    const fault = ['Step 0 (Conv n_y) writes y over x while it uses both.'];
    expect(said(overlapping(16, 'y', 'x'))).toEqual([]);
    expect(said(overlapping(17, 'y', 'x'))).toEqual(fault);
    expect(said(overlapping(16, 'y', 'z'))).toEqual(fault);
    expect(said(overlapping(16, 'x', 'y', true))).toEqual([]);
    expect(said(overlapping(16, 'x', 'y'))).toEqual(fault);
  });

  it('walks a branch once: what it reads from outside may go in it', () => {
    const given = plan(
      [input('c', 64), input('x', 0), at('p', 16), at('q', 0), output('z', 32)],
      ...['If c x -> z', 'Conv x -> p', 'Conv p -> q'],
    );
    const steps = given.steps.map((one, index) =>
      index === 0
        ? { ...one, bodies: [{ path: 'if/then', inputs: [], outputs: ['q'] }] }
        : { ...one, path: 'if/then' },
    );
    expect(said({ ...given, steps })).toEqual([]);
  });
});

const Y_LOST =
  'After the last step, y should still be there in AXISRAM at [32,48), but nobody has written there.';

describe('the walk of several models', () => {
  /** x at 0, t at 16, y at 32. */
  const A = plan([input('x', 0), at('t', 16), output('y', 32)], 'Conv x -> t', 'Conv t -> y');
  /** Everything at the same places. */
  const B = plan([input('x', 0), at('u', 16), output('y', 32)], 'Conv x -> u', 'Conv u -> y');

  it('lets models that take turns write over each other', () => {
    expect(said(together([A, B]))).toEqual([]);
    expect(said(together([A, B], { order: 'sequence' }))).toEqual([]);
  });

  it('walks each of them alone', () => {
    const faulty = plan([input('x', 0), at('u', 16), at('v', 16), output('y', 32)], 'Conv u -> y');
    expect(said(together([A, faulty]))).toEqual([
      'Step 2 (Conv n_y) reads u in AXISRAM at [16,32), but nobody has written there.',
    ]);
    const lost = plan([input('x', 0), output('y', 16), at('z', 16)], 'Conv x -> y', 'Conv x -> z');
    expect(said(together([lost, A]))).toEqual([
      'After step 1, y should still be there in AXISRAM at [16,32), but bytes of a:z lie there.',
    ]);
    expect(said(together([A, lost]))).toEqual([
      'After the last step, y should still be there in AXISRAM at [16,32), but bytes of b:z lie there.',
    ]);
  });

  it('wants what is held to be there after every other model', () => {
    expect(said(together([A, B], { holds: ['a:t'] }))).toEqual([
      'After a run of b, t should still be there in AXISRAM at [16,32), but bytes of b:u lie there.',
    ]);
    expect(said(together([A, B], { holds: ['b:u'] }))).toEqual([
      'After a run of a, u should still be there in AXISRAM at [16,32), but bytes of a:t lie there.',
    ]);
  });

  it('wants what is held only after those that come later in a fixed order', () => {
    expect(said(together([A, B], { order: 'sequence', holds: ['b:u'] }))).toEqual([]);
    expect(said(together([A, B], { order: 'sequence', holds: ['a:t'] }))).toEqual([
      'After a run of b, t should still be there in AXISRAM at [16,32), but bytes of b:u lie there.',
    ]);
  });

  it('finds a held tensor that its own model loses, after another has run', () => {
    const loses = plan([input('x', 0), at('u', 16), output('y', 16)], 'Conv x -> u', 'Conv x -> y');
    const apart = plan([input('x', 64), output('z', 80)], 'Conv x -> z');
    expect(said(together([loses, apart], { holds: ['a:u'] }))).toEqual([
      'After a run of b, u should still be there in AXISRAM at [16,32), but bytes of a:y lie there.',
    ]);
  });

  it('fills the inputs of a model just before it runs', () => {
    const apart = plan([input('i', 64), at('h', 80), output('o', 0)], 'Conv i -> h', 'Conv h -> o');
    // a writes o where x lies: only after b has run does that lose what is held.
    expect(said(together([apart, B], { holds: ['a:h', 'b:x'] }))).toEqual([
      'After a run of a, x should still be there in AXISRAM at [0,16), but bytes of a:o lie there.',
    ]);
  });

  it('finds inputs that are filled at any time where another model writes', () => {
    const apart = plan([input('i', 64), at('h', 80), output('o', 0)], 'Conv i -> h', 'Conv h -> o');
    const own = plan([input('x', 0), output('y', 32)], 'Conv x -> y');
    expect(said(together([apart, own], { asyncIo: true }))).toEqual([
      'Step 2 (Conv n_y) reads x in AXISRAM at [0,16), but bytes of a:o lie there.',
      'After the last step, x should still be there in AXISRAM at [0,16), but bytes of a:o lie there.',
      'After a run of a, x should still be there in AXISRAM at [0,16), but bytes of a:o lie there.',
    ]);
  });

  it('fills at any time no inputs of models that do not run, and no outputs', () => {
    const ghosts = plan(
      [input('i', 64), at('ghost', 0), at('other', 32), output('o', 80)],
      ...['Conv i ghost -> o', 'Conv other -> o'],
    );
    const own = plan([input('x', 0), output('y', 32)], 'Conv x -> y');
    const texts = said(together([ghosts, own], { asyncIo: true }));
    expect(texts).toContain(
      'Step 0 (Conv n_o) reads ghost in AXISRAM at [0,16), but nobody has written there.',
    );
    expect(texts).toContain(
      'Step 1 (Conv n_o) reads other in AXISRAM at [32,48), but nobody has written there.',
    );
  });

  it('finds what is handed over in its place, or says that it is not there', () => {
    const first = plan([input('x', 0), output('y', 16)], 'Conv x -> y');
    const second = plan([input('in', 16), output('z', 32)], 'Conv in -> z');
    const links = [['a:y', 'b:in']] as const;
    expect(said(together([first, second], { order: 'sequence', links }))).toEqual([]);
    const moved = changed(second, 'in', { offset: 64 });
    expect(said(together([first, moved], { order: 'sequence', links }))).toEqual([
      'Before step 1, in should still be there in AXISRAM at [64,80), but nobody has written there.',
      'Step 1 (Conv n_z) reads in in AXISRAM at [64,80), but nobody has written there.',
    ]);
  });
});
