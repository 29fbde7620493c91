/** Exact search: the smallest plan with a proof, part by part in time. */
import { createDecider, type Decider } from '../exact/decide.ts';
import { createDisjunctive } from '../exact/disjunctive.ts';
import { buildInstance, timeParts } from '../exact/instance.ts';
import { minimise, type Sizes } from '../exact/minimise.ts';
import { firstFit } from '../first-fit.ts';
import { durations, orderBy } from '../orders.ts';
import type { Prepared } from '../prepare.ts';
import { createStopper, type Stopper } from '../stopper.ts';
import type { Placement, Strategy } from '../strategy.ts';
import type { SolveOptions } from '../types.ts';

/** Search nodes when nothing else is asked for. A node takes some ten microseconds, more on large problems. */
export const DEFAULT_EFFORT = 200_000;
/** Beyond these the tables of the search would not fit; the other strategies remain. */
const MAX_BUFFERS = 10_000;
const MAX_PAIRS = 2_000_000;
/** The disjunctive search goes through all pairs at every node. */
const MAX_DISJUNCTIVE_BUFFERS = 200;

export const exact: Strategy = {
  name: 'exact',
  about: 'Depth-first search that proves its answer: first for a plan at the lower bound, then by bisection.',
  cost: 'exponential at worst; limited by --effort',
  source:
    'after Moffitt, MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning, 2023',
  // Every node looks at a buffer's neighbours and sections.
  work: (prepared) => prepared.pairs + prepared.count ** 2,
  place: (prepared, options, incumbent) => {
    if (prepared.count > MAX_BUFFERS || prepared.pairs > MAX_PAIRS) {
      return {
        refused: `${prepared.count} buffers with ${prepared.pairs} overlapping pairs are beyond its tables`,
      };
    }
    const start =
      incumbent ?? firstFit(prepared, orderBy(prepared.count, prepared.bytes, durations(prepared)));
    return searchParts(prepared, options, Float64Array.from(start));
  },
};

/** Nodes for each buffer in the short search, most problems need one or two; and some more, which take no time. */
const SHORT_EFFORT = 25;
const SHORT_LEAST = 5000;

/** The same, stopped early: what it does not find soon, a greedy order may have in no time. */
export const shortExact: Strategy = {
  ...exact,
  place: (prepared, options, incumbent) => {
    const effort = Math.min(options.effort ?? DEFAULT_EFFORT, SHORT_LEAST + SHORT_EFFORT * prepared.count);
    return exact.place(prepared, { ...options, effort }, incumbent);
  },
};

/** Parts that nothing connects in time are searched one by one; each needs to get no lower than the highest bound. */
function searchParts(prepared: Prepared, options: SolveOptions, offsets: Float64Array): Placement {
  const effort = options.effort ?? DEFAULT_EFFORT;
  const capacity = options.capacity ?? 0;
  const stopped = createStopper(options);
  let aim = Math.max(prepared.bound.bytes, capacity);
  let provedBound = prepared.bound.bytes;
  let nodes = 0;
  for (const ids of timeParts(prepared)) {
    const high = ids.reduce((most, id) => Math.max(most, offsets[id]! + prepared.bytes[id]!), 0);
    if (high <= aim || nodes >= effort) continue;
    const search = chooseSearch(prepared, ids, stopped);
    if (search === undefined) continue;
    const range = minimise(search.sizes, search.decider, { low: aim, high }, effort - nodes, stopped);
    nodes += range.nodes;
    range.offsets?.forEach((offset, i) => {
      offsets[ids[i]!] = offset;
    });
    if (range.low > aim) provedBound = Math.max(provedBound, range.low);
    aim = Math.max(aim, range.high);
  }
  return { offsets, provedBound, nodes };
}

/** The canonical search where every pair is one above the other, the disjunctive one elsewhere. */
function chooseSearch(
  prepared: Prepared,
  ids: Int32Array,
  stopped: Stopper,
): { sizes: Sizes; decider: Decider } | undefined {
  const instance = buildInstance(prepared, ids);
  if (instance !== undefined) return { sizes: instance, decider: createDecider(instance, stopped) };
  return ids.length <= MAX_DISJUNCTIVE_BUFFERS ? createDisjunctive(prepared, ids, stopped) : undefined;
}
