import { describe, expect, it } from 'vitest';
import type { TypedGraph } from '../../src/graph/types.ts';
import { none } from '../../src/kernels/none.ts';
import { buildBuffers } from '../../src/lifetime/buffers.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import type { LifetimeOptions } from '../../src/lifetime/types.ts';
import { type OrderModel, orderModel, type SharingModel } from '../../src/order/model.ts';
import { orderSteps } from '../../src/order/solve.ts';
import type { OrderProblem } from '../../src/order/types.ts';
import { type GraphSketch, graphOf } from '../support/graphs.ts';
import { type OptionSketch, optionsOf, peakOf } from '../support/lifetimes.ts';
import { everyOrder, plainPeak } from '../support/order-problems.ts';
import { randomControlFlow } from '../support/random-bodies.ts';
import { randomGraph, randomJoins } from '../support/random-graphs.ts';
import { rounds } from '../support/rounds.ts';

function modelOf(sketch: GraphSketch, options?: OptionSketch, sharing: SharingModel = 'ideal'): OrderModel {
  const graph = graphOf(sketch);
  return orderModel(graph, scheduleSteps(graph), optionsOf(sketch, options), none, sharing);
}

/** The peak of the buffers that are really built when the nodes stand in this order. */
function realPeak(graph: TypedGraph, options: LifetimeOptions, order: readonly number[]): number {
  const ordered = { ...graph, nodes: order.map((step) => graph.nodes[step]!) };
  const { buffers } = buildBuffers(ordered, scheduleSteps(ordered), options, none);
  return buffers.length === 0 ? 0 : peakOf(buffers);
}

const EXACT: readonly OptionSketch[] = [
  {},
  { preserveInputs: true },
  { io: 'external' },
  { asyncIo: true },
  { views: false },
  { inPlace: false },
  { sizeRound: 48 },
  { keep: ['t3'] },
];

/** A graph to order, and what the models make of it. */
interface Trial {
  readonly graph: TypedGraph;
  readonly options: LifetimeOptions;
  readonly ideal: OrderProblem;
  /** Only where it counts what is sure. */
  readonly plain?: OrderProblem;
}

function trialOf(sketch: GraphSketch, ways: OptionSketch, models: readonly SharingModel[]): Trial {
  const options = optionsOf(sketch, ways);
  const graph = graphOf(sketch);
  const problem = (sharing: SharingModel): OrderProblem =>
    orderModel(graph, scheduleSteps(graph), options, none, sharing).problem;
  return {
    graph,
    options,
    ideal: problem('ideal'),
    ...(models.includes('plain') && { plain: problem('plain') }),
  };
}

/** The smallest real peak of all orders, in each of which the models hold the truth between them; undefined if there are more. */
function bestOf({ graph, options, ideal, plain }: Trial, seed: number, most: number): number | undefined {
  let [best, orders] = [Number.POSITIVE_INFINITY, 0];
  everyOrder(ideal, (order) => {
    const real = realPeak(graph, options, order);
    if (plainPeak(ideal, order) > real || (plain !== undefined && plainPeak(plain, order) < real)) {
      expect.fail(`seed ${seed}: ${order.join()} really needs ${real}`);
    }
    best = Math.min(best, real);
    return ++orders <= most;
  });
  return orders > most ? undefined : best;
}

const BOTH: readonly SharingModel[] = ['ideal', 'plain'];

