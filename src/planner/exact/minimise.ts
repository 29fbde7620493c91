/** Finds the smallest arena of one part: a decision at the lower end first, then bisection. */
import type { Stopper } from '../stopper.ts';
import type { Decider, Decision } from './decide.ts';

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

/** Nodes for each buffer in the first round: for the lower end, for each capacity between, and for the known plan. */
const FIRST = { low: 60, between: 10, improve: 300 } as const;
/** Where between low and high the questions are asked; after a refutation from the middle on, which is bisection. */
const QUESTIONS = [0, 0.5, 0.25, 0.75, 0.125] as const;

/**
 * Narrows [low, high] (bytes): a plan found lowers `high`, an exhausted search raises `low`. The lower end is asked
 * first, since that is what most often succeeds. A search that gives up says nothing about the capacities below, so
 * when a round brings nothing, all is asked again with twice the nodes.
 */
export function minimise(
  sizes: Sizes,
  decider: Decider,
  from: { readonly low: number; readonly high: number },
  effort: number,
  stopped: Stopper,
): Range {
  const { scale, count } = sizes;
  // Every end of a buffer is a multiple of the scale, so a plan of at most `low` bytes ends at or below this one.
  let low = Math.floor(from.low / scale);
  let high = Math.floor(from.high / scale);
  let offsets: Float64Array | undefined;
  let nodes = 0;
  /** Takes an answer in; true when it found a plan. */
  const found = (decision: Decision): boolean => {
    nodes += decision.nodes;
    if (decision.offsets === undefined) return false;
    offsets = decision.offsets;
    high = end(sizes, offsets) / scale;
    return true;
  };
  const open = (): boolean => low < high && nodes < effort && !stopped();
  for (let round = count; open(); round *= 2) {
    const asked = new Set<number>();
    for (let k = 0; k < QUESTIONS.length && open(); ) {
      const capacity = low + Math.floor(QUESTIONS[k]! * (high - low));
      k++;
      if (asked.has(capacity)) continue;
      asked.add(capacity);
      const budget = (capacity === low ? FIRST.low : FIRST.between) * round;
      const decision = decider.decide(capacity * scale, Math.min(budget, effort - nodes));
      if (found(decision)) k = 0;
      if (decision.verdict !== 'refuted') continue;
      low = capacity + 1;
      k = 1;
    }
    for (let left = FIRST.improve * round; left > 0 && offsets !== undefined && open(); ) {
      const before = nodes;
      if (decider.improve === undefined) break;
      found(decider.improve(offsets, low * scale, Math.min(left, effort - nodes)));
      left -= nodes - before;
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
