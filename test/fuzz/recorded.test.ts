/**
 * A few random graphs with what onnxruntime 1.30 made of them. RECORD=1 npx vitest run test/fuzz, then npm run format, runs them anew, which
 * a change of the makers asks for.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeTemp } from '../support/onnx.ts';
import { differences } from './compare.ts';
import { randomGraph } from './graphs.ts';
import { type Outcome, runAll } from './oracle.ts';

const file = join(dirname(fileURLToPath(import.meta.url)), 'recorded.json');
const seeds = Array.from({ length: 60 }, (_, i) => 10_001 + i);
const graphs = seeds.map((seed) => randomGraph(seed));
const paths = graphs.map(({ seed, bytes }) => writeTemp(bytes, `recorded-${seed}.onnx`));

if (process.env.RECORD !== undefined) {
  const outcomes = runAll(paths).map((outcome, i) => [seeds[i], outcome] as const);
  const lines = outcomes.map(([seed, outcome]) => `  "${seed}": ${JSON.stringify(outcome)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

const recorded = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Outcome>>;

describe('recorded runs of random graphs', () => {
  it.each(graphs)('seed $seed: $makers', ({ seed }) => {
    const outcome = recorded[seed]!;
    expect(differences(paths[seeds.indexOf(seed)]!, outcome)).toEqual([]);
  });

  it('went through, nearly all', () => {
    expect(Object.values(recorded).filter((outcome) => 'outputs' in outcome).length).toBeGreaterThanOrEqual(
      55,
    );
  });
});
