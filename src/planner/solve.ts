/** Plans a bare problem: `auto` tries the strategies in turn and keeps the smallest plan. */
import { fail } from '../errors.ts';
import { checkProblem } from './check.ts';
import { arenaBytes } from './first-fit.ts';
import { type Prepared, prepare } from './prepare.ts';
import { findStrategy, portfolio, strategies } from './registry.ts';
import { size } from './strategies/size.ts';
import { sweepFit } from './strategies/sweep-fit.ts';
import type { Strategy } from './strategy.ts';
import type { Problem, Solution, SolveOptions } from './types.ts';

export interface SolveWith extends Omit<SolveOptions, 'interrupted'> {
  /** `auto` (the default: best of all) or the name of one strategy. */
  readonly strategy?: string | undefined;
  /** Sees now and then how far the search has come; true ends it with the best plan so far. */
  readonly observe?: ((reached: Reached) => boolean) | undefined;
}

/** How far a search has come. */
export interface Reached {
  /** The smallest arena so far; infinite before there is one. */
  readonly bytes: number;
  /** No arena is smaller. */
  readonly lowerBound: number;
}

/** Elementary steps that `auto` may spend on its portfolio: ten seconds or more, which only huge lists come near. */
const WORK = 6e9;
/** What is cheaper than this, some tenths of a second, is still tried when somebody wants an end. */
const QUICK = 1e8;
/** More effort also buys more of the portfolio. */
const WORK_PER_NODE = 2e4;

/**
 * Gives every buffer an offset so that buffers live together share no byte, and makes the arena small.
 * Deterministic: effort is counted in search nodes and elementary steps, ties are broken by rank.
 * Throws E_USAGE for an unknown strategy or one that does not apply, E_RULE for contradictory problems.
 */
export function solve(problem: Problem, options: SolveWith = {}): Solution {
  checkProblem(problem);
  const prepared = prepare(problem);
  const name = options.strategy ?? 'auto';
  if (name === 'auto') return best(prepared, options, affordable(prepared, options));
  const strategy = findStrategy(name);
  if (strategy === undefined) {
    const known = ['auto', ...strategies.map((s) => s.name)].join(', ');
    return fail('E_USAGE', `There is no strategy '${name}'.`, { hint: `Strategies: ${known}.` });
  }
  return best(prepared, options, [strategy]);
}

/** The members of the portfolio that the budget of elementary steps pays for, in order. */
function affordable(prepared: Prepared, options: SolveWith): readonly Strategy[] {
  let left = Math.max(WORK, (options.effort ?? 0) * WORK_PER_NODE);
  return portfolio.filter((strategy) => {
    const work = strategy.work(prepared);
    if (work > left) return false;
    left -= work;
    return true;
  });
}

/** The smallest plan of the strategies given, the first among equals; stops at the bound or inside the capacity. */
function best(prepared: Prepared, options: SolveWith, candidates: readonly Strategy[]): Solution {
  let offsets: ArrayLike<number> | undefined;
  let [bytes, strategy] = [Number.POSITIVE_INFINITY, ''];
  let lowerBound = prepared.bound.bytes;
  let nodes = 0;
  const { observe } = options;
  let stopped = false;
  const interrupted = observe && (() => (stopped ||= observe({ bytes, lowerBound })));
  for (const candidate of candidates) {
    if ((offsets !== undefined || stopped) && candidate.work(prepared) > QUICK && interrupted?.()) continue;
    const placement = candidate.place(prepared, { ...options, interrupted }, offsets);
    if ('refused' in placement) {
      if (candidates.length > 1 || stopped) continue;
      return fail('E_USAGE', `Strategy '${candidate.name}' does not apply: ${placement.refused}.`);
    }
    nodes += placement.nodes ?? 0;
    lowerBound = Math.max(lowerBound, placement.provedBound ?? 0);
    const size = arenaBytes(prepared, placement.offsets);
    if (size < bytes) [offsets, bytes, strategy] = [placement.offsets, size, candidate.name];
    if (bytes <= Math.max(lowerBound, options.capacity ?? 0)) break;
  }
  if (offsets === undefined && stopped) return anyPlan(prepared);
  if (offsets === undefined) return fail('E_INTERNAL', 'No strategy applies to these buffers.');
  const optimal = bytes === lowerBound;
  const proof = !optimal ? null : lowerBound === prepared.bound.bytes ? 'bound' : 'exhausted';
  return { offsets: Array.from(offsets), bytes, lowerBound, optimal, strategy, proof, nodes };
}

/** What takes least time, for somebody who wants an end before there is a plan: a walk over the steps keeps no pins. */
function anyPlan(prepared: Prepared): Solution {
  const pinned = prepared.pin.some((offset) => offset >= 0);
  return best(prepared, {}, [pinned ? size : sweepFit]);
}

/** One line of a comparison. */
export interface Compared {
  readonly strategy: Strategy;
  /** undefined: it does not apply, and `refused` says why. */
  readonly solution: Solution | undefined;
  readonly refused: string | undefined;
}

/** Every strategy on its own, side by side: what `--strategy all` prints. */
export function compare(problem: Problem, options: SolveWith = {}): readonly Compared[] {
  checkProblem(problem);
  const prepared = prepare(problem);
  return strategies.map((strategy) => {
    const placement = strategy.place(prepared, options);
    if ('refused' in placement) return { strategy, solution: undefined, refused: placement.refused };
    const done: Strategy = { ...strategy, place: () => placement };
    return { strategy, solution: best(prepared, options, [done]), refused: undefined };
  });
}
