/** The short form of npm run fuzz:shapes, over graphs that it does not try. */
import { expect, it } from 'vitest';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { campaign } from './campaign.ts';

const SEED = 100_001;
const COUNT = 300;

if (!hasOracle()) console.log(`test/fuzz/shapes.corpus.ts is skipped: ${ORACLE_MISSING}`);

it.skipIf(!hasOracle())(`${COUNT} graphs from seed ${SEED}, against onnxruntime`, () => {
  const { ran, operators, differences } = campaign(SEED, COUNT);
  expect(differences).toEqual([]);
  expect(ran).toBeGreaterThan(0.95 * COUNT);
  expect(operators.size).toBeGreaterThanOrEqual(100);
});
