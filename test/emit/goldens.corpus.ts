/** The committed C of every example compiles without a warning under every compiler and standard. */
import { describe, expect, it } from 'vitest';
import { ALL_COMPILERS, compile, PROGRAMS } from '../support/compilers.ts';
import { goldens } from '../support/goldens.ts';
import { missing, twoAtATime } from '../support/tools.ts';

describe.skipIf(missing(...PROGRAMS) !== undefined)('without a warning', () => {
  it('there are examples', () => expect(goldens().length).toBeGreaterThanOrEqual(6));

  it.each(goldens())('$name', async ({ dir }) => {
    const said = await twoAtATime(ALL_COMPILERS, (compiler) =>
      compiler.language === 'c'
        ? compile(compiler, dir, ['tensor_memory_pool.c'])
        : compile(compiler, dir, ['-include', 'tensor_memory_pool.h', '-x', 'c++', '/dev/null']),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });
});
