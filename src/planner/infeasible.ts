/** Why nothing fits: a set of buffers that cannot lie below the capacity together, as small as it can be made. */
import { arenaBytes } from './first-fit.ts';
import { prepare } from './prepare.ts';
import { exact } from './strategies/exact.ts';
import type { Buffer, Problem } from './types.ts';

export interface InfeasibleSet {
  /** Buffer indexes, ascending: these alone do not fit. */
  readonly buffers: readonly number[];
  /** Without any single one of them the others fit. False: the effort did not suffice to know. */
  readonly irreducible: boolean;
  /** True: they are all live at one step and too large together. False: only the search shows it. */
  readonly byBound: boolean;
  readonly nodes: number;
}

type Answer = 'fits' | 'not' | 'unknown';

/** Search nodes for the whole reduction when nothing else is asked for. */
const DEFAULT_EFFORT = 200_000;
/** Share of the effort that one question may take. */
const QUESTION_SHARE = 0.1;

/**
 * Drops buffers, halves first and single ones last, for as long as the rest is proved not to fit. Undefined when the
 * problem fits or cannot be shown not to. The order is the problem's, so the answer is deterministic.
 */
export function infeasibleSet(
  problem: Problem,
  capacity: number,
  effort: number = DEFAULT_EFFORT,
): InfeasibleSet | undefined {
  let nodes = 0;
  const ask = (kept: readonly number[], share: number): Answer => {
    const budget = Math.ceil(Math.max(1, Math.min(effort - nodes, effort * share)));
    const [answer, spent] = question(subProblem(problem, kept), capacity, budget);
    nodes += spent;
    return answer;
  };
  let kept: readonly number[] = Array.from(problem.buffers.keys());
  if (ask(kept, 1) !== 'not') return undefined;
  kept = liveAtPeak(problem, kept, capacity) ?? kept;
  let irreducible = true;
  for (let size = kept.length >> 1; size >= 1; size >>= 1) {
    irreducible = true;
    for (let from = 0; from < kept.length; ) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
      const answer = ask(rest, QUESTION_SHARE);
      if (answer === 'not') kept = rest;
      else from += size;
      if (answer === 'unknown') irreducible = false;
    }
  }
  return {
    buffers: kept,
    irreducible,
    byBound: prepare(subProblem(problem, kept)).bound.bytes > capacity,
    nodes,
  };
}

/** When the bound alone is too large, the buffers of its step are enough to look at. */
function liveAtPeak(
  problem: Problem,
  kept: readonly number[],
  capacity: number,
): readonly number[] | undefined {
  const { step } = prepare(problem).bound;
  const live = kept.filter((i) => problem.buffers[i]!.first <= step && step < problem.buffers[i]!.end);
  return prepare(subProblem(problem, live)).bound.bytes > capacity ? live : undefined;
}

function question(problem: Problem, capacity: number, budget: number): readonly [Answer, nodes: number] {
  const prepared = prepare(problem);
  if (prepared.bound.bytes > capacity) return ['not', 0];
  const placement = exact.place(prepared, { capacity, effort: budget });
  if ('refused' in placement) return ['unknown', 0];
  const nodes = placement.nodes ?? 0;
  if (arenaBytes(prepared, placement.offsets) <= capacity) return ['fits', nodes];
  return [(placement.provedBound ?? 0) > capacity ? 'not' : 'unknown', nodes];
}

/** The problem of some buffers alone; permitted overlaps follow to the new indexes. */
function subProblem(problem: Problem, kept: readonly number[]): Problem {
  const index = new Map(kept.map((old, i) => [old, i] as const));
  const buffers = kept.map((i): Buffer => {
    const buffer = problem.buffers[i]!;
    const mayOverlap = buffer.mayOverlap?.flatMap(({ buffer: old, distance }) => {
      const partner = index.get(old);
      return partner === undefined ? [] : [{ buffer: partner, distance }];
    });
    return { ...buffer, mayOverlap };
  });
  return { buffers };
}
