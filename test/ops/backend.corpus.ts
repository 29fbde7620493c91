import { expect, it } from 'vitest';
import { compareBackend, unpackBackend, type Verdict } from '../support/backend.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import reasons from './backend-unknown.json' with { type: 'json' };

const folder = corpus();
if (folder === undefined) console.warn(CORPUS_MISSING);
const tests = folder === undefined ? new Map<string, string>() : unpackBackend(folder);

/** Names by verdict; a wrong one comes with what differs. */
function run(declared: boolean): Readonly<Record<Verdict, readonly string[]>> {
  const found: Record<Verdict, string[]> = { exact: [], wrong: [], unknown: [] };
  for (const [name, path] of tests) {
    const compared = compareBackend(path, declared);
    if (compared === undefined) continue;
    found[compared.verdict].push(compared.verdict === 'wrong' ? `${name}: ${compared.text}` : name);
  }
  const count = found.exact.length + found.unknown.length + found.wrong.length;
  console.log(`declared outputs ${declared ? 'used' : 'hidden'}: ${found.exact.length} of ${count} exact`);
  return found;
}

it.skipIf(folder === undefined)('knows every size that does not depend on data by its rules alone', () => {
  const found = run(false);
  expect(found.wrong).toEqual([]);
  expect(found.unknown).toEqual(Object.keys(reasons));
});

it.skipIf(folder === undefined)('knows 99 of 100 sizes when the file declares its outputs', () => {
  const found = run(true);
  const count = found.exact.length + found.unknown.length;
  expect(found.wrong).toEqual([]);
  expect(found.exact.length / count).toBeGreaterThanOrEqual(0.99);
  expect(count).toBeGreaterThan(1900);
});
