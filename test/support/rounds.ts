/**
 * Tests that look at many cases look at all of them among the slow checks (vitest.corpus.config.ts says which files), and
 * at a sample in `npm test`.
 */
export const ALL_CASES = process.env.MEMPLAN_ALL_CASES === '1';

/** How many random cases to look at; the sample is the beginning of the same seeds. */
export function rounds(all: number, sample: number): number {
  return ALL_CASES ? all : sample;
}
