/** The documentation speaks of no option that memplan does not have, and of every one that it has. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTION_GROUPS } from '../../src/cli/option-table.ts';
import { longFlag } from '../../src/cli/options.ts';

const root = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** Options of other programs, and those that every command has without a row. */
const OTHERS = new Set(
  (
    '--help --version ' +
    // npm and node
    '--save-dev --write ' +
    // make, cmake, ld, gh
    '--silent --no-print-directory --build --gc-sections --body-file'
  ).split(' '),
);
const known = new Set(OPTION_GROUPS.flatMap(({ rows }) => rows.map(longFlag)));
const flagsOf = (page: string) => new Set(page.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []);
const texts = new Map(PAGES.map((page) => [page, flagsOf(readFileSync(join(root, page), 'utf8'))]));

test('there are pages and options', () => {
  expect(PAGES.length).toBeGreaterThan(30);
  expect(known.size).toBeGreaterThan(60);
});

test.each(PAGES)('%s names no option that there is not', (page) => {
  expect([...texts.get(page)!].filter((flag) => !known.has(flag) && !OTHERS.has(flag))).toEqual([]);
});

test('every option is in some page', () => {
  const said = new Set([...texts.values()].flatMap((flags) => [...flags]));
  const all = OPTION_GROUPS.flatMap(({ rows }) => rows.map(longFlag));
  expect([...new Set(all)].filter((flag) => !said.has(flag))).toEqual([]);
});
