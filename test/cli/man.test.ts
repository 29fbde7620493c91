/** man/memplan.1 is the one of the option table (`npx vitest run test/cli/man.test.ts -u` writes it anew). */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { manPage } from '../../scripts/man-page.ts';
import { OPTION_GROUPS } from '../../src/cli/option-table.ts';
import { longFlag } from '../../src/cli/options.ts';
import { missing } from '../support/tools.ts';

test('the page is current', async () => {
  await expect(manPage()).toMatchFileSnapshot('../../man/memplan.1');
});

test('it names every option that works', () => {
  const text = manPage().replaceAll('\\-', '-');
  for (const row of OPTION_GROUPS.flatMap(({ rows }) => rows)) {
    expect(text).toContain(longFlag(row));
  }
});

test('groff prints it without a warning', (context) => {
  const absent = missing('groff');
  if (absent !== undefined) context.skip(absent);
  const options = ['-man', '-Tascii', '-ww', '-P-cbou'];
  const { status, stdout, stderr } = spawnSync('groff', options, { input: manPage(), encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('NAME\n       memplan - plan the working memory');
  expect(stdout).toMatch(/--budget <\[region=\]bytes>\n +Fail when the arena is larger\.\n/);
});
