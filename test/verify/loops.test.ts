/**
 * The rules of loops in the walk over owners. Each fault is planted so that one rule alone finds it: a walk that turns
 * no loop twice, that turns no loop inside another twice, or that forgets what a turn hands on, misses some of them.
 */
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { findBodies } from '../../src/verify/bodies.ts';
import { indexPlan } from '../../src/verify/index-plan.ts';
import { ownerFaults } from '../../src/verify/owners.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';

const S = [16] as const;

/**
 * Steps: 0 the outer loop, 1 and 2 in its body, 3 the inner loop, 4 to 6 in its body, 7 to 9 in the outer body, 10. The
 * outer loop carries a and b and hands on last and made; the inner one carries i and hands on o.
 */
const NESTED: GraphSketch = {
  inputs: ['n', 'x', 'y', 'outer'],
  outputs: ['z'],
  tensors: {
    ...{ n: [1], m: { shape: [1], weight: true }, w: { shape: S, weight: true } },
    ...{ x: S, y: S, outer: S, k: [1], go: [1], a: S, b: S, made: S, fresh: S },
    ...{ kk: [1], on: [1], i: S, r: S, s: S, o: S, q: S, t: S, u: S, last: S, za: S, zb: S, z: S },
  },
  nodes: [
    {
      run: 'Loop n _ x y -> za zb',
      name: 'outer_loop',
      bodies: [
        {
          name: 'body',
          inputs: ['k', 'go', 'a', 'b'],
          outputs: ['go', 'last', 'made'],
          nodes: [
            'Conv a w -> made',
            'Conv made w -> fresh',
            {
              run: 'Loop m _ made -> q',
              name: 'inner_loop',
              bodies: [
                {
                  name: 'body',
                  inputs: ['kk', 'on', 'i'],
                  outputs: ['on', 'o'],
                  nodes: ['Conv i fresh -> r', 'Conv r outer -> s', 'Conv s w -> o'],
                },
              ],
            },
            'Conv q b -> t',
            'Conv t w -> u',
            'Conv u w -> last',
          ],
        },
      ],
    },
    'Conv za zb -> z',
  ],
};

const plan = planSketch(NESTED, { inPlace: false, views: false });

const walked = (of: Plan): readonly string[] => {
  const index = indexPlan(of);
  return ownerFaults(index, findBodies(index)).map(({ text }) => text);
};

/** The first tensor in the place of the second. */
function onto(name: string, place: string): Plan {
  const { buffer, offset, region } = plan.tensors.find((tensor) => tensor.name === place)!;
  expect(plan.tensors.some((tensor) => tensor.name === name)).toBe(true);
  const tensors = plan.tensors.map((one) => (one.name === name ? { ...one, buffer, offset, region } : one));
  return { ...plan, tensors };
}

it('finds nothing in the plan as it is', () => {
  expect(plan.steps.map(({ op, path }) => `${op} ${path}`)).toHaveLength(11);
  expect(walked(plan)).toEqual([]);
  expect(verifyPlan(plan)).toEqual([]);
});

interface Fault {
  readonly name: string;
  readonly move: readonly [tensor: string, place: string];
  /** All that the walk says: nothing else finds this fault. */
  readonly says: readonly RegExp[];
}

const FAULTS: readonly Fault[] = [
  {
    name: 'what the inner loop reads from the outer body is gone when it turns again',
    move: ['o', 'fresh'],
    says: [/^Step 4 \(Conv .*\) reads fresh .* but bytes of o lie there/],
  },
  {
    name: 'what the inner loop reads from outside is gone when the outer loop turns again',
    move: ['u', 'outer'],
    says: [/^Step 5 \(Conv .*\) reads outer .* but bytes of u lie there/],
  },
  {
    name: 'what the inner loop reads from outside is gone when it turns again',
    move: ['o', 'outer'],
    says: [/^Step 5 \(Conv .*\) reads outer .* but bytes of o lie there/],
  },
  {
    name: 'what the inner loop carries is written over while its next value is not there yet',
    move: ['s', 'i'],
    says: [/^Step 6 \(Conv .*\) should leave i .* but bytes of s lie there/],
  },
  {
    name: 'what the inner loop hands on lies in what it receives',
    move: ['o', 'i'],
    says: [/^Step 6 \(Conv .*\) should leave i .* but bytes of o lie there/],
  },
  {
    name: 'what the outer loop hands on is gone before the turn ends',
    move: ['u', 'made'],
    says: [/^Step 9 \(Conv .*\) should leave made .* but bytes of u lie there/],
  },
  {
    name: 'what the outer loop hands on lies in what it receives: values that swap places',
    move: ['last', 'a'],
    says: [/^Step 9 \(Conv .*\) should leave a .* but bytes of last lie there/],
  },
  {
    name: 'one result of the outer loop lies in the place of the other carried value',
    move: ['last', 'b'],
    says: [/^Step 9 \(Conv .*\) should leave b .* but bytes of last lie there/],
  },
  {
    name: 'the outer loop gives back what a step of its body has written over',
    move: ['t', 'za'],
    says: [/^Step 10 \(Conv .*\) reads za .* but bytes of t lie there/],
  },
  {
    name: 'the inner loop gives back what a step of its own body has written over',
    move: ['r', 'q'],
    says: [/^Step 7 \(Conv .*\) reads q .* but bytes of r lie there/],
  },
];

describe('a fault in a body', () => {
  it.each(FAULTS)('$name', ({ move, says }) => {
    const planted = onto(...move);
    const found = walked(planted);
    expect(found).toHaveLength(says.length);
    found.forEach((text, i) => void expect(text).toMatch(says[i]!));
    expect(verifyPlan(sealed(planted)).map(({ code }) => code)).toContain('E_PLAN_FAULT');
  });
});
