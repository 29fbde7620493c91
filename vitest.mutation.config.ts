import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

const mutated = process.env.MUTATED ?? '';

/** Checks that lean on each other are asked together; every other one has a test of its own. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'fault.ts': ['*'],
  'operators.ts': ['operators', 'layout'],
  'owners.ts': ['owners', 'loops', 'elided'],
  'verify.ts': ['*'],
};

const beside = mutated.replace('src', 'test').replace('.ts', '.test.ts');
const others = TESTS[basename(mutated)]?.map((name) => `test/verify/${name}.test.ts`);

/** The tests that stand beside the mutated file, for scripts/mutation.mjs. */
export default defineConfig({
  test: {
    include: mutated.startsWith('src/verify') && others !== undefined ? [...others] : [beside],
    testTimeout: 60_000,
  },
});
