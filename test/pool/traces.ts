/** Traces of allocations for trace.c: real ones with their sizes scattered, and a steady state. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBufferList } from '../../src/planner/csv.ts';
import { createRandom } from '../support/random.ts';

/** Bytes of memory that no trace fills. */
const MEMORY = 128 * 1024 * 1024;

/**
 * The buffer lists of a folder as traces. Every size is scattered evenly from half to one and a half of what it is, as
 * if shapes depended on data.
 */
export function scatteredTraces(folder: string, seed: number): readonly string[] {
  const random = createRandom(seed);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => {
      const { buffers } = parseBufferList(readFileSync(join(folder, name), 'utf8'), name).problem;
      const events = buffers.flatMap(({ first, end, bytes }, i) => [
        { at: first, frees: 0, line: `a ${i} ${Math.floor((bytes * (512 + random(1025))) / 1024)}` },
        { at: end, frees: 1, line: `f ${i}` },
      ]);
      // What ends at a step is free when the step begins.
      events.sort((a, b) => a.at - b.at || b.frees - a.frees);
      return `${MEMORY}\n${events.map(({ line }) => line).join('\n')}\n`;
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
