/** The run-time pools keep their promises: by cases computed by hand, and against a model of random calls. */
import { describe, expect, it } from 'vitest';
import { type Build, runPool } from '../support/pools.ts';
import { ALL_CASES } from '../support/rounds.ts';
import { missing } from '../support/tools.ts';

const OPERATIONS = '100000';
const DEBUG = 'TENSOR_POOL_DEBUG=1';

const CASES: readonly (readonly [string, Build])[] = [
  ['best fit', { form: 0 }],
  ['best fit, debug', { form: 0, settings: [DEBUG] }],
  ['constant time', { form: 1, settings: [DEBUG] }],
  ['size classes', { form: 2 }],
  ['size classes, debug', { form: 2, settings: [DEBUG] }],
];

const RANDOM: readonly (readonly [string, Build])[] = [
  ['best fit', { form: 0 }],
  ['best fit, joined late, debug', { form: 0, settings: ['TENSOR_POOL_COMPACT_AT=0', DEBUG] }],
  ['best fit, joined by the dozen', { form: 0, settings: ['TENSOR_POOL_COMPACT_AT=12'] }],
  ['constant time, debug', { form: 1, settings: [DEBUG] }],
  ['size classes', { form: 2, settings: ['TENSOR_FAST_KEEP=4'] }],
  ['size classes, debug, cache lines', { form: 2, settings: [DEBUG, 'TENSOR_POOL_ALIGNMENT=64'] }],
];

const FAULTS: readonly (readonly [string, 'cases' | 'fuzz', Build])[] = [
  [
    'blocks are not joined',
    'cases',
    { form: 0, fault: { from: 'if (is_free(pool, after)) {', to: 'if (false) {' } },
  ],
  [
    'the cursor does not come back',
    'cases',
    { form: 0, fault: { from: 'while (is_free(pool, pool->last)) {', to: 'while (false) {' } },
  ],
  [
    'poison is not looked at',
    'cases',
    { form: 0, settings: [DEBUG], fault: { from: 'news = TENSOR_POOL_WRITTEN;', to: 'news = 0u;' } },
  ],
  [
    'a whole block is given away',
    'fuzz',
    { form: 0, fault: { from: 'if (block->size > size) {', to: 'if (block->size > (2u * size)) {' } },
  ],
  [
    'a header inside a free block looks alive',
    'fuzz',
    { form: 1, fault: { from: 'fast_set(pool, header, FAST_SIZE, 0u);', to: '' } },
  ],
  [
    'a block that is kept looks alive',
    'cases',
    { form: 2, fault: { from: 'size | FAST_KEPT', to: 'size | FAST_LIVE' } },
  ],
  [
    'kept blocks stay when memory runs out',
    'cases',
    { form: 2, fault: { from: 'while (pool->kept[i] != TENSOR_POOL_NONE) {', to: 'while (false) {' } },
  ],
  ['a block is kept and given back', 'fuzz', { form: 2, fault: { from: 'keep = true;', to: '' } }],
  [
    'an owner keeps its tensors',
    'fuzz',
    {
      form: 2,
      fault: { from: 'fast_end_tensor(pool, header, owner);', to: 'fast_end_tensor(pool, header, 0u);' },
    },
  ],
];

describe.skipIf(missing('gcc') !== undefined)('pools', () => {
  it.each(CASES)('cases computed by hand: %s', async (_, build) => {
    expect(await runPool('cases', build)).toEqual({ status: 0, output: '0 failures\n' });
  });

  it.each(RANDOM.filter((_, i) => ALL_CASES || i % 2 === 1))(
    'random calls agree with a model: %s',
    async (_, build) => {
      const seed = '1';
      const finished = await runPool('fuzz', build, [OPERATIONS, seed]);
      expect({ seed, ...finished }).toEqual({ seed, status: 0, output: `${OPERATIONS} operations agree\n` });
    },
  );

  it.each(FAULTS.filter((_, i) => ALL_CASES || i % 3 === 0))(
    'a planted fault is found: %s',
    async (_, program, build) => {
      expect((await runPool(program, build, [OPERATIONS, '1'])).status).not.toBe(0);
    },
  );
});
