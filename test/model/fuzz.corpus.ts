/** The long form of fuzz.test.ts. MEMPLAN_FUZZ_ROUNDS and MEMPLAN_FUZZ_SEED choose how many files and which. */
import { expect, test } from 'vitest';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { fuzz, smallModels } from '../support/mutate.ts';

const folder = corpus();
if (folder === undefined) console.log(`test/model/fuzz.corpus.ts is skipped: ${CORPUS_MISSING}`);

const rounds = Number(process.env.MEMPLAN_FUZZ_ROUNDS ?? 20_000);
const seed = Number(process.env.MEMPLAN_FUZZ_SEED ?? 1);

test.skipIf(folder === undefined)(`${rounds} damaged models are read or refused`, () => {
  expect(rounds).toBeGreaterThan(0);
  fuzz(smallModels(folder!), rounds, seed);
});
