/** The open nodes of the exact search: for each what it has to place, what it chose, and how to take that back. */
import { undo } from './moves.ts';
import type { State } from './state.ts';

export interface Frame {
  /** It places what is unplaced in sections [first, last), which nothing unplaced leaves. */
  first: number;
  last: number;
  /** Heights of trail, placements and sets when it was opened. */
  trail: number;
  depth: number;
  sets: number;
  /** The buffer it placed, and the heights before that. */
  chosen: number;
  chosenTrail: number;
  chosenDepth: number;
  chosenSets: number;
  /** Section at which its next part begins; WHOLE: the rest is one part; NONE: no part is left. */
  next: number;
}

export const WHOLE = -1;
const NONE = -2;

/** Frames by level, made when a level is first reached and used again and again. */
export interface Frames {
  readonly at: (level: number) => Frame;
}

export function createFrames(): Frames {
  const frames: Frame[] = [];
  return {
    at: (level) => {
      while (frames.length <= level) frames.push({ ...EMPTY });
      return frames[level]!;
    },
  };
}

const EMPTY: Frame = {
  first: 0,
  last: 0,
  trail: 0,
  depth: 0,
  sets: 0,
  chosen: 0,
  chosenTrail: 0,
  chosenDepth: 0,
  chosenSets: 0,
  next: NONE,
};

/** Opens a frame for what is unplaced in sections [first, last). */
export function openFrame(state: State, frame: Frame, first: number, last: number): void {
  frame.first = first;
  frame.last = last;
  frame.trail = state.trailTop;
  frame.depth = state.depth;
  frame.sets = state.setTop;
}

/** Remembers the heights before a choice. */
export function markChoice(state: State, frame: Frame): void {
  frame.chosenTrail = state.trailTop;
  frame.chosenDepth = state.depth;
  frame.chosenSets = state.setTop;
}

export function undoChoice(state: State, frame: Frame): void {
  undo(state, frame.chosenTrail, frame.chosenDepth);
  state.setTop = frame.chosenSets;
}

/** Opens the frame above `level` with the next part of what is left there; false when nothing is left. */
export function openPart(state: State, frames: Frames, level: number): boolean {
  const frame = frames.at(level);
  while (frame.next !== NONE) {
    const [start, end] = takePart(state, frame);
    for (let s = start; s < end; s++) {
      if (state.total[s] === 0) continue;
      openFrame(state, frames.at(level + 1), start, end);
      return true;
    }
  }
  return false;
}

/** Sections [start, end) of the next part, up to a border that no unplaced buffer spans. */
function takePart(state: State, frame: Frame): readonly [start: number, end: number] {
  if (frame.next === WHOLE) {
    frame.next = NONE;
    return [frame.first, frame.last];
  }
  const start = frame.next;
  let end = start + 1;
  while (end < frame.last && state.crossing[end] !== 0) end++;
  frame.next = end < frame.last ? end : NONE;
  return [start, end];
}

/** Whether some border inside the sections of i is no longer spanned. */
export function isCut(state: State, i: number): boolean {
  for (let s = state.from[i]! + 1; s < state.to[i]!; s++) if (state.crossing[s] === 0) return true;
  return false;
}
