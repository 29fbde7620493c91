/** The mutable state of the exact search: what is placed, what is left, and a trail that undoes every change. */
import type { Instance } from './instance.ts';

/**
 * Plain typed arrays, allocated once per instance and changed in place: the search visits tens of thousands of nodes
 * a second and must not allocate. All lengths are in units of the instance's scale.
 */
export interface State {
  readonly instance: Instance;
  capacity: number;
  /** Lowest offset of each unplaced buffer that is not excluded yet. */
  readonly minimum: Float64Array;
  /** Offset of each placed buffer. */
  readonly offset: Float64Array;
  readonly placed: Uint8Array;
  /** Why the minimum is what it is: a placed buffer, count + a set of `sets`, or NO_REASON. */
  readonly why: Int32Array;
  /** Lowest minimum of the unplaced members of each section (the capacity when none is left). */
  readonly floor: Float64Array;
  /** Weight of the unplaced members of each section. */
  readonly total: Float64Array;
  /** Unplaced buffers that span the border between section s - 1 and s. */
  readonly crossing: Int32Array;
  /** First and one past the last section of each buffer. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Placed buffers in order. */
  readonly order: Int32Array;
  depth: number;
  /** Sections whose floor must be looked at again; stamped so that each is listed once. */
  readonly dirty: Int32Array;
  readonly stamp: Int32Array;
  stamps: number;
  /** Old values: keys below count are minimums (with their reasons), above are floors of sections. */
  trailKey: Int32Array;
  trailWhy: Int32Array;
  trailOld: Float64Array;
  trailTop: number;
  /** Sets of buffers as bit rows of `words` 32-bit words. */
  readonly words: number;
  readonly placedSet: Int32Array;
  /** The neighbours of each buffer, one row each. */
  readonly nearSet: Int32Array;
  /** The placements that a failure rests on; valid after place or lift returned false. */
  readonly conflict: Int32Array;
  /** Sets that explain lifted minimums, as a stack. */
  sets: Int32Array;
  setTop: number;
}

export const NO_REASON = -1;
const FIRST_TRAIL = 1 << 14;
const FIRST_SETS = 256;

export function createState(instance: Instance): State {
  const { count, sections, spanStart, spanned, nearStart, near } = instance;
  const words = (count + 31) >> 5;
  const nearSet = new Int32Array(count * words);
  for (let i = 0; i < count; i++) {
    for (let k = nearStart[i]!; k < nearStart[i + 1]!; k++) {
      nearSet[i * words + (near[k]! >> 5)]! |= 1 << (near[k]! & 31);
    }
  }
  return {
    instance,
    capacity: 0,
    minimum: new Float64Array(count),
    offset: new Float64Array(count),
    placed: new Uint8Array(count),
    why: new Int32Array(count),
    floor: new Float64Array(sections),
    total: new Float64Array(sections),
    crossing: new Int32Array(sections + 1),
    from: Int32Array.from({ length: count }, (_, i) => spanned[spanStart[i]!]!),
    to: Int32Array.from({ length: count }, (_, i) => spanned[spanStart[i + 1]! - 1]! + 1),
    order: new Int32Array(count),
    depth: 0,
    dirty: new Int32Array(sections),
    stamp: new Int32Array(sections),
    stamps: 0,
    trailKey: new Int32Array(FIRST_TRAIL),
    trailWhy: new Int32Array(FIRST_TRAIL),
    trailOld: new Float64Array(FIRST_TRAIL),
    trailTop: 0,
    words,
    placedSet: new Int32Array(words),
    nearSet,
    conflict: new Int32Array(words),
    sets: new Int32Array(FIRST_SETS * words),
    setTop: 0,
  };
}

/** Empties the state for a new run. False when some buffer or section is beyond the capacity from the start. */
export function reset(state: State, capacity: number): boolean {
  const { instance, minimum, total, crossing, floor } = state;
  const { count, sections, size, weight, spanStart, spanned, pin } = instance;
  state.capacity = capacity;
  state.depth = state.trailTop = state.setTop = 0;
  state.placed.fill(0);
  state.placedSet.fill(0);
  state.why.fill(NO_REASON);
  total.fill(0);
  crossing.fill(0);
  floor.fill(capacity);
  for (let i = 0; i < count; i++) {
    minimum[i] = pin[i]! >= 0 ? pin[i]! : legal(state, i, 0);
    if (minimum[i]! + size[i]! > capacity) return false;
    for (let q = spanStart[i]!; q < spanStart[i + 1]!; q++) {
      const s = spanned[q]!;
      total[s]! += weight[i]!;
      floor[s] = Math.min(floor[s]!, minimum[i]!);
    }
    for (let s = state.from[i]! + 1; s < state.to[i]!; s++) crossing[s]!++;
  }
  for (let s = 0; s < sections; s++) if (floor[s]! + total[s]! > capacity) return false;
  return true;
}

/** The lowest offset from `value` on that keeps the alignment and stays clear of pinned neighbours. */
export function legal(state: State, i: number, value: number): number {
  const { instance } = state;
  const step = instance.alignment[i]!;
  let at = value;
  if (step > 1 && at % step !== 0) at += step - (at % step);
  if (!instance.anyPinned) return at;
  const { nearStart, near, above, below, pin } = instance;
  for (let moved = true; moved; ) {
    moved = false;
    for (let k = nearStart[i]!; k < nearStart[i + 1]!; k++) {
      const p = pin[near[k]!]!;
      if (p < 0 || at + above[k]! <= p || at >= p + below[k]!) continue;
      at = p + below[k]!;
      if (at % step !== 0) at += step - (at % step);
      moved = true;
    }
  }
  return at;
}

/** Makes room on the trail for one more move. */
export function reserveTrail(state: State): void {
  const { count, sections } = state.instance;
  const need = state.trailTop + 2 * (count + sections);
  if (need <= state.trailKey.length) return;
  const grow = <T extends Int32Array | Float64Array>(old: T, made: T): T => {
    made.set(old);
    return made;
  };
  const length = 2 * need;
  state.trailKey = grow(state.trailKey, new Int32Array(length));
  state.trailWhy = grow(state.trailWhy, new Int32Array(length));
  state.trailOld = grow(state.trailOld, new Float64Array(length));
}

/** Keeps a copy of the conflict set and returns its reason code. */
export function keepConflict(state: State): number {
  const { words, conflict } = state;
  if ((state.setTop + 1) * words > state.sets.length) {
    const grown = new Int32Array(2 * state.sets.length);
    grown.set(state.sets);
    state.sets = grown;
  }
  state.sets.set(conflict, state.setTop * words);
  return state.instance.count + state.setTop++;
}

/** Adds a reason to the conflict set. */
export function addReason(state: State, reason: number): void {
  if (reason === NO_REASON) return;
  const { conflict, instance, words, sets } = state;
  if (reason < instance.count) {
    conflict[reason >> 5]! |= 1 << (reason & 31);
    return;
  }
  const row = (reason - instance.count) * words;
  for (let w = 0; w < words; w++) conflict[w]! |= sets[row + w]!;
}
