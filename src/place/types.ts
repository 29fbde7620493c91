/** Placement over several memories: which buffer lies in which, and where in it. */
import type { SolveWith } from '../planner/solve.ts';
import type { Buffer, Solution } from '../planner/types.ts';

/** A memory that may hold buffers. */
export interface Memory {
  readonly name: string;
  /** Bytes that buffers may take; Infinity: its size is not known. */
  readonly room: number;
  /** 0 is the fastest. Equal ranks are equally fast. */
  readonly rank: number;
  /** It lies behind a data cache. */
  readonly cached?: boolean;
}

/** Bytes and alignment of a buffer. */
export interface Size {
  readonly bytes: number;
  readonly alignment: number;
}

export interface PlaceableBuffer extends Buffer {
  /** Bytes read and written over a run. */
  readonly traffic: number;
  /** Memories that rules allow, by index; undefined: all. */
  readonly allowed?: readonly number[] | undefined;
  /** In a cached memory: whole lines of the cache. */
  readonly whenCached?: Size | undefined;
}

/** The first memory is home: of memories that are equally fast the earlier one is taken. */
export interface PlaceProblem {
  readonly buffers: readonly PlaceableBuffer[];
  readonly memories: readonly Memory[];
}

export interface PlaceOptions extends Pick<SolveWith, 'strategy' | 'effort' | 'observe'> {
  /** Asked now and then: true ends the search with the best placement so far, if there is one. */
  readonly interrupted?: (() => boolean) | undefined;
}

/** The buffers of one memory, and their offsets in it. */
export interface Part {
  /** Index of the memory. */
  readonly memory: number;
  /** Buffers by index, ascending; the solution's offsets are in the same order. */
  readonly buffers: readonly number[];
  readonly solution: Solution;
}

/** Memories without buffers have no part. */
export interface Placement {
  /** By buffer. */
  readonly memory: readonly number[];
  readonly parts: readonly Part[];
  readonly cost: number;
  /** No other placement costs less. */
  readonly proved: boolean;
}

/**
 * What a placement costs: the traffic of each buffer, counted once more for every rank that its memory is slower than
 * the fastest. Ranks are an order, not measured speeds; so is the cost.
 */
export function costIn(buffer: PlaceableBuffer, memory: Memory): number {
  return buffer.traffic * (1 + memory.rank);
}

/** What the buffer takes in the memory. */
export function sizeIn(buffer: PlaceableBuffer, { cached = false }: Memory): Size {
  const { bytes, alignment } = (cached ? buffer.whenCached : undefined) ?? buffer;
  return { bytes, alignment };
}

/** The memory is allowed by the rules. */
export function isAllowed({ allowed }: PlaceableBuffer, memory: number): boolean {
  return allowed === undefined || allowed.includes(memory);
}
