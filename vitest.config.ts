import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/example-models.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
