/** What the replay of real models relies on: it finds faults of every kind, planted in a plan that is sound. */
import { describe, expect, it } from 'vitest';
import type { Plan, PlanTensor } from '../../src/plan/types.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';
import { replay } from '../support/replay.ts';
import type { TrueTensor } from '../support/true-bytes.ts';

const GRAPH: GraphSketch = {
  inputs: ['x'],
  outputs: ['z', 'k'],
  tensors: {
    x: [8],
    k: [8],
    a: [8],
    b: [16],
    y: [24],
    v: [24],
    r: [24],
    p: [12],
    q: [12],
    z: [4],
    n: [1, 2, 2, 2],
  },
  nodes: [
    'Conv x -> k',
    'Conv x k -> a',
    'Conv a -> b',
    'Concat a b -> y',
    'Identity y -> v',
    'Relu v -> r',
    { run: 'Split r -> p q', name: 'split' },
    'Conv q p -> n',
    'Conv n q -> z',
  ],
};

const random = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.imul(seed * 7919 + i + 1, 2654435761) >>> 0);

/** Numbers of one's own choice where an operator computes; the same bytes where it moves. */
function truthOf(): ReadonlyMap<string, TrueTensor> {
  const values: Record<string, readonly number[]> = {};
  for (const [seed, [name, count]] of Object.entries({
    x: 8,
    k: 8,
    a: 8,
    b: 16,
    r: 24,
    z: 4,
    n: 8,
  }).entries())
    values[name] = random(seed, count);
  values.y = [...values.a!, ...values.b!];
  values.v = values.y;
  values.p = values.r!.slice(0, 12);
  values.q = values.r!.slice(12);
  return new Map(
    Object.entries(values).map(([name, numbers]) => {
      const shape = name === 'n' ? [1, 2, 2, 2] : [numbers.length];
      return [name, { type: 'float32', shape, bytes: new Uint8Array(Uint32Array.from(numbers).buffer) }];
    }),
  );
}

const tensor = (plan: Plan, name: string, change: (t: PlanTensor) => Partial<PlanTensor>): Plan => ({
  ...plan,
  tensors: plan.tensors.map((t) => (t.name === name ? { ...t, ...change(t) } : t)),
});
const find = (plan: Plan, name: string): PlanTensor => plan.tensors.find((t) => t.name === name)!;
const onto = (plan: Plan, name: string, other: string): Plan =>
  tensor(plan, name, () => ({ offset: find(plan, other).offset }));
const turned = (plan: Plan, at: number): Plan => {
  const steps = [...plan.steps];
  [steps[at], steps[at + 1]] = [
    { ...steps[at + 1]!, step: at },
    { ...steps[at]!, step: at + 1 },
  ];
  return { ...plan, steps };
};

const FAULTS: readonly (readonly [string, (plan: Plan) => Plan])[] = [
  ['two live tensors in one place', (p) => onto(p, 'b', 'k')],
  ['a part that lies elsewhere in the whole', (p) => tensor(p, 'a', (t) => ({ offset: t.offset! + 16 }))],
  ['parts of a Split the other way round', (p) => onto(onto(p, 'p', 'q'), 'q', 'p')],
  ['a view that begins too late', (p) => tensor(p, 'v', (t) => ({ offset: t.offset! + 4 }))],
  ['a range that ends before the last read', (p) => tensor(p, 'a', ({ first }) => ({ end: first + 1 }))],
  [
    'an output that does not last',
    (p) => tensor(onto(p, 'z', 'k'), 'k', ({ first }) => ({ end: first + 2 })),
  ],
  [
    'a copy that is said to be elided',
    (p) => tensor(p, 'q', (t) => ({ how: 'elided', aliasOf: 'r', offset: t.offset! + 8 })),
  ],
  [
    'a write over what is read later',
    (p) => tensor(onto(p, 'b', 'a'), 'b', () => ({ how: 'in-place', aliasOf: 'a' })),
  ],
  ['steps in another order', (p) => turned(p, 2)],
  ['an operator that computes as a view', (p) => tensor(p, 'r', () => ({ how: 'view', aliasOf: 'v' }))],
  [
    'a place beyond the arena',
    (p) => ({ ...p, regions: p.regions.map((r) => ({ ...r, used: r.used - 8 })) }),
  ],
];

describe('the replay of a plan', () => {
  const plan = planSketch(GRAPH, { align: 4, keep: ['v'] });

  it('finds nothing in a sound plan', () => {
    const { differences, compared, unknown } = replay(plan, truthOf());
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(15);
    expect([...unknown]).toEqual([]);
  });

  it.each(FAULTS)('finds %s', (_, plant) => {
    let found: readonly string[];
    try {
      found = replay(plant(plan), truthOf()).differences;
    } catch (error) {
      found = [String(error)];
    }
    expect(found).not.toEqual([]);
  });
});
