/** The planner alone, as `memplan/planner`: buffers in, offsets out. Plain arithmetic, so it runs in a browser too. */
export { lowerBound } from './bound.ts';
export { formatSolution, parseBufferList } from './csv.ts';
export { strategies } from './registry.ts';
export { type Reached, type SolveWith, solve } from './solve.ts';
export type { Strategy } from './strategy.ts';
export type { Buffer, Gap, Overlap, Problem, Solution, SolveOptions } from './types.ts';
