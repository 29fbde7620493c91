/** Decides, for one order of preference, which outputs share bytes, and says what that costs. */
import type { Candidate, Choice } from './candidates.ts';
import type { Scene } from './scene.ts';

/** Candidates to try for each choice, best first; none left means a place of its own. By index of the choice. */
export type Preference = readonly (readonly Candidate[])[];

/** A write that another tensor in the same bytes forbids, which is read later. */
export interface Conflict {
  readonly candidate: Candidate;
  readonly blocker: number;
}

/** Tensors by index. */
export interface Sharing {
  /** The candidate each tensor took. */
  readonly taken: ReadonlyMap<number, Candidate>;
  /** The tensor that owns the place, and how far into it a tensor starts. A tensor of its own: itself and 0. */
  readonly root: (tensor: number) => number;
  readonly offset: (tensor: number) => number;
  readonly conflicts: readonly Conflict[];
}

/** The largest sum of live bytes, then at how many steps it is reached: smaller is better. */
export interface Cost {
  readonly peakBytes: number;
  readonly steps: number;
}

interface Place {
  readonly root: number;
  readonly offset: number;
}

/**
 * Takes the first legal candidate of each choice, in the order of the steps. That order makes every decision final:
 * an in-place write needs all other tensors in its bytes to be past their last read, and later views of those
 * bytes can only be views of what was written.
 */
export function share(scene: Scene, choices: readonly Choice[], preference: Preference): Sharing {
  const { ranges } = scene.lives;
  const places = new Map<number, Place>();
  const placeOf = (tensor: number): Place => places.get(tensor) ?? { root: tensor, offset: 0 };
  const tenants = new Map<number, number[]>();
  const writtenAt = new Map<number, number>();
  const taken = new Map<number, Candidate>();
  const conflicts: Conflict[] = [];

  /** Tensors in the place that are read after the step; the rest is forgotten, so that chains stay linear. */
  const stillRead = (root: number, step: number): number[] => {
    const live = (tenants.get(root) ?? [root]).filter((tensor) => ranges[tensor]!.end > step);
    tenants.set(root, live);
    return live;
  };
  const overlaps = (a: number, b: number): boolean => {
    const [x, y] = [placeOf(a).offset, placeOf(b).offset];
    return x < y + scene.sizes.get(b)!.bytes && y < x + scene.sizes.get(a)!.bytes;
  };
  const legal = (candidate: Candidate): boolean => {
    const { root } = placeOf(candidate.source);
    if (candidate.kind === 'view') {
      return writtenAt.get(root) !== candidate.step && !carriedRound(scene, root, candidate.output);
    }
    if (isLocked(scene, root)) return false;
    const blocker = stillRead(root, candidate.step).find(
      (tensor) => tensor !== candidate.source && overlaps(tensor, candidate.source),
    );
    if (blocker !== undefined) conflicts.push({ candidate, blocker });
    return blocker === undefined;
  };

  choices.forEach(({ output }, index) => {
    const candidate = preference[index]!.find(legal);
    if (candidate === undefined) return;
    const source = placeOf(candidate.source);
    taken.set(output, candidate);
    places.set(output, { root: source.root, offset: source.offset + candidate.offset });
    stillRead(source.root, candidate.step).push(output);
    if (candidate.kind === 'in-place') writtenAt.set(source.root, candidate.step);
  });
  return {
    taken,
    conflicts,
    root: (tensor) => placeOf(tensor).root,
    offset: (tensor) => placeOf(tensor).offset,
  };
}

/** Nothing may be written into the place of a graph input that the caller owns or wants untouched. */
function isLocked({ inputs, options, external }: Scene, root: number): boolean {
  return external.has(root) || (inputs.has(root) && !options.inPlaceInputs);
}

/**
 * What a loop hands to its next turn must not lie in what that turn receives: values that swap places would
 * overwrite each other while they are copied.
 */
export function carriedRound({ loops }: Scene, root: number, output: number): boolean {
  return loops.get(root)?.outputs.includes(output) ?? false;
}

/** Live bytes of the places at every step, summed up. */
export function costOf(scene: Scene, sharing: Sharing): Cost {
  const spans = placeRanges(scene, sharing);
  const deltas = new Float64Array(scene.schedule.steps.length + 2);
  for (const { root, first, end } of spans) {
    const bytes = bufferBytes(scene, root);
    deltas[first]! += bytes;
    deltas[end]! -= bytes;
  }
  let [live, peakBytes, steps] = [0, 0, 0];
  for (const delta of deltas) {
    live += delta;
    if (live > peakBytes) [peakBytes, steps] = [live, 0];
    if (live === peakBytes) steps++;
  }
  return { peakBytes, steps };
}

/** The union of the live ranges of all tensors in one place: [first, end) of the buffer. */
function placeRanges(scene: Scene, sharing: Sharing): Iterable<{ root: number; first: number; end: number }> {
  const spans = new Map<number, { root: number; first: number; end: number }>();
  scene.lives.ranges.forEach((range, tensor) => {
    const root = sharing.root(tensor);
    if (range === undefined || scene.external.has(root)) return;
    const span = spans.get(root) ?? { root, ...range };
    spans.set(root, { root, first: Math.min(span.first, range.first), end: Math.max(span.end, range.end) });
  });
  return spans.values();
}

export function isCheaper(a: Cost, b: Cost): boolean {
  return a.peakBytes < b.peakBytes || (a.peakBytes === b.peakBytes && a.steps < b.steps);
}

/** Bytes of the buffer of a tensor that owns its place: with what must stay unused behind it. */
export function bufferBytes({ sizes, options }: Scene, root: number): number {
  return roundUp(sizes.get(root)!.bytes + (options.slack ?? 0), options.sizeRound);
}

/** The smallest multiple of `step` that is not below `bytes`. */
export function roundUp(bytes: number, step: number): number {
  const rest = bytes % step;
  return rest === 0 ? bytes : bytes + (step - rest);
}
