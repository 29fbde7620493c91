/** Chooses among the ways to share bytes the one with the smallest peak. */
import type { PlaceUse } from './cost.ts';
import { declinedBy } from './declined.ts';
import { exhaust } from './exhaust.ts';
import { evaluator } from './found.ts';
import { improve } from './improve.ts';
import { leastBytes } from './least.ts';
import type { Scene } from './scene.ts';
import type { Sharing } from './sharing.ts';
import type { Choice, Declined, SharingProof } from './types.ts';

/** Each search stops after looking at so many tensors: tensors of the graph times tries. */
const MAX_WORK = { local: 100_000, exact: 40_000, judged: 20_000_000 } as const;

export interface ChosenSharing extends Sharing, SharingProof {
  readonly places: readonly PlaceUse[];
  readonly declined: readonly Declined[];
}

/**
 * Takes everything that is legal, in the order of the steps; that is best unless two ways to share want the same bytes.
 * Where such conflicts keep the peak above what no choice can beat, single views and parts of a Concat are declined,
 * and operands changed, as long as it lowers the peak; then all that could still lower it is tried, exactly where the
 * conflicts are few.
 */
export function chooseSharing(scene: Scene, choices: readonly Choice[]): ChosenSharing {
  const evaluate = evaluator(scene, choices);
  const all = choices.map((choice) => choice.candidates);
  const tries = (work: number): number => Math.ceil(work / (scene.lives.ranges.length + 1));
  const least = leastBytes(scene, choices, all);
  let best = evaluate(all);
  let proved = best.cost.peakBytes <= least;
  if (!proved) {
    best = improve(scene, choices, best, evaluate, tries(MAX_WORK.local));
    ({ best, proved } = exhaust(scene, choices, best, evaluate, {
      tries: tries(MAX_WORK.exact),
      judged: tries(MAX_WORK.judged),
    }));
  }
  return {
    ...best.sharing,
    places: best.places,
    peakBytes: best.cost.peakBytes,
    leastBytes: proved ? best.cost.peakBytes : least,
    declined: declinedBy(choices, best, evaluate),
  };
}
