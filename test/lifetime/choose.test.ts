import { describe, expect, it } from 'vitest';
import { none } from '../../src/kernels/none.ts';
import { aliasChoices } from '../../src/lifetime/candidates.ts';
import { chooseSharing } from '../../src/lifetime/choose.ts';
import { costOf, placeUses } from '../../src/lifetime/cost.ts';
import { type Scene, sceneOf } from '../../src/lifetime/scene.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import type { Choice } from '../../src/lifetime/types.ts';
import { type GraphSketch, graphOf } from '../support/graphs.ts';
import { type OptionSketch, optionsOf } from '../support/lifetimes.ts';
import { randomGraph } from '../support/random-graphs.ts';

function sceneFor(sketch: GraphSketch, options?: OptionSketch): Scene {
  const graph = graphOf(sketch);
  return sceneOf(graph, scheduleSteps(graph), optionsOf(sketch, options));
}

/**
 * The smallest peak over all ways to share, by trying them all and judging each whole assignment: a write at step i is
 * legal if every other tensor of the group that existed before i is dead by then and no other operand is in the group.
 */
function bruteForce(scene: Scene, choices: readonly Choice[]): number {
  const { lives, sizes, schedule, options, inputs } = scene;
  const alive = [...sizes.keys()];
  let best = Number.POSITIVE_INFINITY;
  const judge = (source: ReadonlyMap<number, number>, writes: ReadonlyMap<number, number>): void => {
    const root = (tensor: number): number => {
      const from = source.get(tensor);
      return from === undefined ? tensor : root(from);
    };
    for (const [output, operand] of writes) {
      const step = lives.definedAt[output]!;
      const group = alive.filter((tensor) => tensor !== operand && root(tensor) === root(operand));
      const before = group.filter((tensor) => lives.definedAt[tensor]! < step);
      if (before.some((tensor) => lives.ranges[tensor]!.end > step)) return;
      if (schedule.steps[step]!.reads.some((tensor) => tensor !== operand && root(tensor) === root(operand)))
        return;
      if (!options.inPlaceInputs && inputs.has(root(operand))) return;
    }
    const roots = new Set(alive.map(root));
    const live = schedule.steps.map(({ step }) =>
      [...roots].reduce((sum, group) => {
        const used = alive.some((tensor) => {
          const { first, end } = lives.ranges[tensor]!;
          return root(tensor) === group && first <= step && step < end;
        });
        return sum + (used ? sizes[group]!.bytes : 0);
      }, 0),
    );
    best = Math.min(best, Math.max(...live));
  };
  const walk = (at: number, source: Map<number, number>, writes: Map<number, number>): void => {
    const choice = choices[at];
    if (choice === undefined) {
      judge(source, writes);
      return;
    }
    walk(at + 1, source, writes);
    for (const candidate of choice.candidates) {
      const inPlace = candidate.kind === 'in-place';
      walk(
        at + 1,
        new Map(source).set(candidate.output, candidate.source),
        inPlace ? new Map(writes).set(candidate.output, candidate.source) : writes,
      );
    }
  };
  walk(0, new Map(), new Map());
  return best;
}

describe('the choice of what shares', () => {
  it('has the smallest peak of all legal ways to share (400 small random graphs)', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const sketch = randomGraph(seed);
      for (const options of [{}, { inPlaceInputs: false }, { preserveInputs: true }]) {
        const scene = sceneFor(sketch, options);
        const choices = aliasChoices(scene, none);
        const cost = costOf(placeUses(scene, chooseSharing(scene, choices)), scene.schedule.steps.length);
        expect(cost.peakBytes, `seed ${seed}, ${JSON.stringify(options)}`).toBe(bruteForce(scene, choices));
      }
    }
  });

  /** Takes `part` as the first quarter of `whole` where the table of operators knows no such view. */
  const withPart = (scene: Scene, whole: number, part: number): Choice[] => [
    {
      output: part,
      candidates: [
        { kind: 'view', step: scene.lives.definedAt[part]!, output: part, source: whole, offset: 0 },
      ],
    },
  ];

  it('shows a part of a tensor that is dead: the rest of it is free', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [1], large: [64], part: [16], next: [64], y: [1] },
      nodes: ['Conv x -> large', 'Conv large -> part', 'Conv part -> next', 'Conv next part -> y'],
    };
    const scene = sceneFor(sketch);
    const sharing = chooseSharing(scene, withPart(scene, 1, 2));
    // Large and x (260), large (256), part and next (320), part, next and y (324).
    expect(costOf(placeUses(scene, sharing), scene.schedule.steps.length)).toEqual({
      peakBytes: 324,
      steps: 1,
    });
    expect(sharing.taken.size).toBe(1);
  });

  it('copies a small part when a view of it would forbid to write over the rest', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [1], large: [64], part: [16], next: [64], y: [1] },
      nodes: ['Conv x -> large', 'Conv large -> part', 'Relu large -> next', 'Conv next part -> y'],
    };
    const scene = sceneFor(sketch);
    const choices = [...withPart(scene, 1, 2), ...aliasChoices(scene, none)];
    const sharing = chooseSharing(scene, choices);
    // As a view: large beside next (512). Copied: large and part, then next over large, then y besides (324).
    expect(costOf(placeUses(scene, sharing), scene.schedule.steps.length).peakBytes).toBe(324);
    expect([...sharing.taken.keys()]).toEqual([3]);
  });

  it('keeps the view where it costs nothing', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [1], large: [64], part: [16], y: [1] },
      nodes: ['Conv x -> large', 'Conv large -> part', 'Conv part -> y'],
    };
    const scene = sceneFor(sketch);
    const sharing = chooseSharing(scene, withPart(scene, 1, 2));
    expect(costOf(placeUses(scene, sharing), scene.schedule.steps.length).peakBytes).toBe(260);
    expect(sharing.taken.size).toBe(1);
  });

  it('finds the one view that costs the peak among too many to try all combinations', () => {
    const parts = Array.from({ length: 14 }, (_, i) => i);
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: {
        x: [1],
        ...Object.fromEntries(
          parts.flatMap((i) => [
            [`large${i}`, [64]],
            [`part${i}`, [16]],
            [`next${i}`, [64]],
            [`end${i}`, [1]],
          ]),
        ),
        y: [1],
      },
      nodes: [
        ...parts.flatMap((i) => [
          `Conv ${i === 0 ? 'x' : `end${i - 1}`} -> large${i}`,
          `Conv large${i} -> part${i}`,
          `${i === 9 ? 'Relu' : 'Conv'} ${i === 9 ? 'large' : 'part'}${i} -> next${i}`,
          `Conv next${i} part${i} -> end${i}`,
        ]),
        'Conv end13 -> y',
      ],
    };
    const scene = sceneFor(sketch);
    const names = Object.keys(sketch.tensors);
    const at = (name: string): number => names.indexOf(name);
    const views = parts.flatMap((i) => withPart(scene, at(`large${i}`), at(`part${i}`)));
    const choices = [...views, ...aliasChoices(scene, none)];
    choices.sort((a, b) => a.candidates[0]!.step - b.candidates[0]!.step);
    const sharing = chooseSharing(scene, choices);
    // As a view part9 keeps next9 (256) out of large9 (256). As a copy: next9, part9 and end9 (324), as everywhere.
    expect(costOf(placeUses(scene, sharing), scene.schedule.steps.length)).toEqual({
      peakBytes: 324,
      steps: 14,
    });
    expect(parts.filter((i) => !sharing.taken.has(at(`part${i}`)))).toEqual([9]);
  });
});
