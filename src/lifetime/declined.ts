/** Lists the ways to share that were not taken, and why. */
import type { Evaluate, Found } from './found.ts';
import type { Candidate, Choice, Declined } from './types.ts';

/** So many are tried to say what they would cost. */
const MOST_TRIED = 64;

export function declinedBy(choices: readonly Choice[], best: Found, evaluate: Evaluate): readonly Declined[] {
  const taken = new Set(best.sharing.taken.values());
  const blockers = new Map(best.sharing.refused.map(({ candidate, blocker }) => [candidate, blocker]));
  let tried = 0;
  return choices.flatMap(({ candidates }, index) => {
    if (candidates.some((candidate) => taken.has(candidate))) return [];
    return candidates.map((candidate): Declined => {
      if (best.preference[index]!.includes(candidate))
        return { candidate, blocker: blockers.get(candidate), peakBytes: undefined };
      if (tried++ >= MOST_TRIED) return { candidate, blocker: undefined, peakBytes: undefined };
      const other = evaluate(best.preference.with(index, [candidate]));
      const isTaken = [...other.sharing.taken.values()].includes(candidate);
      return isTaken
        ? { candidate, blocker: undefined, peakBytes: other.cost.peakBytes }
        : refusedBy(other, candidate);
    });
  });
}

function refusedBy({ sharing }: Found, candidate: Candidate): Declined {
  const refusal = sharing.refused.find((refused) => refused.candidate === candidate);
  return { candidate, blocker: refusal?.blocker, peakBytes: undefined };
}
