/** Chooses among the ways to share bytes the one with the smallest peak. */

import { bufferBytes, type Cost, costOf, isCheaper } from './cost.ts';
import type { Scene } from './scene.ts';
import { type Preference, type Sharing, share } from './sharing.ts';
import type { Candidate, Choice } from './types.ts';

/** All combinations are tried up to this many. */
const MAX_COMBINATIONS = 2048;
/** Local search stops after looking at this many tensors (tensors of the graph times combinations tried). */
const MAX_WORK = 4_000_000;
/** Links of the chain between two tensors that may be declined for the sake of one conflict. */
const MAX_CHAIN = 8;

interface Found {
  readonly preference: Preference;
  readonly sharing: Sharing;
  readonly cost: Cost;
}

/**
 * Takes everything that is legal, in the order of the steps; that is best unless a view and an in-place write
 * want the same bytes. Where such conflicts keep the peak above what no choice can beat, all combinations are
 * tried if they are few, else declining single views and parts of a Concat, and changing operands, as long as it lowers
 * the peak.
 */
export function chooseSharing(scene: Scene, choices: readonly Choice[]): Sharing {
  const evaluate = (preference: Preference): Found => {
    const sharing = share(scene, choices, preference);
    return { preference, sharing, cost: costOf(scene, sharing) };
  };
  const eager = evaluate(choices.map((choice) => choice.candidates));
  if (eager.cost.peakBytes <= unavoidableBytes(scene, choices)) return eager.sharing;
  const combinations = choices.reduce((count, { candidates }) => count * (candidates.length + 1), 1);
  const found =
    combinations <= MAX_COMBINATIONS
      ? bestOfAll(choices, eager, evaluate)
      : improve(scene, choices, eager, evaluate);
  return found.sharing;
}

/**
 * No choice has a smaller peak: at each step the contents that are still needed, views of one another counted once,
 * and what is written if nothing can take it in.
 */
function unavoidableBytes(scene: Scene, choices: readonly Choice[]): number {
  const content = new Map<number, number>();
  const mayOverwrite = new Set<number>();
  const joinedAt = new Map<number, number>();
  for (const { output, candidates } of choices) {
    for (const { kind, source, step } of candidates) {
      const owner = content.get(output) ?? output;
      if (kind === 'in-place') mayOverwrite.add(output);
      else if (kind === 'concat') joinedAt.set(owner, Math.min(step, joinedAt.get(owner) ?? step));
      else content.set(output, content.get(source) ?? source);
    }
  }
  const deltas = new Float64Array(scene.schedule.steps.length + 2);
  const spans = new Map<number, { first: number; end: number }>();
  scene.lives.ranges.forEach((alive, tensor) => {
    const owner = content.get(tensor) ?? tensor;
    if (alive === undefined || scene.external.has(owner)) return;
    if (scene.sizes.get(owner)!.bytes !== scene.sizes.get(tensor)!.bytes) return;
    const span = spans.get(owner) ?? alive;
    spans.set(owner, { first: Math.min(span.first, alive.first), end: Math.max(span.end, alive.end) });
  });
  for (const [owner, { first, end }] of spans) {
    // From the step of its Concat on, a part may lie in the whole, and never needs padding of its own.
    const joined = joinedAt.get(owner);
    const bytes = joined === undefined ? bufferBytes(scene, owner) : scene.sizes.get(owner)!.bytes;
    const start = mayOverwrite.has(owner) ? first + 1 : first;
    deltas[start]! += bytes;
    deltas[Math.max(start, Math.min(end, joined ?? end))]! -= bytes;
  }
  let [live, most] = [0, 0];
  for (const delta of deltas) {
    live += delta;
    most = Math.max(most, live);
  }
  return most;
}

function bestOfAll(choices: readonly Choice[], eager: Found, evaluate: (p: Preference) => Found): Found {
  let best = eager;
  const walk = (preference: Preference): void => {
    const choice = choices[preference.length];
    if (choice === undefined) {
      const found = evaluate(preference);
      if (isCheaper(found.cost, best.cost)) best = found;
      return;
    }
    for (const candidate of choice.candidates) walk([...preference, [candidate]]);
    walk([...preference, []]);
  };
  walk([]);
  return best;
}

function improve(
  scene: Scene,
  choices: readonly Choice[],
  eager: Found,
  evaluate: (p: Preference) => Found,
): Found {
  const indexOf = new Map(choices.flatMap(({ candidates }, index) => candidates.map((c) => [c, index])));
  const joined = joinedTogether(choices);
  let best = eager;
  let work = MAX_WORK;
  const better = (preferences: Iterable<Preference>): boolean => {
    for (const preference of preferences) {
      work -= scene.lives.ranges.length;
      if (work < 0) return false;
      const found = evaluate(preference);
      if (!isCheaper(found.cost, best.cost)) continue;
      best = found;
      return true;
    }
    return false;
  };
  if (joined.length > 0) better([declined(eager.preference, joined.flat())]);
  while (better(neighbours(scene, best, indexOf)) || better(otherJoins(choices, best, joined)));
  return best;
}

/** For each Concat the indexes of the choices of its parts. */
function joinedTogether(choices: readonly Choice[]): readonly (readonly number[])[] {
  const byWhole = new Map<number, number[]>();
  for (const [index, { candidates }] of choices.entries()) {
    const [first] = candidates;
    if (first?.kind !== 'concat') continue;
    byWhole.set(first.source, [...(byWhole.get(first.source) ?? []), index]);
  }
  return [...byWhole.values()];
}

function declined(preference: Preference, indexes: readonly number[]): Preference {
  const result = [...preference];
  for (const index of indexes) result[index] = [];
  return result;
}

/** For each Concat: copied where it is elided, elided where a part of it is copied. */
function* otherJoins(
  choices: readonly Choice[],
  { preference }: Found,
  joined: readonly (readonly number[])[],
): Generator<Preference> {
  for (const parts of joined) {
    if (parts.some((index) => preference[index]!.length > 0)) yield declined(preference, parts);
    if (parts.every((index) => preference[index]!.length > 0)) continue;
    const result = [...preference];
    for (const index of parts) result[index] = choices[index]!.candidates;
    yield result;
  }
}

/**
 * For each conflict: without one of the views that bring the two tensors together. Without a view of a part, which
 * keeps the whole alive, and without a part in a whole, which is then needed early. For each pair of operands: swapped.
 */
function* neighbours(
  { sizes }: Scene,
  { preference, sharing }: Found,
  indexOf: ReadonlyMap<Candidate, number>,
): Generator<Preference> {
  const bytesOf = (tensor: number): number => sizes.get(tensor)!.bytes;
  const candidates = new Set<Candidate>();
  for (const { candidate, blocker } of sharing.conflicts) {
    for (const link of links(sharing, blocker, candidate.source)) candidates.add(link);
  }
  for (const candidate of sharing.taken.values()) {
    if (bytesOf(candidate.output) < bytesOf(candidate.source)) candidates.add(candidate);
  }
  for (const candidate of candidates) yield declined(preference, [indexOf.get(candidate)!]);
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
