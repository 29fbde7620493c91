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

/** Nodes for the first question at the lower end, and at the others, for each buffer. */
const FIRST = { low: 100, other: 20 } as const;
/** Where between low and high the other questions are asked. */
const BETWEEN = [0.5, 0.25, 0.75, 0.125] as const;

/**
 * Narrows [low, high] (bytes): a plan found lowers `high`, an exhausted search raises `low`. The lower end is asked
 * first, since that is what most often succeeds. A search that gives up says nothing about the capacities below, so
 * when a round of questions brings nothing, all are asked again with twice the nodes.
 */
export function minimise(
  sizes: Sizes,
  decider: Decider,
  from: { readonly low: number; readonly high: number },
  effort: number,
): Range {
  const { scale, count } = sizes;
  // Every end of a buffer is a multiple of the scale, so a plan of at most `low` bytes ends at or below this one.
  let low = Math.floor(from.low / scale);
  let high = Math.floor(from.high / scale);
  let offsets: Float64Array | undefined;
  let nodes = 0;
  /** True when the answer narrowed the range. */
  const ask = (capacity: number, budget: number): boolean => {
    const decision = decider(capacity * scale, Math.min(budget, effort - nodes));
    nodes += decision.nodes;
    if (decision.verdict === 'refuted') low = capacity + 1;
    if (decision.offsets !== undefined) {
      offsets = decision.offsets;
      high = end(sizes, offsets) / scale;
    }
    return decision.verdict !== 'unknown';
  };
  for (let rounds = 1; low < high && nodes < effort; rounds *= 2) {
    const shares = [0, ...BETWEEN];
    for (let k = 0; k < shares.length && low < high && nodes < effort; ) {
      const capacity = low + Math.floor(shares[k]! * (high - low));
      const budget = (k === 0 ? FIRST.low : FIRST.other) * count * rounds;
      const repeated = k > 0 && capacity === low;
      if (!repeated && ask(capacity, budget)) k = 0;
      else k++;
    }
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
