/** What the planner core knows: buffers in time and space. It never sees a model. */
/** A part of a buffer that is free for a time: bytes [from, to) during steps [first, end). */
export interface Gap {
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A partial overlap that is proved safe: this buffer's offset may lie anywhere at least `distance` bytes
 * above the offset of buffer `buffer` (an index), although both are live together.
 */
export interface Overlap {
  readonly buffer: number;
  readonly distance: number;
}

export interface Buffer {
  /** Any string, unique in the problem. */
  readonly id: string;
  /** Live range, half-open: alive during steps first <= s < end. */
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
  /** The offset is a multiple of this. A positive integer, not necessarily a power of two. */
  readonly alignment: number;
  /** Pinned at this offset. */
  readonly offset?: number | undefined;
  readonly gaps?: readonly Gap[] | undefined;
  readonly mayOverlap?: readonly Overlap[] | undefined;
}

export interface Problem {
  readonly buffers: readonly Buffer[];
}

export interface SolveOptions {
  /** With a capacity the first plan that fits ends the search. */
  readonly capacity?: number | undefined;
  /** Search steps (nodes), never seconds: the same effort gives the same answer on every machine. */
  readonly effort?: number | undefined;
  /**
   * Asked now and then during a search: true ends it with the best plan so far. Then, and only then, the plan depends
   * on when that was.
   */
  readonly interrupted?: (() => boolean) | undefined;
}

export interface Solution {
  /** By buffer index. */
  readonly offsets: readonly number[];
  /** max(offset + bytes); 0 without buffers. */
  readonly bytes: number;
  /** No plan can be smaller than this. */
  readonly lowerBound: number;
  /** bytes equal the lower bound. */
  readonly optimal: boolean;
  /** The strategy that found the offsets. */
  readonly strategy: string;
  /** What showed that no smaller plan exists, or null when nothing did. */
  readonly proof: 'bound' | 'exhausted' | null;
  /** Search nodes spent. */
  readonly nodes: number;
}
