/** Steps, live ranges and the buffers that aliased tensors share. */
import type { Node } from '../graph/types.ts';
import type { BufferKind, How } from '../plan/types.ts';
import type { Buffer } from '../planner/types.ts';

export interface Step {
  /** Index on the one axis of steps. */
  readonly step: number;
  readonly node: Node;
  /** `if_1/then_branch`, or '' at the top. */
  readonly path: string;
  /** Arena tensors, by index in `Graph.tensors`; no weights, no constants. Without repeats. */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

export interface Schedule {
  readonly steps: readonly Step[];
}

/** Half-open range of steps. */
export interface LiveRange {
  readonly first: number;
  readonly end: number;
}

/** A tensor's place inside a buffer. */
export interface Member extends LiveRange {
  /** Index in `Graph.tensors`. */
  readonly tensor: number;
  /** Bytes from the start of the buffer. */
  readonly offset: number;
  readonly bytes: number;
  readonly how: How;
  /** The tensor it shares bytes with, or undefined. */
  readonly aliasOf: number | undefined;
}

/** The memory that one or more aliased tensors share, as a rigid group. */
export interface TensorBuffer extends Buffer {
  readonly kind: BufferKind;
  readonly members: readonly Member[];
}
