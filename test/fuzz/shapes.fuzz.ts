/**
 * Random graphs against onnxruntime: npm run fuzz:shapes. SEED (default 1) and COUNT (default 2000) choose the graphs;
 * a failing one is named by its seed, and SEED=n COUNT=1 runs it alone.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { differences } from './compare.ts';
import { randomGraph } from './graphs.ts';
import { runAll } from './oracle.ts';

const seed = Number(process.env.SEED ?? 1);
const total = Number(process.env.COUNT ?? 2000);
const folder = mkdtempSync(join(tmpdir(), 'memplan-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(!hasOracle())(
  `${total} graphs from seed ${seed}${hasOracle() ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const graphs = Array.from({ length: total }, (_, i) => randomGraph(seed + i));
    const paths = graphs.map(({ bytes }, i) => {
      const path = join(folder, `${seed + i}.onnx`);
      writeFileSync(path, bytes);
      return path;
    });
    const outcomes = runAll(paths);
    const ran = new Set<string>();
    const refused = new Map<string, number>();
    const found = outcomes.flatMap((outcome, i) => {
      const { makers } = graphs[i]!;
      if ('outputs' in outcome) for (const maker of makers) ran.add(maker);
      else refused.set(outcome.error, (refused.get(outcome.error) ?? 0) + 1);
      return differences(paths[i]!, outcome).map(
        (text) => `SEED=${seed + i} COUNT=1 (${makers.join(', ')}): ${text}`,
      );
    });
    const rejected = [...refused.values()].reduce((a, b) => a + b, 0);
    console.log(`${total - rejected} of ${total} graphs ran, over ${ran.size} operators`);
    if (process.env.VERBOSE !== undefined)
      console.log([...refused].sort(([, a], [, b]) => b - a).slice(0, 40));
    expect(found).toEqual([]);
    if (total >= 2000) expect(ran.size).toBeGreaterThanOrEqual(100);
  },
);
