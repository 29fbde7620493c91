/** Whatever is wrong with a plan that can be read, it is judged: the checker neither falls over nor walks for ever. */
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import type { Plan } from '../../src/plan/types.ts';
import { planFaults } from '../../src/verify/verify.ts';
import { damaged } from '../support/damage.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';
import { createRandom } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { planSeveral } from '../support/several.ts';

/** Parts of different sizes, joined and split again, a view and a write in place. */
const JOIN: GraphSketch = {
  inputs: ['x'],
  outputs: ['z'],
  tensors: { x: [4], a: [8], b: [16], y: [24], r: [24], p: [12], q: [12], v: [3, 4], s: [3, 4], z: [4] },
  nodes: [
    ...['Conv x -> a', 'Conv x -> b', 'Concat a b -> y', 'Conv y -> r', 'Split r -> p q'],
    ...['Reshape p -> v', 'Relu v -> s', 'Conv s q a -> z'],
  ],
};
/** A loop that carries h, and a branch in it. */
const LOOP: GraphSketch = {
  inputs: ['n', 'x', 'c'],
  outputs: ['y'],
  tensors: { n: [1], x: [8], c: [1], k: [1], go: [1], i: [8], t: [8], e: [8], o: [8], z: [8], y: [8] },
  nodes: [
    {
      run: 'Loop n _ x -> z',
      name: 'loop',
      bodies: [
        {
          name: 'body',
          inputs: ['k', 'go', 'i'],
          outputs: ['go', 'o'],
          nodes: [
            {
              run: 'If c -> o',
              name: 'if',
              bodies: [
                { name: 'then_branch', outputs: ['t'], nodes: ['Conv i -> t'] },
                { name: 'else_branch', outputs: ['e'], nodes: ['Relu i -> e'] },
              ],
            },
          ],
        },
      ],
    },
    'Relu z -> y',
  ],
};
const CELL: GraphSketch = {
  inputs: ['x', 'h'],
  outputs: ['y', 'n'],
  tensors: { x: [10], h: [6], m: [20], y: [2], n: [6] },
  nodes: ['Conv x h -> m', 'Conv m -> y', 'Conv m -> n'],
};

const PLANS: Readonly<Record<string, () => Plan>> = {
  'parts of tensors': () => planSketch(JOIN),
  'bodies of control flow': () => planSketch(LOOP),
  'a state': () => planSketch(CELL, { states: [{ tensor: 'h', from: 'n' }] }),
  'rules, and an MPU': () =>
    planSketch(JOIN, {
      mpu: true,
      rules: [
        { kind: 'dma', tensor: 'x', engine: 'DMA1' },
        { kind: 'dma', tensor: 'a' },
      ],
    }),
  'models that take turns': () => planSeveral([CELL, JOIN], { hold: ['a:m'] }),
  'models in a fixed order': () => planSeveral([CELL, JOIN], { run: 'joint' }),
};

describe('a damaged plan', () => {
  it.each(Object.entries(PLANS))('is judged: %s', (_, plan) => {
    const sound = plan();
    expect(planFaults(sound)).toEqual([]);
    let [read, found] = [0, 0];
    for (let seed = 1; seed <= rounds(4000, 150); seed++) {
      const random = createRandom(seed);
      const given = damaged(random(3) === 0 ? damaged(sound, random) : sound, random);
      let parsed: Plan;
      try {
        parsed = parsePlan(JSON.stringify(given), 'plan.json');
      } catch {
        continue;
      }
      read++;
      try {
        if (planFaults(parsed).length > 0) found++;
      } catch (error) {
        expect.fail(`seed ${seed}: ${String(error)}`);
      }
    }
    expect([read > 20, found > read / 4]).toEqual([true, true]);
  });
});
