/** The planner's slow checks: twenty thousand problems against every offset, a second exact method, published data. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBufferList } from '../../src/planner/csv.ts';
import { solve } from '../../src/planner/solve.ts';
import type { Problem } from '../../src/planner/types.ts';
import { verifyPacking } from '../../src/verify/verify.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { OPEN_SETS } from './support/open-sets.ts';
import { faults, fits } from './support/oracle.ts';
import { randomProblem, type Shape } from './support/random-problem.ts';
import { fitsByOrientation } from './support/second-exact.ts';
import { firstClash } from './support/sweep-check.ts';

describe('20,000 random problems against every offset of every buffer', () => {
  const shapes: Readonly<Record<string, Shape>> = {
    plain: { buffers: 7, steps: 6, mostBytes: 4 },
    filled: { buffers: 4, steps: 6, mostBytes: 4, filled: true },
    aligned: { buffers: 7, steps: 6, mostBytes: 5, alignments: [1, 1, 2, 4] },
    'one alignment': { buffers: 7, steps: 5, mostBytes: 5, alignments: [3] },
    pins: { buffers: 7, steps: 6, mostBytes: 4, pins: 0.3, alignments: [1, 2] },
    overlaps: { buffers: 7, steps: 6, mostBytes: 5, overlaps: 0.4 },
    gaps: { buffers: 7, steps: 6, mostBytes: 5, gaps: 0.5 },
    everything: {
      buffers: 7,
      steps: 6,
      mostBytes: 4,
      gaps: 0.3,
      overlaps: 0.3,
      pins: 0.15,
      alignments: [1, 1, 2],
    },
  };
  it.each(Object.entries(shapes))('%s', (_, shape) => {
    for (let seed = 10_001; seed <= 12_500; seed++) {
      const problem = randomProblem(seed, shape);
      const { offsets, bytes, lowerBound, optimal } = solve(problem);
      expect(faults(problem, offsets), `seed ${seed}`).toEqual([]);
      expect(optimal, `seed ${seed}: ${bytes} over ${lowerBound}`).toBe(true);
      expect(fits(problem, bytes - 1), `seed ${seed}: ${bytes}`).toBe(false);
    }
  });
});

it('agrees with a second exact method on 500 problems whose bound cannot be reached', () => {
  let refuted = 0;
  for (let seed = 1; refuted < 500; seed++) {
    const problem = randomProblem(seed, { buffers: 8, steps: 8, mostBytes: 4, filled: true });
    const solution = solve(problem);
    expect(solution.optimal, `seed ${seed}`).toBe(true);
    if (solution.proof !== 'exhausted') continue;
    const below = fitsByOrientation(problem, solution.bytes - 1, 20_000);
    if (below === undefined) continue;
    expect(below, `seed ${seed}: ${solution.bytes}`).toBe(false);
    refuted++;
  }
});

const folder = corpus();
if (folder === undefined) console.log(`planner data: ${CORPUS_MISSING}`);

describe.skipIf(folder === undefined)('published buffer lists', () => {
  const data = join(folder ?? '', 'data/planning');
  const read = (file: string): Problem =>
    parseBufferList(readFileSync(join(data, file), 'utf8'), file).problem;
  const lists = (name: string): readonly string[] =>
    readdirSync(join(data, name)).filter((file) => file.endsWith('.csv'));

  it('proves every real trace at the peak that Glow recorded', () => {
    const index = readFileSync(join(data, 'glow/INDEX.tsv'), 'utf8').trim().split('\n').slice(1);
    expect(index.length).toBe(79);
    for (const line of index) {
      const [name, , alignment, , peak] = line.split('\t');
      const problem = read(`glow/${name}.csv`);
      const solution = solve(problem);
      expect([solution.bytes, solution.optimal], name).toEqual([Number(peak), true]);
      expect(verifyPacking(problem, solution.offsets), name).toEqual([]);
      // The sizes are multiples already, so the alignment comes for free.
      expect(
        solution.offsets.every((offset) => offset % Number(alignment) === 0),
        name,
      ).toBe(true);
    }
  });

  it('finds the eleven hard sets at their published capacity', () => {
    for (const file of lists('minimalloc').filter((f) => f.includes('1048576'))) {
      const problem = read(`minimalloc/${file}`);
      const solution = solve(problem, { capacity: 1048576 });
      expect(solution.bytes, file).toBeLessThanOrEqual(1048576);
      expect(verifyPacking(problem, solution.offsets), file).toEqual([]);
    }
    expect(solve(read('minimalloc/C.1048576.csv'), { capacity: 1039360 }).bytes).toBe(1039360);
  });

  it.each(Object.entries(OPEN_SETS))(
    'holds the best plan of %s that was found with more effort',
    (name, { bytes, offsets }) => {
      const problem = read(`minimalloc/${name}.1048576.csv`);
      expect(Math.max(...problem.buffers.map((buffer, i) => offsets[i]! + buffer.bytes))).toBe(bytes);
      expect(firstClash(problem, [...offsets])).toBeUndefined();
      expect(verifyPacking(problem, [...offsets])).toEqual([]);
    },
  );

  const small = JSON.parse(folder ? readFileSync(join(data, 'small.json'), 'utf8') : '{}') as Record<
    string,
    { buffers: [number, number, number][]; peak_live: number }
  >;
  it.each(Object.entries(small))('proves %s', (_, { buffers, peak_live }) => {
    const problem = {
      buffers: buffers.map(([first, last, bytes], i) => ({
        id: `${i}`,
        first,
        end: last + 1,
        bytes,
        alignment: 1,
      })),
    };
    expect(solve(problem)).toMatchObject({ bytes: peak_live, optimal: true });
  });

  it.each([
    ['G_1', 1.0],
    ['resnet50', 1.0],
    ['pangu_2.6B', 1.0334],
    ['S_1', 1.0112],
    ['Y_1', 1.019],
  ])('packs idealloc %s within %d of the bound', (name, most) => {
    const problem = read(`idealloc/${name}.csv`);
    const solution = solve(problem);
    expect(solution.bytes / solution.lowerBound).toBeLessThanOrEqual(most);
    expect(firstClash(problem, solution.offsets)).toBeUndefined();
  });
});
