/**
 * How many random cases a test looks at: all of them among the slow checks (vitest.corpus.config.ts says which files), a
 * sample in `npm test`. The sample is the beginning of the same seeds.
 */
export function rounds(all: number, sample: number): number {
  return process.env['MEMPLAN_ALL_ROUNDS'] === '1' ? all : sample;
}
