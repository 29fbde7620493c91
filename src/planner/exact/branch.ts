/** Which buffer the exact search tries next: the rules among which its restarts take turns. */
import type { State } from './state.ts';

/** A section is weighed by its floor and its slack (the room above floor and unplaced weight); the least is next. */
export interface BranchRule {
  readonly floor: number;
  readonly slack: number;
  /** Rank every member that may still be the lowest of the section, instead of only those with the lowest minimum. */
  readonly anyLowest: boolean;
}

/**
 * Picks an unplaced buffer of the most pressing section among sections [sectionFrom, sectionTo) and goes down from it
 * to one below which no unplaced neighbour fits, which is what `lift` needs. Ties: the lower section, the lower rank.
 */
export function choose(
  state: State,
  rule: BranchRule,
  rank: ArrayLike<number>,
  sectionFrom: number,
  sectionTo: number,
): number {
  const { floor, total, capacity } = state;
  let section = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let s = sectionFrom; s < sectionTo; s++) {
    if (total[s] === 0) continue;
    const pressing = rule.floor * floor[s]! + rule.slack * (capacity - floor[s]! - total[s]!);
    if (pressing >= least) continue;
    least = pressing;
    section = s;
  }
  return undominated(state, lowestMember(state, rule, rank, section));
}

function lowestMember(state: State, rule: BranchRule, rank: ArrayLike<number>, section: number): number {
  const { instance, minimum, placed, total, floor, capacity } = state;
  const { memberStart, members } = instance;
  const latest = rule.anyLowest ? capacity - total[section]! : floor[section]!;
  let best = -1;
  for (let q = memberStart[section]!; q < memberStart[section + 1]!; q++) {
    const m = members[q]!;
    if (placed[m] !== 0 || minimum[m]! > latest) continue;
    if (best < 0 || rank[m]! < rank[best]!) best = m;
  }
  return best;
}

function undominated(state: State, start: number): number {
  const { instance, minimum, placed } = state;
  const { nearStart, near, below } = instance;
  let at = start;
  for (let k = nearStart[at]!; k < nearStart[at + 1]!; k++) {
    const j = near[k]!;
    if (placed[j] !== 0 || minimum[j]! + below[k]! > minimum[at]!) continue;
    at = j;
    k = nearStart[at]! - 1;
  }
  return at;
}
