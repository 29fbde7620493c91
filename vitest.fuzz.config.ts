import { defineConfig } from 'vitest/config';

/** Random graphs against the oracle: `npm run fuzz:shapes`. */
export default defineConfig({
  test: {
    include: ['test/**/*.fuzz.ts'],
    testTimeout: 3_600_000,
    maxWorkers: 1,
  },
});
