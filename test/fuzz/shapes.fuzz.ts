/**
 * Random graphs against onnxruntime: npm run fuzz:shapes. SEED (default 1) and COUNT (default 2000) choose the graphs;
 * a failing one is named by its seed, and SEED=n COUNT=1 runs it alone.
 */
import { expect, it } from 'vitest';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { campaign } from './campaign.ts';

const seed = Number(process.env.SEED ?? 1);
const total = Number(process.env.COUNT ?? 2000);

it.skipIf(!hasOracle())(
  `${total} graphs from seed ${seed}${hasOracle() ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const { ran, operators, refused, differences } = campaign(seed, total);
    console.log(
      `${ran} of ${total} graphs ran, over ${operators.size} operators; ${differences.length} differences`,
    );
    if (process.env.VERBOSE !== undefined)
      console.log([...refused].sort(([, a], [, b]) => b - a).slice(0, 40));
    expect(differences).toEqual([]);
    if (total >= 2000) expect(operators.size).toBeGreaterThanOrEqual(100);
  },
);
