/** Local search for a smaller peak: one change at a time, as long as it helps. */
import { isCheaper } from './cost.ts';
import type { Evaluate, Found } from './found.ts';
import type { Scene } from './scene.ts';
import { type Preference, type Sharing, without } from './sharing.ts';
import type { Candidate, Choice } from './types.ts';

/** Links of the chain between two tensors that may be declined for the sake of one conflict. */
const MAX_CHAIN = 8;

/**
 * Declines single views and parts of a Concat, and changes operands, until nothing lowers the peak or so many ways to
 * share have been tried.
 */
export function improve(
  scene: Scene,
  choices: readonly Choice[],
  eager: Found,
  evaluate: Evaluate,
  tries: number,
): Found {
  const indexOf = new Map(choices.flatMap(({ candidates }, index) => candidates.map((c) => [c, index])));
  const joined = joinedTogether(choices);
  let best = eager;
  let left = tries;
  const better = (preferences: Iterable<Preference>): boolean => {
    for (const preference of preferences) {
      if (left-- <= 0) return false;
      const found = evaluate(preference);
      if (!isCheaper(found.cost, best.cost)) continue;
      best = found;
      return true;
    }
    return false;
  };
  if (joined.length > 0) better([without(eager.preference, joined.flat())]);
  while (better(neighbours(scene, best, indexOf)) || better(otherJoins(choices, best, joined)));
  return best;
}

/** For each Concat the indexes of the choices of its parts. */
function joinedTogether(choices: readonly Choice[]): readonly (readonly number[])[] {
  const byWhole = new Map<number, number[]>();
  for (const [index, { candidates }] of choices.entries()) {
    const [first] = candidates;
    if (first?.kind !== 'concat') continue;
    const parts = byWhole.get(first.source);
    if (parts === undefined) byWhole.set(first.source, [index]);
    else parts.push(index);
  }
  return [...byWhole.values()];
}

/** For each Concat: copied where it is elided, elided where a part of it is copied. */
function* otherJoins(
  choices: readonly Choice[],
  { preference }: Found,
  joined: readonly (readonly number[])[],
): Generator<Preference> {
  for (const parts of joined) {
    if (parts.some((index) => preference[index]!.length > 0)) yield without(preference, parts);
    if (parts.every((index) => preference[index]!.length > 0)) continue;
    const result = [...preference];
    for (const index of parts) result[index] = choices[index]!.candidates;
    yield result;
  }
}

/**
 * For each conflict: without one of the candidates that bring the two tensors together. Without a view of a part, which
 * keeps the whole alive, and without a part in a whole, which is then needed early. For each pair of operands: swapped.
 */
function* neighbours(
  { sizes }: Scene,
  { preference, sharing }: Found,
  indexOf: ReadonlyMap<Candidate, number>,
): Generator<Preference> {
  const bytesOf = (tensor: number): number => sizes[tensor]!.bytes;
  const candidates = new Set<Candidate>();
  for (const { candidate, blocker } of sharing.refused) {
    if (blocker === undefined) continue;
    for (const link of links(sharing, blocker, candidate.source)) candidates.add(link);
  }
  for (const candidate of sharing.taken.values()) {
    if (bytesOf(candidate.output) < bytesOf(candidate.source)) candidates.add(candidate);
  }
  for (const candidate of candidates) yield without(preference, [indexOf.get(candidate)!]);
  for (const [index, candidates] of preference.entries()) {
    const [first, ...others] = candidates;
    if (others.length > 0) yield preference.with(index, [...others, first!]);
  }
}

/** The candidates taken on the way from both tensors to the place they have in common. */
function links(sharing: Sharing, a: number, b: number): readonly Candidate[] {
  const path = (from: number): Candidate[] => {
    const found: Candidate[] = [];
    let link = sharing.taken.get(from);
    for (; link !== undefined && found.length < MAX_CHAIN; link = sharing.taken.get(link.source))
      found.push(link);
    return found;
  };
  const [pathA, pathB] = [path(a), path(b)];
  return [...pathA.filter((link) => !pathB.includes(link)), ...pathB.filter((link) => !pathA.includes(link))];
}
