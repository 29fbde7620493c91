/** cppcheck's MISRA addon finds nothing but advisory rules in the generated C. */
import { expect, it } from 'vitest';
import type { RenderOptions } from '../../src/emit/render.ts';
import { generated } from '../support/generated.ts';
import { misraRules } from '../support/misra.ts';
import { ALL_EXTERNAL, EVERY_TYPE, EVERYDAY, NOTHING } from '../support/sample-plans.ts';
import { missing } from '../support/tools.ts';

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
  const { advisory, others } = await misraRules(dir, 'tensor_memory_pool.c');
  // An unused macro (2.5) is in every header of constants: without it the addon did not run.
  expect(advisory).toContain('misra-c2012-2.5');
  expect(others).toEqual([]);
});
