/** docs/operators.md is the page of the rows (`npm run docs:ops` writes it anew), and says what `memplan ops` says. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { operatorsPage } from '../../scripts/operators-page.ts';
import { allRows } from '../../src/ops/registry.ts';
import { cli } from '../cli/run.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

test('the page is current', async () => {
  await expect(operatorsPage()).toMatchFileSnapshot('../../docs/operators.md');
});

test('its lines are those of memplan ops', async () => {
  const { stdout } = await cli(['ops']);
  const listed = stdout.split('\n').slice(1, -2).map(words);
  expect(listed).toHaveLength(allRows().length);
  const page = operatorsPage().split('\n');
  const tables = page.filter((line) => line.startsWith('| ') && !/^\| (operator|---) /.test(line));
  expect(tables.map((line) => words(line.replaceAll('|', ' ')))).toEqual(listed);
});

test('the README leads to it', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/operators.md)');
});

function words(line: string): string {
  return line.trim().split(/\s+/).join(' ');
}
