/** The pools over ten million calls and over real traces; the figures are those of docs/pool.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../src/emit/write.ts';
import { corpus } from '../support/corpus.ts';
import { emptyFolder } from '../support/generated.ts';
import { type Build, buildPool, instructionsOnBoard, runPool } from '../support/pools.ts';
import { missing, run } from '../support/tools.ts';
import { scatteredTraces, steadyTrace } from './traces.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/pool.md', import.meta.url)), 'utf8');
const MANY = 'TENSOR_POOL_MAX_TENSORS=8000';
const SEEDS = [1, 2, 3];

/** Rows of the tables, as the page names them. */
const FORMS: readonly (readonly [string, Build])[] = [
  ['whole blocks, never joined', { form: 3, sanitize: false }],
  ['best fit, not joined', { form: 0, sanitize: false, settings: [MANY, 'TENSOR_POOL_COMPACT_AT=0'] }],
  ['best fit, joined', { form: 0, sanitize: false, settings: [MANY] }],
  ['constant time', { form: 1, sanitize: false }],
  ['constant time with size classes', { form: 2, sanitize: false }],
];

const KEEPS = [0, 4].map((blocks): (typeof FORMS)[number] => [
  `the same, ${blocks === 0 ? 'no' : blocks} blocks of a class kept`,
  { form: 2, sanitize: false, settings: [`TENSOR_FAST_KEEP=${blocks}`] },
]);

/** How often each network runs. */
const RUNS = 20;

interface Measured {
  /** Peak of the pool over the peak of live bytes. */
  readonly ratio: number;
  /** In percent. */
  readonly internal: number;
  readonly external: number;
  /** Of no use to the allocation at hand. */
  readonly lost: number;
}

async function replay(program: string, trace: string): Promise<Measured> {
  const dir = emptyFolder();
  writeFiles(dir, [{ name: 'trace', text: trace }]);
  const { status, output } = await run(program, ['trace'], dir);
  if (status !== 0) throw new Error(output);
  const [peak = 0, reach = 0, internal = 0, external = 0, lost = 0] = output.split(' ').map(Number);
  return { ratio: reach / peak, internal: internal / 1e4, external: external / 1e4, lost: lost / 1e4 };
}

async function replayAll(build: Build, traces: readonly string[]): Promise<readonly Measured[]> {
  const program = await buildPool('trace', build);
  const found: Measured[] = [];
  for (const trace of traces) found.push(await replay(program, trace));
  return found;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Medians, as the page has them. */
function fragmentation(found: readonly Measured[]): readonly string[] {
  const parts = [
    median(found.map(({ internal }) => internal)),
    median(found.map(({ lost }) => lost)),
    median(found.map(({ ratio }) => 100 * (1 - 1 / ratio))),
    median(found.map(({ external }) => external)),
  ];
  return parts.map((percent) => `${percent.toFixed(2)} %`);
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

describe.skipIf(corpus() === undefined || missing('gcc', 'qemu-system-arm') !== undefined)('pools', () => {
  const LONG: readonly (readonly [string, Build])[] = [
    ['best fit', { form: 0 }],
    ['constant time', { form: 1 }],
    ['constant time with size classes', { form: 2 }],
  ];
  it.each(LONG)('ten million calls agree with a model: %s', async (_, build) => {
    // Five runs, because each may take a minute.
    for (const seed of ['11', '12', '13', '14', '15']) {
      const finished = await runPool('fuzz', build, ['2000000', seed]);
      expect({ seed, ...finished }).toEqual({ seed, status: 0, output: '2000000 operations agree\n' });
    }
  });

  it('peak over peak of live bytes, over 79 traces with scattered sizes', async () => {
    const traces = SEEDS.flatMap((seed) => scatteredTraces(join(corpus()!, 'data/planning/glow'), seed));
    expect(traces).toHaveLength(79 * SEEDS.length);
    const rows: string[] = [];
    for (const [name, build] of FORMS) {
      const ratios = (await replayAll(build, traces)).map(({ ratio }) => ratio);
      const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length;
      rows.push(row([name, ...[median(ratios), mean, Math.max(...ratios)].map((x) => x.toFixed(3))]));
      if (!/never|not/.test(name)) expect(median(ratios)).toBeLessThanOrEqual(1.25);
    }
    expect(PAGE).toContain(rows.join('\n'));
  });

  it('fragmentation in a steady state', async () => {
    const rows: string[] = [];
    for (const [name, build] of [...FORMS.slice(2), ...KEEPS]) {
      rows.push(row([name, ...fragmentation(await replayAll(build, SEEDS.map(steadyTrace)))]));
    }
    expect(PAGE).toContain(rows.join('\n'));
  });

  it('fragmentation of networks that run again and again', async () => {
    const traces = SEEDS.flatMap((seed) =>
      scatteredTraces(join(corpus()!, 'data/planning/glow'), seed, RUNS),
    );
    const rows: string[] = [];
    for (const [name, build] of FORMS.slice(2)) {
      rows.push(row([name, ...fragmentation(await replayAll(build, traces))]));
    }
    expect(PAGE).toContain(rows.join('\n'));
  });

  it('instructions of calls on a Cortex-M7', async () => {
    const rows: string[] = [];
    const means: string[] = [];
    for (const [name, build] of FORMS.slice(2)) {
      const measured = await instructionsOnBoard(build);
      rows.push(row([name, ...measured.flatMap(({ alloc, release }) => [`${alloc}`, `${release}`])]));
      const [few, many] = measured;
      means.push(row([name, ...measured.flatMap((c) => [`${c.meanAlloc}`, `${c.meanRelease}`])]));
      // Constant time is what stays the same when there are 25 times as many tensors.
      if (name.startsWith('constant')) expect(many!.alloc).toBeLessThan(few!.alloc * 1.05);
      else expect(many!.alloc).toBeGreaterThan(few!.alloc * 2);
    }
    expect(PAGE).toContain(rows.join('\n'));
    expect(PAGE).toContain(means.join('\n'));
  });
});
