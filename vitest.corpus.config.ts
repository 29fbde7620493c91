import { defineConfig } from 'vitest/config';

/** The slow checks over the whole corpus; `npm test` runs the quick ones. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/example-models.ts'],
    include: ['test/**/*.corpus.ts'],
    testTimeout: 1_200_000,
    maxWorkers: 2,
  },
});
