/** Makes buffer lists that look like real ones: branchy networks, chains, training steps, random traffic. */
import { seededRandom } from '../../src/planner/random.ts';
import type { Buffer, Problem } from '../../src/planner/types.ts';

type Row = readonly [first: number, end: number, bytes: number];

function problem(rows: readonly Row[]): Problem {
  const buffers = rows.map(
    ([first, end, bytes], i): Buffer => ({ id: `${i}`, first, end, bytes, alignment: 1 }),
  );
  return { buffers };
}

/**
 * A graph as architecture search makes them: each step reads one to three earlier tensors, mostly recent ones, and
 * writes one; resolution falls and channels rise along the way.
 */
export function branchyNetwork(seed: number, tensors: number): Problem {
  const random = seededRandom(seed);
  const lastRead = Array.from({ length: tensors }, (_, step) => step);
  for (let step = 1; step < tensors; step++) {
    const readers = 1 + Math.floor(random() * 3);
    for (let k = 0; k < readers; k++) {
      const back = 1 + Math.floor(-Math.log(1 - random()) * (k === 0 ? 1 : 4));
      lastRead[Math.max(0, step - back)] = step;
    }
  }
  const rows = lastRead.map((last, step): Row => {
    const stage = Math.floor((4 * step) / tensors);
    const side = 32 >> stage;
    const channels = (8 << stage) * (1 + Math.floor(random() * 4));
    return [step, Math.min(tensors, last + 1), side * side * channels];
  });
  return problem(rows);
}

/** A chain as inference runs it: most tensors are read at the next step, some skip ahead. About 3.4 pairs each. */
export function longChain(seed: number, count: number): Problem {
  const random = seededRandom(seed);
  const rows = Array.from({ length: count }, (_, i): Row => {
    const ahead = random() < 0.1 ? 3 + Math.floor(random() * 30) : 2;
    return [i, Math.min(count + 1, i + ahead), 64 * (1 + Math.floor(random() * 4096))];
  });
  return problem(rows);
}

/** A training step: what the forward half makes lives until the backward half passes it; gradients live briefly. */
export function trainingStep(seed: number, count: number): Problem {
  const random = seededRandom(seed);
  const half = count >> 1;
  const size = (): number => 256 * (1 + Math.floor(random() * 1024));
  const forward = Array.from({ length: half }, (_, i): Row => [i, 2 * half - i, size()]);
  const backward = Array.from({ length: count - half }, (_, i): Row => [half + i, half + i + 2, size()]);
  return problem([...forward, ...backward]);
}

/** Random births, heavy-tailed lengths and sizes: about 60 pairs each. */
export function randomTraffic(seed: number, count: number): Problem {
  const random = seededRandom(seed);
  const tail = (least: number, most: number): number =>
    Math.min(most, Math.floor(least / (1 - random()) ** (1 / 1.2)));
  const rows = Array.from({ length: count }, (): Row => {
    const first = Math.floor(random() * count);
    return [first, first + tail(12, count >> 4), 16 * tail(4, 65536)];
  });
  return problem(rows);
}
