/** docs/fusion.md names every operator that is fused. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMON_FUSIONS } from '../../src/kernels/fusions.ts';

const page = readFileSync(new URL('../../docs/fusion.md', import.meta.url), 'utf8');

/** The rows of the table whose first cell names one of these. */
const rows = (name: string): string =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.split('|')[1]!.includes(name))
    .join('\n');

const { passes, normalised, biased, activated, activations, padded, integer } = COMMON_FUSIONS;

it.each<[string, string, readonly string[]]>([
  ['what is left out', 'Identity', passes],
  ['what takes a normalisation', 'BatchNormalization', normalised],
  ['what takes a bias', 'Add of a constant', biased],
  ['what applies an activation', 'Relu', [...activated, ...activations]],
  ['what takes a Pad', 'Pad', padded],
])('%s', (_, name, ops) => {
  for (const op of ops) expect(rows(name)).toMatch(new RegExp(`\\b${op}\\b`));
});

it('the types of integer steps', () => {
  for (const type of integer.types) expect(page).toContain(type);
  for (const op of integer.clamps)
    expect(page).toMatch(new RegExp(`only [^.]*\\b${op}\\b[^.]*QuantizeLinear`));
});
