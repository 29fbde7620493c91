/** Traces of allocations for trace.c: real ones with their sizes scattered, and a steady state. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBufferList } from '../../src/planner/csv.ts';
import type { Buffer } from '../../src/planner/types.ts';
import { createRandom } from '../support/random.ts';

/** Bytes of memory that no trace fills. */
const MEMORY = 128 * 1024 * 1024;

/** One run of a network: every size scattered evenly from half to one and a half of what it is. */
function scattered(buffers: readonly Buffer[], random: (below: number) => number): readonly string[] {
  const events = buffers.flatMap(({ first, end, bytes }, i) => [
    { at: first, frees: 0, line: `a ${i} ${Math.floor((bytes * (512 + random(1025))) / 1024)}` },
    { at: end, frees: 1, line: `f ${i}` },
  ]);
  // What ends at a step is free when the step begins.
  return events.sort((a, b) => a.at - b.at || b.frees - a.frees).map(({ line }) => line);
}

/** The buffer lists of a folder as traces, as if shapes depended on data: each network `runs` times, with new sizes. */
export function scatteredTraces(folder: string, seed: number, runs = 1): readonly string[] {
  const random = createRandom(seed);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => {
      const { buffers } = parseBufferList(readFileSync(join(folder, name), 'utf8'), name).problem;
      const lines = Array.from({ length: runs }, () => scattered(buffers, random)).flat();
      return `${MEMORY}\n${lines.join('\n')}\n`;
    });
}

const SIZES = [40, 64, 250, 256, 1000, 1024, 4000, 4096, 9216, 16384, 30000];
const SLOTS = 100;

/** Tensors of recurring sizes that come and go at random, about half of a hundred at a time. */
export function steadyTrace(seed: number): string {
  const random = createRandom(seed);
  const live = new Set<number>();
  const lines = Array.from({ length: 20_000 }, () => {
    const slot = random(SLOTS);
    if (live.delete(slot)) return `f ${slot}`;
    live.add(slot);
    return `a ${slot} ${SIZES[random(SIZES.length)]}`;
  });
  return `${MEMORY}\n${lines.join('\n')}\n`;
}
