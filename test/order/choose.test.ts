import { describe, expect, it } from 'vitest';
import type { TypedGraph } from '../../src/graph/types.ts';
import { none } from '../../src/kernels/none.ts';
import { buildBuffers } from '../../src/lifetime/buffers.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import { type Chosen, chooseOrder, type Laid, type OrderSettings } from '../../src/order/choose.ts';
import { solve } from '../../src/planner/solve.ts';
import { randomCells } from '../support/cells.ts';
import { type GraphSketch, graphOf } from '../support/graphs.ts';
import { optionsOf } from '../support/lifetimes.ts';

function choose(
  sketch: GraphSketch,
  options: Partial<OrderSettings> = {},
): Chosen<Laid> & { orders: number } {
  const lifetime = options.lifetime ?? optionsOf(sketch);
  let orders = 0;
  const layOut = (graph: TypedGraph): Laid => {
    orders++;
    const schedule = scheduleSteps(graph);
    const buffers = buildBuffers(graph, schedule, lifetime, none);
    return { graph, schedule, buffers, solution: solve({ buffers: buffers.buffers }) };
  };
  const settings: OrderSettings = {
    ...{ schedule: 'min-peak', effort: undefined, mention: true, lifetime, kernels: none },
    ...options,
  };
  const chosen = chooseOrder(graphOf(sketch), layOut, settings);
  return { ...chosen, orders };
}

const stepNames = ({ laid }: Chosen<Laid>): string =>
  laid.schedule.steps.map(({ node }) => node.name).join(' ');
const saidBy = ({ diagnostics }: Chosen<Laid>): readonly string[] =>
  diagnostics.map(({ code, text }) => `${code}: ${text}`);

/** Two branches that begin large: the file starts both before it ends one. */
const BRANCHES: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [16], big1: [256], big2: [256], s1: [4], s2: [4], y: [4] },
  nodes: [
    { run: 'Conv x -> big1', name: 'a' },
    { run: 'Conv x -> big2', name: 'b' },
    { run: 'Conv big1 -> s1', name: 'c' },
    { run: 'Conv big2 -> s2', name: 'd' },
    { run: 'Concat s1 s2 -> y', name: 'e' },
  ],
};

const CHAIN: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [16], a: [16], y: [4] },
  nodes: ['Conv x -> a', 'Conv a -> y'],
};

describe('chooseOrder', () => {
  it('takes the order with the smaller arena, and says what it saves and that none is better', () => {
    const chosen = choose(BRANCHES);
    expect(stepNames(chosen)).toBe('a c b d e');
    expect(chosen.laid.solution.bytes).toBe(1104);
    expect(saidBy(chosen)).toEqual([
      'N_ORDER: This order of the steps saves 1008 bytes: 1104 instead of 2112, 47.7 % less. Its peak of 1104 bytes ' +
        'is proved to be the smallest of all orders.',
    ]);
  });

  it('keeps the order of the file with --schedule model, and mentions a saving above 1 % with the flag', () => {
    const chosen = choose(BRANCHES, { schedule: 'model' });
    expect(stepNames(chosen)).toBe('a b c d e');
    expect(chosen.laid.solution.bytes).toBe(2112);
    expect(saidBy(chosen)).toEqual([
      'N_ORDER_SAVES: In another order of the steps the arena would need 1104 bytes instead of 2112: 47.7 % less.',
    ]);
    expect(chosen.diagnostics[0]!.hint).toContain('--schedule min-peak');
  });

  it('mentions nothing below 1 %', () => {
    const nearly = { ...BRANCHES, tensors: { ...BRANCHES.tensors, x: [100_000] } };
    expect(choose(nearly).laid.solution.bytes).toBe(400_000 + 1024 + 16);
    const chosen = choose(nearly, { schedule: 'model' });
    expect(chosen.laid.solution.bytes).toBe(400_000 + 2048);
    expect(saidBy(chosen)).toEqual([]);
  });

  it('says of a chain that nothing can be gained, and tries no order', () => {
    const chosen = choose(CHAIN);
    expect(saidBy(chosen)).toEqual([
      'N_ORDER: Each step needs the one before it: there is no other order, and nothing to gain.',
    ]);
    expect(chosen.orders).toBe(1);
    expect(saidBy(choose(CHAIN, { schedule: 'model' }))).toEqual([]);
  });

  it('keeps the order of the file when no order is better', () => {
    const chosen = choose({
      ...BRANCHES,
      nodes: ['a c', 'c s', 'b c', 'd s', 'e'].map((_, i) => BRANCHES.nodes[[0, 2, 1, 3, 4][i]!]!),
    });
    expect(stepNames(chosen)).toBe('a c b d e');
    expect(saidBy(chosen)).toEqual([
      'N_ORDER: No order with a smaller arena than that of the file was found. Its peak of 1104 bytes is proved to ' +
        'be the smallest of all orders.',
    ]);
  });

  it('is never worse than the file, and says only what is proved when the search is stopped', () => {
    for (const { name, sketch } of randomCells([60, 150], [1, 2])) {
      // Elided copies make packings that take seconds to prove.
      const lifetime = optionsOf(sketch, { elide: false });
      const given = choose(sketch, { lifetime, schedule: 'model' }).laid.solution.bytes;
      const best = choose(sketch, { lifetime }).laid.solution.bytes;
      for (const effort of [1, 2000]) {
        const chosen = choose(sketch, { lifetime, effort });
        expect(chosen.laid.solution.bytes, name).toBeLessThanOrEqual(given);
        const [note] = saidBy(chosen);
        const least = /that no order has one below (\d+) is proved/.exec(note!)?.[1];
        if (least === undefined) expect(note, name).toContain('is proved to be the smallest of all orders');
        expect(Number(least ?? chosen.laid.solution.bytes), name).toBeLessThanOrEqual(best);
      }
    }
  });
});
