/** All ways to share that the choices of a small graph allow, and what each of them costs. */
import { costOf, placeUses } from '../../src/lifetime/cost.ts';
import type { Scene } from '../../src/lifetime/scene.ts';
import { type Preference, share } from '../../src/lifetime/sharing.ts';
import type { Choice } from '../../src/lifetime/types.ts';

/** How many there are. */
export function countOfWays(choices: readonly Choice[]): number {
  return choices.reduce((product, { candidates }) => product * (candidates.length + 1), 1);
}

/** Every combination of what the choices offer: one candidate or none for each. */
function* combinations(choices: readonly Choice[]): Generator<Preference> {
  const [first, ...others] = choices;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const rest of combinations(others)) {
    yield [[], ...rest];
    for (const candidate of first.candidates) yield [[candidate], ...rest];
  }
}

/** Live bytes at the peak when what the preference names is taken. */
export function peakOf(scene: Scene, choices: readonly Choice[], preference: Preference): number {
  return costOf(placeUses(scene, share(scene, choices, preference)), scene.schedule.steps.length).peakBytes;
}

/** Live bytes at the peak of the best of all ways. */
export function smallestPeak(scene: Scene, choices: readonly Choice[]): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const preference of combinations(choices))
    smallest = Math.min(smallest, peakOf(scene, choices, preference));
  return smallest;
}
