/** Every option of the table is used by some test, and so is every value that can be listed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTION_GROUPS } from '../../src/cli/option-table.ts';
import { longFlag } from '../../src/cli/options.ts';

const tests = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('options-tested.test.ts'))
  .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
  .join('\n');

/** `--flag` as a word of its own, or in the words of a configuration: `flag:` in camel case. */
function isUsed(flag: string): boolean {
  const camel = flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return new RegExp(`${flag}(?![\\w-])|\\b${camel}:`).test(tests);
}

test.each(OPTION_GROUPS.flatMap(({ rows }) => rows).map((row) => [longFlag(row), row] as const))(
  '%s',
  (flag, row) => {
    expect(isUsed(flag)).toBe(true);
    const unused = (row.values ?? []).filter((value) => !new RegExp(`\\b${value}\\b`).test(tests));
    expect(unused).toEqual([]);
  },
);
