import { defineConfig } from 'vitest/config';

/** The tests that stand beside the mutated file, for scripts/mutation.mjs. */
const mutated = process.env.MUTATED ?? '';

export default defineConfig({
  test: {
    include: mutated.startsWith('src/planner')
      ? [mutated.replace('src', 'test').replace('.ts', '.test.ts')]
      : ['test/verify/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
