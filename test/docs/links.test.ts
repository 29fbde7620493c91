/** Every link of the documentation that leads into the repository arrives, headings included. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** As GitHub names the place of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

/** Links and pictures outside of code. */
function linksOf(page: string): readonly string[] {
  const text = page.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
}

test.each(pages)('%s', (name) => {
  const broken = linksOf(readFileSync(join(root, name), 'utf8')).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? join(root, name) : join(root, dirname(name), path);
    if (!existsSync(file) || relative(root, file).startsWith('..')) return true;
    if (anchor === undefined) return false;
    const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm);
    return ![...headings].some(([, heading]) => anchorOf(heading!) === anchor);
  });
  expect(broken).toEqual([]);
});

test('the pages lead from one to another', () => {
  const links = pages.flatMap((name) =>
    linksOf(readFileSync(join(root, name), 'utf8')).map((link) => join(dirname(name), link.split('#')[0]!)),
  );
  const lonely = pages.filter((name) => name.startsWith('docs/') && !links.includes(name));
  expect(lonely).toEqual([]);
});
