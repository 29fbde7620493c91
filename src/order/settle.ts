/** Takes the steps that cannot be wrong, so that the search need not branch over them. */
import type { Walk } from './walk.ts';

/** Steps looked at together. */
const MOST_STEPS = 12;
/** Sets of steps that may be compared to show that a group is safe. */
const MOST_SETS = 128;

/**
 * Takes groups of steps that are safe within a budget, and appends them to `path`. Stops early when the walk has made
 * so many moves.
 */
export type Settle = (budget: number, path: number[], moves: number) => void;

/**
 * A group is safe if some order with a peak within the budget goes on with it, provided there is such an order at all.
 *
 * Why that can be known: the bytes needed between two steps are a submodular function of the set of steps that have
 * run, for a value adds its bytes when its producer has run and takes them off when all its readers have. Let a group
 * G end with no more bytes than each executable part of it. In an order that goes on otherwise, move G to the front:
 * after any set E of the steps in between, live(E + G) <= live(E) + live(G) - live(E's part of G) <= live(E). So no
 * step has more around it than before; and as more readers have run, it finds the same values dying, or more, and may
 * write in place where it did. Seen from the end of the order the same holds: where a value no longer dies in a step
 * that wrote over it, the bytes that the step would save are among those it does not release.
 */
export function createSettle(walk: Walk): Settle {
  const { near } = walk;
  /** Steps near the group, each once: those marked with the number of the group. */
  const marks = new Int32Array(walk.prepared.count);
  const around = new Int32Array(walk.prepared.count);
  let mark = 0;

  const settle = (budget: number, path: number[], moves: number): void => {
    for (let found = true; found; ) {
      found = false;
      for (let step = walk.nextReady(0); step >= 0; step = walk.nextReady(step + 1)) {
        if (walk.moves() > moves) return;
        if (walk.during(step) <= budget && takeValley(step, budget, path)) found = true;
      }
    }
  };

  /** Takes the step and what belongs to it down to a safe moment with no more bytes than now; else takes nothing. */
  const takeValley = (first: number, budget: number, path: number[]): boolean => {
    const before = walk.live();
    const group: number[] = [];
    let count = 0;
    mark++;
    for (let step = first; step >= 0; step = bestOf(count, budget)) {
      walk.take(step);
      group.push(step);
      if (walk.live() <= before && isLowest(walk, group)) {
        path.push(...group);
        return true;
      }
      if (group.length === MOST_STEPS) break;
      for (let k = near.start[step]!; k < near.start[step + 1]!; k++) {
        const other = near.items[k]!;
        if (marks[other] === mark) continue;
        marks[other] = mark;
        around[count++] = other;
      }
    }
    for (const step of group.reverse()) walk.drop(step);
    return false;
  };

  /** Of the first `count` steps around, the ready one that leaves the fewest bytes; -1: none is within the budget. */
  const bestOf = (count: number, budget: number): number => {
    let best = -1;
    let least = 0;
    for (let k = 0; k < count; k++) {
      const step = around[k]!;
      if (!walk.isReady(step)) continue;
      const change = walk.change(step);
      if (best >= 0 && (change > least || (change === least && step > best))) continue;
      if (walk.during(step) <= budget) [best, least] = [step, change];
    }
    return best;
  };

  return settle;
}

/** True when no executable part of the group that has just been taken would leave fewer bytes than the whole of it. */
function isLowest(walk: Walk, group: readonly number[]): boolean {
  const target = walk.live();
  let sets = MOST_SETS;
  /** Drops steps of the group from the `from`th downwards, latest first: each part of the group is met once. */
  const lowest = (from: number): boolean => {
    for (let k = from; k >= 0; k--) {
      const step = group[k]!;
      if (walk.isNeeded(step)) continue;
      walk.drop(step);
      const fine = walk.live() >= target && sets-- > 0 && lowest(k - 1);
      walk.take(step);
      if (!fine) return false;
    }
    return true;
  };
  return lowest(group.length - 1);
}
