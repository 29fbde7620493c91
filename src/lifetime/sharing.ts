/** Decides, for one order of preference, which outputs share bytes. */
import { mayJoin } from './joins.ts';
import { createPlaces } from './places.ts';
import { alignmentOf, isLocked, type Scene } from './scene.ts';
import { createTenants } from './tenants.ts';
import type { Candidate, Choice } from './types.ts';

/** Candidates to try for each choice, best first; none left means a place of its own. By index of the choice. */
export type Preference = readonly (readonly Candidate[])[];

/** A candidate that is not legal beside what was taken before it. */
export interface Refused {
  readonly candidate: Candidate;
  /** Another tensor in the bytes that it would write, which is read later; undefined: the place forbids it. */
  readonly blocker: number | undefined;
}

/** Tensors by index. */
export interface Sharing {
  /**
   * The candidate each tensor took. The tensor that owned the place of a part of a Concat has the candidate of that
   * part: all that shares bytes with the part went along.
   */
  readonly taken: ReadonlyMap<number, Candidate>;
  /** The tensor that owns the place, and how far into it a tensor starts. A tensor of its own: itself and 0. */
  readonly root: (tensor: number) => number;
  readonly offset: (tensor: number) => number;
  readonly refused: readonly Refused[];
}

/** The same without the candidates of some choices. */
export function without(preference: Preference, indexes: readonly number[]): Preference {
  const result = [...preference];
  for (const index of indexes) result[index] = [];
  return result;
}

/**
 * Takes the first legal candidate of each choice, in the order of the steps. That order makes every decision final:
 * an in-place write needs all other tensors in its bytes to be past their last read, and later views of those
 * bytes can only be views of what was written. When a Concat is reached, all that ever wrote to the place of a part
 * is known, and the place becomes a part of another.
 */
export function share(scene: Scene, choices: readonly Choice[], preference: Preference): Sharing {
  const { ranges } = scene.lives;
  const places = createPlaces(ranges.length);
  const tenants = createTenants({
    endOf: (tensor) => ranges[tensor]!.end,
    offsetOf: places.offset,
    bytesOf: (tensor) => scene.sizes[tensor]!.bytes,
  });
  const writtenAt = new Int32Array(ranges.length).fill(-1);
  const locked = new Set<number>();
  /** Of a place; 0: that of the tensor that owns it. */
  const alignments = new Float64Array(ranges.length);
  const taken = new Map<number, Candidate>();
  const refused: Refused[] = [];

  const alignment = (root: number): number =>
    alignments[root]! || alignmentOf(scene.sizes[root]!.fact, scene.options);
  const legal = (candidate: Candidate): boolean => {
    const blocker = blockerOf(candidate);
    const isLegal = blocker === undefined && placeAllows(candidate);
    if (!isLegal) refused.push({ candidate, blocker });
    return isLegal;
  };
  const blockerOf = ({ kind, source, step }: Candidate): number | undefined =>
    kind === 'in-place' ? tenants.blocker(places.root(source), source, step) : undefined;
  const placeAllows = (candidate: Candidate): boolean => {
    if (candidate.kind === 'concat') return mayMove(candidate);
    const root = places.root(candidate.source);
    return candidate.kind === 'in-place'
      ? !locked.has(root) && !isLocked(scene, root)
      : writtenAt[root] !== candidate.step && !carriedRound(scene, root, candidate.output);
  };
  /** The part fills a place of its own, which may become a part of another place that is free until now. */
  const mayMove = ({ step, output: part, source: whole, offset }: Candidate): boolean => {
    const root = places.root(part);
    const fills = places.offset(part) === 0 && scene.sizes[root]!.bytes === scene.sizes[part]!.bytes;
    return (
      fills &&
      root !== whole &&
      places.root(whole) === whole &&
      offset % alignment(root) === 0 &&
      mayJoin(scene, scene.schedule.steps[step]!, root)
    );
  };

  const take = (candidate: Candidate): void => {
    const { kind, step, output, source, offset } = candidate;
    // A part goes to the whole with all that shares its place, any other output to the place of its source.
    const mover = kind === 'concat' ? places.root(output) : output;
    const root = places.root(source);
    taken.set(mover, candidate);
    places.move(mover, source, offset);
    if (kind === 'in-place') writtenAt[root] = step;
    if (locked.has(mover) || (kind === 'concat' && isLocked(scene, mover))) locked.add(root);
    alignments[root] = Math.max(alignment(root), alignment(mover));
    tenants.add(root, step, kind === 'concat' ? tenants.live(mover, step) : [output]);
  };

  choices.forEach((_, index) => {
    const candidate = preference[index]!.find(legal);
    if (candidate !== undefined) take(candidate);
  });
  return { taken, refused, root: places.root, offset: places.offset };
}

/**
 * What a loop hands to its next turn must not lie in what that turn receives: values that swap places would
 * overwrite each other while they are copied.
 */
export function carriedRound({ loops }: Scene, root: number, output: number): boolean {
  return loops.get(root)?.outputs.includes(output) ?? false;
}
