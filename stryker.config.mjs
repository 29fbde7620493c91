/** Mutation testing; scripts/mutation.mjs runs it for one file after another. @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: [
    `${import.meta.dirname}/.cache/mutation/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js`,
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // What the tests of these files do not read is not copied.
  ignorePatterns: ['dist', 'docs', 'examples', 'man', 'bench', '.cache', '.ci'],
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, allowColor: false },
  jsonReporter: { fileName: `.cache/mutation/${(process.env.MUTATED ?? 'all').replaceAll('/', '-')}.json` },
  // The texts of faults are checked where they carry figures; that every comma of them stands is not what matters.
  thresholds: { high: 100, low: 100, break: null },
  timeoutMS: 20_000,
};