describe('the problem of ordering a graph', () => {
  it('has the smallest real peak of all orders as its own (views and in-place writes)', () => {
    let [graphs, gains] = [0, 0];
    for (let seed = 1; graphs < rounds(2000, 400); seed++) {
      const trial = trialOf(randomGraph(seed, 8), EXACT[seed % EXACT.length]!, BOTH);
      const best = bestOf(trial, seed, 100);
      if (best === undefined) continue;
      graphs++;
      const { graph, options, ideal } = trial;
      const { order, lowerBound } = orderSteps(ideal);
      expect([lowerBound, realPeak(graph, options, order)], `seed ${seed}`).toEqual([best, best]);
      if (best < realPeak(graph, options, [...graph.nodes.keys()])) gains++;
    }
    expect(gains).toBeGreaterThan(graphs / 4);
  });

  it('is never above the truth where inputs must not be written over, and nearly always finds the best', () => {
    let [graphs, missed] = [0, 0];
    for (let seed = 1; graphs < rounds(400, 100); seed++) {
      const trial = trialOf(randomGraph(seed, 8), { inPlaceInputs: false }, BOTH);
      const best = bestOf(trial, seed, 100);
      if (best === undefined) continue;
      graphs++;
      const { graph, options, ideal, plain } = trial;
      const found = [ideal, plain!].map((problem) => realPeak(graph, options, orderSteps(problem).order));
      if (Math.min(...found) > best) missed++;
    }
    expect(missed).toBeLessThanOrEqual(graphs / 100);
  });

  const WAYS: readonly OptionSketch[] = [
    ...EXACT,
    { inPlaceInputs: false },
    { align: 16 },
    { layout: 'nhwc' },
  ];
  it.each([
    {
      where: 'tensors are joined and split',
      seeds: { from: 1, graphs: rounds(300, 100) },
      ways: (seed: number) => WAYS[seed % WAYS.length]!,
      share: 0.6,
    },
    {
      where: 'tensors are joined and sizes rounded up',
      seeds: { from: 1690, graphs: 60 },
      ways: (seed: number) => ({ sizeRound: 48, slack: seed % 3 }),
      share: 0,
    },
  ])('is never above the truth where $where', ({ seeds, ways, share }) => {
    let [graphs, exact] = [0, 0];
    for (let seed = seeds.from; graphs < seeds.graphs; seed++) {
      const trial = trialOf(randomJoins(seed), ways(seed), ['ideal']);
      const best = bestOf(trial, seed, 60);
      if (best === undefined) continue;
      graphs++;
      if (orderSteps(trial.ideal).lowerBound === best) exact++;
    }
    expect(exact).toBeGreaterThan(share * graphs);
  });

  it('is never above the truth with branches and loops, and nearly always equal to it', () => {
    let [graphs, exact] = [0, 0];
    for (let seed = 1; graphs < rounds(500, 150); seed++) {
      const trial = trialOf(randomControlFlow(seed), {}, ['ideal']);
      const best = bestOf(trial, seed, 100);
      if (best === undefined) continue;
      graphs++;
      const { order, lowerBound } = orderSteps(trial.ideal);
      if (lowerBound === best && realPeak(trial.graph, trial.options, order) === best) exact++;
    }
    expect(exact).toBeGreaterThan(0.94 * graphs);
  });

  const W = { shape: [16], weight: true } as const;

  it('runs a view after its source, at no cost, and its readers after the view', () => {
    const { problem } = modelOf({
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [16], a: [16], v: [4, 4], y: [4, 4], w: W },
      nodes: ['Conv x w -> a', 'Reshape a w -> v', 'Relu v -> y'],
    });
    expect(problem.steps.map(({ after }) => after)).toEqual([[], [0], [1]]);
    expect(plainPeak(problem, [0, 1, 2])).toBe(128);
  });

  it('keeps the steps of a control-flow body with their node', () => {
    const sketch: GraphSketch = {
      inputs: ['c', 'x'],
      outputs: ['y'],
      tensors: { c: [1], x: [16], a: [16], b: [16], t: [64], p: [16], q: [16], y: [16] },
      nodes: [
        'Conv x x -> a',
        {
          run: 'If c -> b',
          bodies: [
            { name: 'then_branch', outputs: ['p'], nodes: ['Conv a a -> t', 'Conv t t -> p'] },
            { name: 'else_branch', outputs: ['q'], nodes: ['Conv x x -> q'] },
          ],
        },
        'Conv a b -> y',
      ],
    };
    const { problem, nodes } = modelOf(sketch);
    expect(nodes.map(({ op }) => op)).toEqual(['Conv', 'If', 'Conv']);
    // The If reads what its bodies read from outside, so it waits for the step that makes a.
    expect(problem.steps.map(({ after }) => after)).toEqual([[], [0], [0, 1]]);
    // Inside: t beside p, 320 bytes; around them c, x, a and b, 4 + 64 + 64 + 64.
    expect(problem.steps[1]!.extraBytes).toBe(320);
    const graph = graphOf(sketch);
    expect(plainPeak(problem, [0, 1, 2])).toBe(516);
    expect(realPeak(graph, optionsOf(sketch), [0, 1, 2])).toBe(516);
  });

  it('counts outputs of a control-flow node that nobody reads during its own step alone', () => {
    const sketch: GraphSketch = {
      inputs: ['c', 'x'],
      outputs: ['y'],
      tensors: { c: [1], x: [16], b: [64], y: [16], p: [64], q: [16], r: [64], s: [16] },
      nodes: [
        {
          run: 'If c -> b y',
          bodies: [
            { name: 'then_branch', outputs: ['p', 'q'], nodes: ['Conv x x -> p', 'Conv x x -> q'] },
            { name: 'else_branch', outputs: ['r', 's'], nodes: ['Conv x x -> r', 'Conv x x -> s'] },
          ],
        },
      ],
    };
    const { problem } = modelOf(sketch);
    expect(plainPeak(problem, [0])).toBe(realPeak(graphOf(sketch), optionsOf(sketch), [0]));
  });

  it('leaves folded nodes out', () => {
    const { nodes } = modelOf({
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [4], k: [1], y: [4] },
      nodes: [{ run: 'Shape x -> k', folded: true }, 'Reshape x k -> y'],
    });
    expect(nodes.map(({ op }) => op)).toEqual(['Reshape']);
  });
});
