import { describe, expect, it } from 'vitest';
import { none } from '../../src/kernels/none.ts';
import { aliasChoices } from '../../src/lifetime/candidates.ts';
import { chooseSharing } from '../../src/lifetime/choose.ts';
import { costOf, placeUses } from '../../src/lifetime/cost.ts';
import { evaluator } from '../../src/lifetime/found.ts';
import { leastBytes } from '../../src/lifetime/least.ts';
import { type Scene, sceneOf } from '../../src/lifetime/scene.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import { type GraphSketch, graphOf } from '../support/graphs.ts';
import { type OptionSketch, optionsOf } from '../support/lifetimes.ts';
import { randomControlFlow } from '../support/random-bodies.ts';
import { randomGraph, randomJoins } from '../support/random-graphs.ts';
import { countOfWays, smallestPeak } from '../support/sharings.ts';

/** Graphs with more combinations than this are passed over. */
const MAX_COMBINATIONS = 1024;

function sceneFor(sketch: GraphSketch, options: OptionSketch): Scene {
  const graph = graphOf(sketch);
  return sceneOf(graph, scheduleSteps(graph), optionsOf(sketch, options));
}

/** Graphs by seed, how many of them, and in how many at least something legal is better left. */
const KINDS = [
  ['views and writes in place', randomGraph, 400, 1],
  ['parts', randomJoins, 700, 1],
  ['loops and branches', randomControlFlow, 60, 0],
] as const;
const ELIDE = { elide: true } as const;
const OPTIONS = [{}, { inPlaceInputs: false }, { preserveInputs: true }, { slack: 3 }].map((o) => ({
  ...o,
  ...ELIDE,
}));

describe('of all ways to share', () => {
  it.each(KINDS)('the one with the smallest peak is found and proved: %s', (_, make, seeds, often) => {
    let [searched, improved] = [0, 0];
    for (let seed = 1; seed <= seeds; seed++) {
      const options = OPTIONS[seed % OPTIONS.length]!;
      const scene = sceneFor(make(seed), options);
      const choices = aliasChoices(scene, none);
      const count = countOfWays(choices);
      if (count > MAX_COMBINATIONS) continue;
      const smallest = smallestPeak(scene, choices);
      const chosen = chooseSharing(scene, choices);
      const found = [
        costOf(placeUses(scene, chosen), scene.schedule.steps.length).peakBytes,
        chosen.peakBytes,
        chosen.leastBytes,
      ];
      expect(found, `seed ${seed}, ${JSON.stringify(options)}`).toEqual([smallest, smallest, smallest]);
      const all = choices.map(({ candidates }) => candidates);
      const least = leastBytes(scene, choices, all);
      expect(least, `seed ${seed}: the bound`).toBeLessThanOrEqual(smallest);
      if (least < smallest) searched++;
      if (evaluator(scene, choices)(all).cost.peakBytes > smallest) improved++;
      for (const { candidate, peakBytes } of chosen.declined) {
        expect(chosen.taken.get(candidate.output)).not.toBe(candidate);
        if (peakBytes !== undefined) expect(peakBytes).toBeGreaterThanOrEqual(smallest);
      }
    }
    // Taking all that is legal is not always best, and the bound alone does not always prove it.
    expect(searched).toBeGreaterThan(0);
    expect(improved).toBeGreaterThanOrEqual(often);
  });
});
