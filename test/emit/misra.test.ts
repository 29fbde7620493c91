/** cppcheck's MISRA addon finds nothing but advisory rules in the generated C. */
import { expect, it } from 'vitest';
import type { RenderOptions } from '../../src/emit/render.ts';
import { generated } from '../support/generated.ts';
import { ALL_EXTERNAL, EVERY_TYPE, EVERYDAY, NOTHING } from '../support/sample-plans.ts';
import { missing, run } from '../support/tools.ts';

/** The advisory rules of MISRA C:2012. */
const ADVISORY = new Set(
  '1.2 2.3 2.4 2.5 2.6 2.7 4.2 5.9 8.7 8.9 8.11 8.13 10.5 11.4 11.5 12.1 12.3 12.4 13.3 13.4 15.1 15.4 15.5 17.5 17.8 18.4 18.5 19.2 20.1 20.5 20.10 21.12'.split(
    ' ',
  ),
);

const WAYS: readonly (readonly [string, typeof EVERYDAY, RenderOptions])[] = [
  ['everyday', EVERYDAY, {}],
  ['every type', EVERY_TYPE, {}],
  ['arena by pointer', EVERYDAY, { arena: 'pointer' }],
  ['arena elsewhere, no table', EVERYDAY, { arena: 'extern', table: 'none' }],
  ['all external', ALL_EXTERNAL, {}],
  ['nothing', NOTHING, {}],
];

it.skipIf(missing('cppcheck') !== undefined).each(WAYS)('%s', async (_, plan, options) => {
  const dir = generated(plan, options);
  const args = ['--addon=misra', '--enable=all', '--inconclusive', '--std=c99', '--quiet', '--template={id}'];
  const quiet = ['--suppress=missingIncludeSystem', '--suppress=unusedFunction'];
  const { output } = await run('cppcheck', [...args, ...quiet, 'tensor_memory_pool.c'], dir);
  const found = new Set(output.split('\n').filter((line) => line !== ''));
  // An unused macro (2.5) is in every header of constants: without it the addon did not run.
  expect(found).toContain('misra-c2012-2.5');
  expect([...found].filter((id) => !ADVISORY.has(id.replace('misra-c2012-', '')))).toEqual([]);
});
