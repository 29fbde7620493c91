/** Steps, live ranges and the buffers that aliased tensors share. */
import type { Body, Node } from '../graph/types.ts';
import type { Layout } from '../kernels/types.ts';
import type { BufferKind, How } from '../plan/types.ts';
import type { Buffer } from '../planner/types.ts';

export interface Step {
  /** Index on the one axis of steps. */
  readonly step: number;
  readonly node: Node;
  /** `if_1/then_branch`, or '' at the top. */
  readonly path: string;
  /** The control-flow node in whose body it stands: an index in `Schedule.spans`. */
  readonly span: number | undefined;
  /**
   * Tensors in memory, by index in `Graph.tensors`; no weights, no constants. Without repeats. A control-flow
   * node also reads the outer values that its bodies hand out unchanged, and writes the inputs of its bodies.
   */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Working memory of its kernel, likewise: alive during this step alone. */
  readonly scratch: readonly number[];
}

/** The steps of one body: [first, end). */
export interface BodySteps {
  readonly body: Body;
  readonly first: number;
  readonly end: number;
}

/** The steps of a control-flow node: its own, then those of its bodies, up to `end`. */
export interface Span {
  readonly step: number;
  readonly end: number;
  /** The body runs again and again (Loop, Scan), unlike the branches of an If. */
  readonly repeats: boolean;
  readonly parent: number | undefined;
  readonly bodies: readonly BodySteps[];
}

export interface Schedule {
  readonly steps: readonly Step[];
  /** By their steps: outer before inner. */
  readonly spans: readonly Span[];
}

/** Half-open range of steps. */
export interface LiveRange {
  readonly first: number;
  readonly end: number;
}

/** A tensor's place inside a buffer. */
export interface Member extends LiveRange {
  /** Index of its model among those that share the chip; 0 as long as a model is looked at alone. */
  readonly model: number;
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
  /** Bytes that a run moves in it beside its members: of a weight that is brought for its steps. */
  readonly moves?: number;
}

/** Every tensor of the schedule: inside a buffer, or in memory that the caller owns. */
export interface Buffers {
  readonly buffers: readonly TensorBuffer[];
  readonly external: readonly Member[];
  readonly declined: readonly Declined[];
  readonly sharing: SharingProof;
}

/** Live bytes at the peak, alignment aside. With both equal no other choice of what shares bytes has a smaller peak. */
export interface SharingProof {
  readonly peakBytes: number;
  /** No choice has a smaller peak than this. */
  readonly leastBytes: number;
}

/** A candidate that its tensor did not take, nor any other. */
export interface Declined {
  readonly candidate: Candidate;
  /** It would be written over bytes that this tensor still needs; undefined: its place forbids it, or the peak. */
  readonly blocker: number | undefined;
  /** The live bytes at the peak if it were taken; undefined where it is not legal beside what else shares. */
  readonly peakBytes: number | undefined;
}

/** The buffers of all models on the one axis of steps. */
export interface JointBuffers {
  /** The first step of each model. */
  readonly starts: readonly number[];
  /** Steps of all models. */
  readonly steps: number;
  readonly buffers: readonly TensorBuffer[];
  readonly external: readonly Member[];
}

/**
 * `output` may lie in the bytes of `source`, `offset` bytes into it: as a view of it, written over it, as a part that
 * a Split need not copy out, or as a part that a Concat need not copy in. Of a Concat `output` is the part, which is
 * there before the step, and `source` the whole, which the step makes.
 */
export interface Candidate {
  readonly kind: 'view' | 'in-place' | 'split' | 'concat';
  readonly step: number;
  readonly output: number;
  readonly source: number;
  readonly offset: number;
}

/** The places that one output may take besides its own, best first; or the one place of a part in a Concat. */
export interface Choice {
  readonly output: number;
  readonly candidates: readonly Candidate[];
}

/** A tensor that keeps its value, by index; `from`: what a run makes of it, or undefined where that is itself. */
export interface State {
  readonly tensor: number;
  readonly from: number | undefined;
  /** Places one behind the other, each on lines of `line` bytes: one is filled while another is read. */
  readonly places?: number;
  readonly line?: number;
}

/** What the user and the target say about lifetimes and sharing. Tensors by index in `Graph.tensors`. */
export interface LifetimeOptions {
  /** Offset alignment in bytes. */
  readonly align: number;
  /** True: exactly `align`, even below an element's width. */
  readonly alignExactly: boolean;
  readonly sizeRound: number;
  readonly io: 'arena' | 'external';
  readonly asyncIo: boolean;
  readonly preserveInputs: boolean;
  readonly keep: ReadonlySet<number>;
  readonly views: boolean;
  readonly inPlace: boolean;
  readonly inPlaceInputs: boolean;
  /** Concat and Split need not copy parts that lie in place; default: they do. */
  readonly elide?: boolean;
  /** How tensors lie in memory; default nchw. */
  readonly layout?: Layout;
  /** Alignment in bytes that scratch needs besides `align`; default 1. */
  readonly scratchAlign?: number;
  /** Unused bytes behind every buffer: kernels may read past the end, or a firmware keeps guards there; default 0. */
  readonly slack?: number;
  /** Use permissions of kernels that no run has proved. */
  readonly trustUnproved?: boolean;
  /** Values that are kept from run to run; those that a run makes anew say of which tensor. */
  readonly states?: readonly State[];
}
