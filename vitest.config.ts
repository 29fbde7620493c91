import { defineConfig } from 'vitest/config';

/** Tests that put other modules in the place of some: each needs modules of its own. */
const MOCKING = ['test/cli/windows.test.ts', 'test/pipeline.test.ts'];

const shared = {
  globalSetup: ['test/support/example-models.ts'],
  // Against what hangs, not what is slow: the machine may have other work.
  testTimeout: 300_000,
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // All others share the modules of their worker: loading them anew for each file took longer than the tests.
      {
        test: { ...shared, name: 'shared', include: ['test/**/*.test.ts'], exclude: MOCKING, isolate: false },
      },
      { test: { ...shared, name: 'apart', include: MOCKING } },
    ],
  },
});
