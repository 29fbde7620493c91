/** The two moves of the exact search, place and lift, with their consequences, and how they are taken back. */
import { addReason, keepConflict, legal, type State } from './state.ts';

/**
 * Places buffer i at its minimum, below all its unplaced neighbours, and raises their minimums.
 * False: a section overflows; `conflict` then names the placements that this rests on.
 */
export function place(state: State, i: number): boolean {
  const { instance, minimum, placed, total, floor, crossing, stamp, dirty, conflict } = state;
  const { nearStart, near, above, size, pin, spanStart, spanned, weight, anyAligned, anyPinned } = instance;
  const at = minimum[i]!;
  placed[i] = 1;
  state.placedSet[i >> 5]! |= 1 << (i & 31);
  state.offset[i] = at;
  state.order[state.depth++] = i;
  const stamps = ++state.stamps;
  let dirtyCount = 0;
  for (let q = spanStart[i]!; q < spanStart[i + 1]!; q++) {
    const s = spanned[q]!;
    total[s]! -= weight[i]!;
    if (floor[s] !== at) continue;
    stamp[s] = stamps;
    dirty[dirtyCount++] = s;
  }
  for (let s = state.from[i]! + 1; s < state.to[i]!; s++) crossing[s]!--;
  for (let k = nearStart[i]!; k < nearStart[i + 1]!; k++) {
    const j = near[k]!;
    if (placed[j] !== 0) continue;
    let least = at + above[k]!;
    if (least <= minimum[j]!) continue;
    if (anyAligned || anyPinned) least = legal(state, j, least);
    if (least + size[j]! > state.capacity || (pin[j]! >= 0 && least > pin[j]!)) {
      conflict.fill(0);
      addReason(state, i);
      return false;
    }
    if (pin[j]! < 0) dirtyCount = raise(state, j, least, i, dirtyCount);
  }
  return refloor(state, dirtyCount);
}

/**
 * After i was refuted at its minimum x: in any other plan in which nothing can be moved down, some unplaced neighbour
 * stands in the way at x, and i lies above it. So the minimum of i becomes the lowest top of the neighbours that can
 * still reach into that place. On entry `conflict` holds what the refutation rests on, without i; added are the placed
 * neighbours (they do not stand in the way), the reason why i is not below x, and why the unplaced neighbours are not
 * below their minimums.
 * False: nothing can stand in the way, or there is no room above it, or a section overflows.
 */
export function lift(state: State, i: number): boolean {
  const { instance, minimum, placed, conflict, placedSet, nearSet, words } = state;
  const { nearStart, near, above, below, size, pin } = instance;
  const at = minimum[i]!;
  for (let w = 0; w < words; w++) conflict[w]! |= placedSet[w]! & nearSet[i * words + w]!;
  addReason(state, state.why[i]!);
  let least = Number.POSITIVE_INFINITY;
  for (let k = nearStart[i]!; k < nearStart[i + 1]!; k++) {
    const j = near[k]!;
    if (placed[j] !== 0) continue;
    addReason(state, state.why[j]!);
    if (minimum[j]! < at + above[k]!) least = Math.min(least, minimum[j]! + below[k]!);
  }
  // A pinned buffer cannot go elsewhere, and when it is branched on nothing unplaced fits below it.
  if (pin[i]! >= 0 || least + size[i]! > state.capacity) return false;
  least = legal(state, i, least);
  if (least + size[i]! > state.capacity) return false;
  state.stamps++;
  return refloor(state, raise(state, i, least, keepConflict(state), 0));
}

/** Sets a new minimum and lists the sections whose floor may rise. */
function raise(state: State, j: number, least: number, reason: number, dirtyCount: number): number {
  const { instance, minimum, why, floor, stamp, stamps, dirty } = state;
  const { spanStart, spanned } = instance;
  const old = minimum[j]!;
  const top = state.trailTop++;
  state.trailKey[top] = j;
  state.trailWhy[top] = why[j]!;
  state.trailOld[top] = old;
  minimum[j] = least;
  why[j] = reason;
  let listed = dirtyCount;
  for (let q = spanStart[j]!; q < spanStart[j + 1]!; q++) {
    const s = spanned[q]!;
    if (floor[s] !== old || stamp[s] === stamps) continue;
    stamp[s] = stamps;
    dirty[listed++] = s;
  }
  return listed;
}

/** Recomputes the floors of the listed sections. False when one cannot hold its unplaced members any more. */
function refloor(state: State, dirtyCount: number): boolean {
  const { instance, minimum, placed, floor, total, dirty, capacity } = state;
  const { memberStart, members, count } = instance;
  for (let d = 0; d < dirtyCount; d++) {
    const s = dirty[d]!;
    let lowest = capacity;
    for (let q = memberStart[s]!; q < memberStart[s + 1]!; q++) {
      const m = members[q]!;
      if (placed[m] === 0 && minimum[m]! < lowest) lowest = minimum[m]!;
    }
    if (lowest !== floor[s]) {
      const top = state.trailTop++;
      state.trailKey[top] = count + s;
      state.trailOld[top] = floor[s]!;
      floor[s] = lowest;
    }
    if (lowest + total[s]! > capacity) {
      blameSection(state, s);
      return false;
    }
  }
  return true;
}

/** A section overflows because of what raised the minimums of its unplaced members, and of nothing else. */
function blameSection(state: State, s: number): void {
  const { instance, placed, why, conflict } = state;
  const { memberStart, members } = instance;
  conflict.fill(0);
  for (let q = memberStart[s]!; q < memberStart[s + 1]!; q++) {
    if (placed[members[q]!] === 0) addReason(state, why[members[q]!]!);
  }
}

/** Takes back every change since the trail had `trailMark` entries and `depthMark` buffers were placed. */
export function undo(state: State, trailMark: number, depthMark: number): void {
  const { instance, minimum, why, floor, placed, placedSet, total, crossing } = state;
  const { count, spanStart, spanned, weight } = instance;
  while (state.trailTop > trailMark) {
    const top = --state.trailTop;
    const key = state.trailKey[top]!;
    if (key < count) {
      minimum[key] = state.trailOld[top]!;
      why[key] = state.trailWhy[top]!;
    } else {
      floor[key - count] = state.trailOld[top]!;
    }
  }
  while (state.depth > depthMark) {
    const i = state.order[--state.depth]!;
    placed[i] = 0;
    placedSet[i >> 5]! &= ~(1 << (i & 31));
    for (let q = spanStart[i]!; q < spanStart[i + 1]!; q++) total[spanned[q]!]! += weight[i]!;
    for (let s = state.from[i]! + 1; s < state.to[i]!; s++) crossing[s]!++;
  }
}
