/** Plans a bare problem: `auto` tries the strategies in turn and keeps the smallest plan. */
import { fail } from '../errors.ts';
import { checkProblem } from './check.ts';
import { arenaBytes } from './first-fit.ts';
import { type Prepared, prepare } from './prepare.ts';
import { findStrategy, strategies } from './registry.ts';
import type { Problem, Solution, SolveOptions, Strategy } from './types.ts';

export interface SolveWith extends SolveOptions {
  /** `auto` (the default: best of all) or the name of one strategy. */
  readonly strategy?: string | undefined;
}

/**
 * Gives every buffer an offset so that buffers live together share no byte, and makes the arena small.
 * Deterministic: effort is counted in search nodes, ties are broken by rank.
 * Throws E_USAGE for an unknown strategy or one that does not apply, E_RULE for contradictory problems.
 */
export function solve(problem: Problem, options: SolveWith = {}): Solution {
  checkProblem(problem);
  const prepared = prepare(problem);
  const name = options.strategy ?? 'auto';
  if (name === 'auto') return best(prepared, options, strategies);
  const strategy = findStrategy(name);
  if (strategy === undefined) {
    const known = ['auto', ...strategies.map((s) => s.name)].join(', ');
    return fail('E_USAGE', `There is no strategy '${name}'.`, { hint: `Strategies: ${known}.` });
  }
  return best(prepared, options, [strategy]);
}

/** The smallest plan of the strategies given, the first among equals; stops at the bound or inside the capacity. */
function best(prepared: Prepared, options: SolveOptions, candidates: readonly Strategy[]): Solution {
  const enough = Math.max(prepared.bound.bytes, options.capacity ?? 0);
  let result: Solution | undefined;
  let lowerBound = prepared.bound.bytes;
  let nodes = 0;
  for (const strategy of candidates) {
    const placement = strategy.place(prepared, options, result?.offsets);
    if (placement === undefined) continue;
    nodes += placement.nodes ?? 0;
    lowerBound = Math.max(lowerBound, placement.provedBound ?? 0);
    const bytes = arenaBytes(prepared, placement.offsets);
    if (result === undefined || bytes < result.bytes) {
      result = solution(placement.offsets, bytes, strategy.name);
    }
    if (result.bytes <= Math.max(enough, lowerBound)) break;
  }
  if (result === undefined) {
    return fail('E_USAGE', `Strategy '${candidates[0]!.name}' does not apply to these buffers.`);
  }
  const optimal = result.bytes === lowerBound;
  const proof = !optimal ? null : lowerBound === prepared.bound.bytes ? 'bound' : 'exhausted';
  return { ...result, lowerBound, optimal, proof, nodes };
}

function solution(offsets: ArrayLike<number>, bytes: number, strategy: string): Solution {
  return {
    offsets: Array.from(offsets),
    bytes,
    lowerBound: 0,
    optimal: false,
    strategy,
    proof: null,
    nodes: 0,
  };
}
