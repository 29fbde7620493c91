/** docs/runner.md lists the operators that have kernels. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runnableOperators } from '../../src/runner/registry.ts';

it('the table of operators is complete and says no more', () => {
  const text = readFileSync(new URL('../../docs/runner.md', import.meta.url), 'utf8');
  const [table = ''] = text.slice(text.indexOf('| family |')).split('\n\n');
  const [, , ...rows] = table.split('\n');
  const listed = rows.flatMap((row) => {
    const [, family, operators] = row.split('|');
    const domain = family!.includes('com.microsoft') ? 'com.microsoft:' : '';
    return operators!
      .replace(/\([^)]*\)/g, '')
      .split(',')
      .map((operator) => domain + operator.trim());
  });
  expect(listed.sort()).toEqual(runnableOperators());
});
