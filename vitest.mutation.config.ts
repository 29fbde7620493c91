import { basename, dirname } from 'node:path';
import { defineConfig } from 'vitest/config';

const mutated = process.env.MUTATED ?? '';

/** What leans on other files is asked together with them; every other file has a test of its own. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/lifetime/least.ts': ['least', 'exhaust'],
  'src/verify/fault.ts': ['*'],
  'src/verify/operators.ts': ['operators', 'layout'],
  'src/verify/owners.ts': ['owners', 'loops', 'elided'],
  'src/verify/verify.ts': ['*'],
};

const folder = dirname(mutated.replace('src', 'test'));
const names = TESTS[mutated] ?? [basename(mutated, '.ts')];

/** The tests that stand beside the mutated file, for scripts/mutation.mjs. */
export default defineConfig({
  test: {
    include: names.map((name) => `${folder}/${name}.test.ts`),
    testTimeout: 60_000,
  },
});
