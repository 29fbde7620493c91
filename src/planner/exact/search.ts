/** Depth-first search for a plan below a capacity, with lifting, backjumping and decomposition. */
import { type BranchRule, choose } from './branch.ts';
import type { Instance } from './instance.ts';
import { lift, place, undo } from './moves.ts';
import { createState, reserveTrail, reset, type State } from './state.ts';

export type Verdict = 'found' | 'refuted' | 'unknown';

export interface Attempt {
  /** In units of the instance's scale. */
  readonly capacity: number;
  readonly rule: BranchRule;
  /** Each buffer's turn among equals. */
  readonly rank: ArrayLike<number>;
  /** Nodes after which the attempt gives up with `unknown`. */
  readonly budget: number;
}

export interface Search {
  /** `refuted` is a proof: no plan below the capacity exists. */
  readonly run: (attempt: Attempt) => Verdict;
  /** Offsets after `found`, in units of the scale. */
  readonly offsets: Float64Array;
  /** Nodes of the last run. */
  readonly nodes: () => number;
}

/**
 * One buffer after another is tried at the lowest place left to it, below all its unplaced neighbours (`place`); when
 * that is refuted it must lie higher (`lift`), until a section overflows. The reasons kept for every minimum tell
 * which placements a failure rests on, so that decisions that have no part in it are skipped on the way back.
 * docs/planner.md has the argument why this is complete.
 */
export function createSearch(instance: Instance): Search {
  const state = createState(instance);
  /** Unplaced buffers of each open node, one list after another. */
  let lists = new Int32Array(8 * instance.count);
  let nodes = 0;
  let attempt: Attempt;
  let stopped = false;

  /** Places all buffers of lists[from..to), which live in sections [first, last). False: refuted, or stopped. */
  function node(from: number, to: number, first: number, last: number): boolean {
    const trailNode = state.trailTop;
    const depthNode = state.depth;
    const setNode = state.setTop;
    for (;;) {
      if (nodes >= attempt.budget) {
        stopped = true;
        break;
      }
      nodes++;
      const i = choose(state, attempt.rule, attempt.rank, first, last);
      const trailMark = state.trailTop;
      const depthMark = state.depth;
      const setMark = state.setTop;
      reserveTrail(state);
      if (place(state, i) && children(i, from, to, first, last)) return true;
      undo(state, trailMark, depthMark);
      state.setTop = setMark;
      if (stopped || !dropFromConflict(state, i) || !liftWithTwins(state, i)) break;
    }
    undo(state, trailNode, depthNode);
    state.setTop = setNode;
    return false;
  }

  /** After i is placed: the rest as one node, or as one node for each part that no unplaced buffer connects. */
  function children(i: number, from: number, to: number, first: number, last: number): boolean {
    if (to - from === 1) return true;
    if (lists.length < 2 * to - from) {
      const grown = new Int32Array(2 * (2 * to - from));
      grown.set(lists);
      lists = grown;
    }
    if (!isCut(state, i)) return part(i, from, to, first, last, first, last);
    let start = first;
    for (let s = first + 1; s <= last; s++) {
      if (s < last && state.crossing[s] !== 0) continue;
      if (!part(i, from, to, start, s, first, last)) return false;
      start = s;
    }
    return true;
  }

  /** The node of the buffers within sections [start, end); true when there are none. */
  function part(
    i: number,
    from: number,
    to: number,
    start: number,
    end: number,
    first: number,
    last: number,
  ): boolean {
    const whole = start === first && end === last;
    let next = to;
    for (let p = from; p < to; p++) {
      const m = lists[p]!;
      if (m !== i && (whole || (state.from[m]! >= start && state.from[m]! < end))) lists[next++] = m;
    }
    return next === to || node(to, next, start, end);
  }

  return {
    run: (next) => {
      attempt = next;
      nodes = 0;
      stopped = false;
      if (!reset(state, attempt.capacity)) return 'refuted';
      for (let i = 0; i < instance.count; i++) lists[i] = i;
      if (node(0, instance.count, 0, instance.sections)) return 'found';
      return stopped ? 'unknown' : 'refuted';
    },
    offsets: state.offset,
    nodes: () => nodes,
  };
}

/** Lifts i; what refuted it refutes every twin at the same place, since the two could trade names. */
function liftWithTwins(state: State, i: number): boolean {
  const { twin } = state.instance;
  const at = state.minimum[i]!;
  reserveTrail(state);
  if (!lift(state, i)) return false;
  for (let j = twin[i]!; j >= 0 && j !== i; j = twin[j]!) {
    if (state.placed[j] !== 0 || state.minimum[j] !== at) continue;
    reserveTrail(state);
    if (!lift(state, j)) return false;
  }
  return true;
}

/** Takes i out of the conflict set; false when it was not in it, so that no other place of i can help. */
function dropFromConflict(state: State, i: number): boolean {
  const bit = 1 << (i & 31);
  if ((state.conflict[i >> 5]! & bit) === 0) return false;
  state.conflict[i >> 5]! &= ~bit;
  return true;
}

/** Whether some border inside the sections of i is no longer spanned. */
function isCut(state: State, i: number): boolean {
  for (let s = state.from[i]! + 1; s < state.to[i]!; s++) if (state.crossing[s] === 0) return true;
  return false;
}
