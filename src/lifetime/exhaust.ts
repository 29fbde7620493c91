/** Exact search for the way to share with the smallest peak. */
import { isCheaper } from './cost.ts';
import type { Evaluate, Found } from './found.ts';
import { leastBytes } from './least.ts';
import type { Scene } from './scene.ts';
import type { Preference, Sharing } from './sharing.ts';
import type { Candidate, Choice } from './types.ts';

export interface Exhausted {
  readonly best: Found;
  /** No way to share that the choices allow has a smaller peak. */
  readonly proved: boolean;
}

/**
 * Branch and bound. Taking everything that is legal is best as long as nothing is refused: no step needs more bytes
 * because tensors share them. Something refused can become legal only when another tensor leaves its place, so the
 * candidates taken in such places are the ones to decide: one after the other is declined, or changed for another,
 * while those before it stay as they are. What cannot get below the best is not looked into (`leastBytes`).
 * Stops, unproved, after so many tries, or after so many have been judged.
 */
export function exhaust(
  scene: Scene,
  choices: readonly Choice[],
  start: Found,
  evaluate: Evaluate,
  { tries, judged }: { readonly tries: number; readonly judged: number },
): Exhausted {
  const indexOf = new Map(choices.flatMap(({ candidates }, index) => candidates.map((c) => [c, index])));
  let best = start;
  let left = tries;
  let unjudged = judged;
  /** False: given up. */
  const visit = (allowed: Preference, fixed: ReadonlySet<number>): boolean => {
    if (unjudged-- <= 0) return false;
    if (leastBytes(scene, choices, allowed) >= best.cost.peakBytes) return true;
    if (left-- <= 0) return false;
    const found = evaluate(allowed);
    if (isCheaper(found.cost, best.cost)) best = found;
    const settled = new Set(fixed);
    let rest = allowed;
    for (const taken of inRefusedPlaces(found.sharing)) {
      const index = indexOf.get(taken)!;
      if (settled.has(index)) continue;
      settled.add(index);
      const others = allowed[index]!.filter((candidate) => candidate !== taken).map((other) => [other]);
      for (const option of [[], ...others]) if (!visit(rest.with(index, option), settled)) return false;
      rest = rest.with(index, [taken]);
    }
    return true;
  };
  const proved = visit(
    choices.map(({ candidates }) => candidates),
    new Set(),
  );
  return { best, proved };
}

/** The candidates taken in places in which another one was refused. */
function inRefusedPlaces({ taken, refused, root }: Sharing): readonly Candidate[] {
  const places = new Set<number>();
  for (const { candidate } of refused) {
    places.add(root(candidate.source));
    if (candidate.kind === 'concat') places.add(root(candidate.output));
  }
  return [...taken.values()].filter(({ source }) => places.has(root(source)));
}
