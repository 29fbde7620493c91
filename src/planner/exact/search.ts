/** Depth-first search for a plan below a capacity, with lifting, backjumping and decomposition. */

import { neverStopped, type Stopper } from '../stopper.ts';
import { type BranchRule, choose } from './branch.ts';
import { createFrames, isCut, markChoice, openFrame, openPart, undoChoice, WHOLE } from './frames.ts';
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
  /** Nodes after which the attempt gives up with `unknown`, as it does when it is stopped. */
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
 * When a placement cuts the rest into parts that share no section, each part is searched alone, and the failure of one
 * is the failure of the placement. docs/planner.md has the argument why this is complete.
 */
export function createSearch(instance: Instance, stopped: Stopper = neverStopped): Search {
  const state = createState(instance);
  const frames = createFrames();
  let nodes = 0;
  let attempt: Attempt;

  /** The verdict for the whole; a loop over frames, because thousands of nested calls overflow the stack. */
  function search(): Verdict {
    let level = 0;
    for (;;) {
      if (nodes >= attempt.budget || stopped()) return 'unknown';
      nodes++;
      const frame = frames.at(level);
      markChoice(state, frame);
      frame.chosen = choose(state, attempt.rule, attempt.rank, frame.first, frame.last);
      reserveTrail(state);
      if (place(state, frame.chosen)) {
        frame.next = isCut(state, frame.chosen) ? frame.first : WHOLE;
        level = forward(level);
        if (level < 0) return 'found';
      } else {
        level = back(level);
        if (level < 0) return 'refuted';
      }
    }
  }

  /** The frame to go on with after a placement: a part below it, or of one above that has parts left; -1: none. */
  function forward(from: number): number {
    for (let level = from; level >= 0; level--) if (openPart(state, frames, level)) return level + 1;
    return -1;
  }

  /** The frame whose choice can be made differently after a failure; -1: none. */
  function back(from: number): number {
    for (let level = from; level >= 0; level--) {
      const frame = frames.at(level);
      undoChoice(state, frame);
      if (dropFromConflict(state, frame.chosen) && liftWithTwins(state, frame.chosen)) return level;
      undo(state, frame.trail, frame.depth);
      state.setTop = frame.sets;
    }
    return -1;
  }

  return {
    run: (next) => {
      attempt = next;
      nodes = 0;
      if (!reset(state, attempt.capacity)) return 'refuted';
      openFrame(state, frames.at(0), 0, instance.sections);
      return search();
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
