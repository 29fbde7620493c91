/** The names of the arrays that hold memory, which the C defines, the linker places and check-elf looks for. */
import { createHash } from 'node:crypto';
import type { Plan } from '../plan/types.ts';

/** `kws_arena_axisram`; `c` is the region's name in C. */
export function arenaName(prefix: string, c: string): string {
  return `${prefix.toLowerCase()}_arena_${c.toLowerCase()}`;
}

/** `kws_pool_axisram`: what the plan leaves of the region. */
export function poolName(prefix: string, c: string): string {
  return `${prefix.toLowerCase()}_pool_${c.toLowerCase()}`;
}

/** The section of a region's arrays, unless they lie among ordinary data. It begins with `.bss`: others cost flash. */
export function usualSection(c: string): string {
  return `.bss.memplan.${c.toLowerCase()}`;
}

/** What stands before names that the models of a plan share: the prefix of the run, or of the only model. */
export function sharedPrefix({ models, run }: Pick<Plan, 'models' | 'run'>): string | undefined {
  return run?.cPrefix ?? models[0]?.cPrefix;
}

/** Ends the names that the linker matches, so that an object of another plan does not link. */
export function hashSuffix(planHash: string): string {
  return hashHex(planHash).slice(0, 8);
}

/** The plan's hash; of a text that is none, its own hash. */
export function hashHex(planHash: string): string {
  const usable = /^[0-9a-f]{16}/.test(planHash);
  return usable ? planHash : createHash('sha256').update(planHash).digest('hex');
}
