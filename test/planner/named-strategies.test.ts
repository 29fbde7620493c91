import { describe, expect, it } from 'vitest';
import { compare, solve } from '../../src/planner/solve.ts';
import type { Problem } from '../../src/planner/types.ts';

function buffers(...rows: readonly (readonly [first: number, end: number, bytes: number])[]): Problem {
  return {
    buffers: rows.map(([first, end, bytes], i) => ({ id: `b${i}`, first, end, bytes, alignment: 1 })),
  };
}

const chain = buffers([0, 2, 80], [1, 3, 64], [2, 4, 96], [3, 5, 112]);
/** A residual connection: b0 lives on beside b1 and b2. */
const residual = buffers([0, 4, 10], [1, 3, 20], [2, 4, 20], [3, 5, 10]);

describe('strategies worked out by hand', () => {
  const cases: readonly [string, Problem, readonly number[], number][] = [
    // 80 and 96 share a block of 96, 64 and 112 one of 112.
    ['ping-pong', chain, [0, 96, 0, 96], 208],
    // b0 opens block 0, b1 block 1; b2 and b3 take over what has just been freed.
    ['colouring', chain, [0, 96, 0, 96], 208],
    // 112 at 0, 96 above it, 80 (which meets neither) at 0; 64 does not fit between 80 and 112, so it goes on top.
    ['size', chain, [0, 208, 112, 0], 272],
    ['duration', chain, [0, 208, 112, 0], 272],
    // Blocks of 80 and 64 are free when 96 and 112 come: neither is wide enough, so the cursor moves on each time.
    ['pool', chain, [0, 80, 144, 240], 352],
    // 80 and 64 lie side by side and join to 144 when 64 dies: 112 fits in.
    ['coalescing-pool', chain, [0, 80, 144, 0], 240],
    // Equal lengths, so the largest first, as above; 64 is never tried below 112.
    ['skyline', chain, [0, 208, 112, 0], 272],
    ['sweep', chain, [0, 80, 144, 0], 240],
    ['start', chain, [0, 80, 144, 0], 240],
    ['exact', chain, [0, 0, 0, 0], 208],
    ['hill-climb', chain, [0, 0, 0, 0], 208],
  ];
  it.each(cases)('%s', (strategy, problem, offsets, bytes) => {
    const solution = solve(problem, { strategy });
    expect(solution.bytes).toBe(bytes);
    if (offsets.some((offset) => offset > 0)) expect(solution.offsets).toEqual(offsets);
  });

  it('ping-pong says where a residual connection breaks it', () => {
    expect(() => solve(residual, { strategy: 'ping-pong' })).toThrow(
      "Strategy 'ping-pong' does not apply: two blocks are not enough (a residual connection?): 'b2' is born at step 2 while 'b0' and 'b1' live.",
    );
  });

  it('colouring shares whole blocks only', () => {
    // The blocks grow to 100 and 60, although 100 bytes would do: 60 and 40 never meet 100.
    const problem = buffers([0, 1, 100], [1, 2, 40], [1, 2, 60]);
    expect(solve(problem, { strategy: 'colouring' }).bytes).toBe(140);
    expect(solve(problem).bytes).toBe(100);
  });

  it('compares all of them, with the reasons of those that do not apply', () => {
    const rows = compare(residual);
    expect(rows.find((row) => row.strategy.name === 'ping-pong')!.refused).toMatch(/residual/);
    expect(rows.find((row) => row.strategy.name === 'exact')!.solution!.bytes).toBe(50);
    for (const { solution } of rows) if (solution) expect(solution.bytes).toBeGreaterThanOrEqual(50);
  });
});
