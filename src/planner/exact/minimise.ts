/** Finds the smallest arena of one part: a decision at the lower end first, then bisection. */
import type { Decider } from './decide.ts';

/** The sizes of a part's buffers, in units of `scale` bytes. */
export interface Sizes {
  readonly count: number;
  readonly scale: number;
  readonly size: Float64Array;
}

export interface Range {
  /** No plan is smaller: proved. */
  readonly low: number;
  /** A plan of this size is known. */
  readonly high: number;
  /** The plan of size `high` in bytes, unless it is the one the search began with. */
  readonly offsets: Float64Array | undefined;
  readonly nodes: number;
}

/** Share of the effort that the first decision may take: it is the one that most often succeeds. */
const FIRST_SHARE = 0.5;
/** A step of the bisection may take this share of what is left. */
const STEP_SHARE = 0.25;

/**
 * Narrows [low, high] (bytes): a plan found lowers `high`, an exhausted search raises `low`. A capacity that stays
 * undecided is left below the bisection, and taken up again with what effort remains.
 */
export function minimise(
  sizes: Sizes,
  decider: Decider,
  from: { readonly low: number; readonly high: number },
  effort: number,
): Range {
  const { scale } = sizes;
  // Every end of a buffer is a multiple of the scale, so a plan of at most `low` bytes ends at or below this one.
  let low = Math.floor(from.low / scale);
  let high = Math.floor(from.high / scale);
  let offsets: Float64Array | undefined;
  let nodes = 0;
  let undecided = low - 1;
  const ask = (capacity: number, budget: number): void => {
    const decision = decider(capacity * scale, Math.max(1, Math.ceil(budget)));
    nodes += decision.nodes;
    if (decision.verdict === 'refuted') low = capacity + 1;
    if (decision.verdict === 'unknown') undecided = Math.max(undecided, capacity);
    if (decision.offsets !== undefined) {
      offsets = decision.offsets;
      high = end(sizes, offsets) / scale;
    }
  };
  if (low < high) ask(low, effort * FIRST_SHARE);
  while (low < high && nodes < effort) {
    const from = Math.max(low - 1, undecided);
    if (high - from > 1) ask(from + Math.floor((high - from) / 2), (effort - nodes) * STEP_SHARE);
    else ask(low, effort - nodes);
  }
  return {
    low: Math.min(low, high) * scale,
    high: offsets === undefined ? from.high : high * scale,
    offsets,
    nodes,
  };
}

function end(sizes: Sizes, offsets: Float64Array): number {
  let bytes = 0;
  for (let i = 0; i < sizes.count; i++) bytes = Math.max(bytes, offsets[i]! + sizes.size[i]! * sizes.scale);
  return bytes;
}
