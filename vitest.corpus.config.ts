import { defineConfig } from 'vitest/config';

/** Of these `npm test` looks at a sample of the cases (test/support/rounds.ts). */
const SAMPLED = [
  'test/emit/compile.test.ts',
  'test/emit/misra.test.ts',
  'test/lifetime/replay.test.ts',
  'test/order/model.test.ts',
  'test/pool/pools.test.ts',
  'test/runner/branches.test.ts',
  'test/runner/cmsis-nn.test.ts',
  'test/runner/examples.test.ts',
  'test/runner/kernels.test.ts',
  'test/runner/loops.test.ts',
  'test/runner/misra.test.ts',
  'test/runner/several.test.ts',
  'test/runner/stages.test.ts',
];

/** The slow checks over the whole corpus; `npm test` runs the quick ones. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/example-models.ts'],
    include: ['test/**/*.corpus.ts', ...SAMPLED],
    env: { MEMPLAN_ALL_CASES: '1' },
    testTimeout: 1_200_000,
    maxWorkers: 2,
  },
});
