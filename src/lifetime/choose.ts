/** Chooses among the ways to share bytes the one with the smallest peak. */
import type { Candidate, Choice } from './candidates.ts';
import type { Scene } from './scene.ts';
import {
  bufferBytes,
  type Cost,
  costOf,
  isCheaper,
  type Preference,
  type Sharing,
  share,
} from './sharing.ts';

/** All combinations are tried up to this many. */
const MAX_COMBINATIONS = 2048;
/** Local search stops after looking at this many tensors (tensors of the graph times combinations tried). */
const MAX_WORK = 4_000_000;
/** Views declined at once for the sake of one conflict: the links of the chain between two tensors. */
const MAX_CHAIN = 8;

interface Found {
  readonly preference: Preference;
  readonly sharing: Sharing;
  readonly cost: Cost;
}

/**
 * Takes everything that is legal, in the order of the steps; that is best unless a view and an in-place write
 * want the same bytes. Where such conflicts keep the peak above what no choice can beat, all combinations are
 * tried if they are few, else declining single views and changing operands as long as it lowers the peak.
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
  for (const { output, candidates } of choices) {
    const view = candidates.find(({ kind }) => kind === 'view');
    if (view !== undefined) content.set(output, content.get(view.source) ?? view.source);
    if (candidates.some(({ kind }) => kind === 'in-place')) mayOverwrite.add(output);
  }
  const deltas = new Float64Array(scene.schedule.steps.length + 2);
  const spans = new Map<number, { first: number; end: number }>();
  scene.lives.ranges.forEach((range, tensor) => {
    const owner = content.get(tensor) ?? tensor;
    if (range === undefined || scene.external.has(owner)) return;
    if (scene.sizes.get(owner)!.bytes !== scene.sizes.get(tensor)!.bytes) return;
    const span = spans.get(owner) ?? range;
    spans.set(owner, { first: Math.min(span.first, range.first), end: Math.max(span.end, range.end) });
  });
  for (const [owner, { first, end }] of spans) {
    const bytes = bufferBytes(scene, owner);
    deltas[mayOverwrite.has(owner) ? first + 1 : first]! += bytes;
    deltas[end]! -= bytes;
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
  const indexOf = new Map(choices.map((choice, index) => [choice.output, index]));
  let best = eager;
  let work = MAX_WORK;
  for (let better = true; better; ) {
    better = false;
    for (const preference of neighbours(scene, best, indexOf)) {
      work -= scene.lives.ranges.length;
      if (work < 0) return best;
      const found = evaluate(preference);
      if (!isCheaper(found.cost, best.cost)) continue;
      best = found;
      better = true;
      break;
    }
  }
  return best;
}

/**
 * For each conflict: without one of the views that bring the two tensors together. Without a view of a part, which
 * keeps the whole alive. For each pair of operands: swapped.
 */
function* neighbours(
  { sizes }: Scene,
  { preference, sharing }: Found,
  indexOf: ReadonlyMap<number, number>,
): Generator<Preference> {
  const bytesOf = (tensor: number): number => sizes.get(tensor)!.bytes;
  const declined = new Set<number>();
  for (const { candidate, blocker } of sharing.conflicts) {
    for (const { output } of links(sharing, blocker, candidate.source)) declined.add(output);
  }
  for (const { output, source } of sharing.taken.values()) {
    if (bytesOf(output) < bytesOf(source)) declined.add(output);
  }
  for (const output of declined) yield preference.with(indexOf.get(output)!, []);
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
