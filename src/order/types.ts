/** What the search for an order knows: steps that wait for one another, and the values they pass on. No model. */

/** Bytes that are needed from the step that makes them to the last of their readers. */
export interface Value {
  readonly bytes: number;
  /** The step that makes it; -1: there from the start. */
  readonly producer: number;
  /** Steps that need it, each once. */
  readonly readers: readonly number[];
  /** Still needed after the last step. */
  readonly survives: boolean;
}

/** The step may put `bytes` of what it makes over these values, if none of them is needed after it. */
export interface Overwrite {
  readonly over: readonly number[];
  readonly bytes: number;
}

export interface OrderStep {
  /** Steps that must run before it, each once. Every producer of a value it reads is among them. */
  readonly after: readonly number[];
  /** Bytes needed during this step alone: scratch, the inside of a control-flow body. */
  readonly extraBytes: number;
  /** Ways to save bytes by writing in place; one of them is taken. */
  readonly overwrites: readonly Overwrite[];
}

/** Steps and values by index. The order of the steps given is executable: it is the one to compare with. */
export interface OrderProblem {
  readonly steps: readonly OrderStep[];
  readonly values: readonly Value[];
  /** Bytes needed at every moment. */
  readonly baseBytes: number;
  /** Bytes needed during the first step, whichever it is. */
  readonly startBytes: number;
}

export interface OrderOptions {
  /** Steps that the search may try, in all: the measure of effort. */
  readonly moves?: number | undefined;
  /** An order with at most this peak is good enough, in bytes. */
  readonly enough?: number | undefined;
  /** Only orders below this share of the given peak are looked for. */
  readonly worth?: number | undefined;
  /** Asked now and then: true ends the search with the best order so far. */
  readonly interrupted?: (() => boolean) | undefined;
}

export interface Ordering {
  /** The steps, as indexes, in the order to run them. */
  readonly order: readonly number[];
  /** The most bytes needed at one step of this order, and of the order given. */
  readonly peak: number;
  readonly givenPeak: number;
  /** No order has a smaller peak than this. */
  readonly lowerBound: number;
  /** There is no other executable order. */
  readonly only: boolean;
  /** Steps tried. */
  readonly moves: number;
}
