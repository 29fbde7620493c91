/** Random problems for the planner's tests: small ones with every feature, from a seed that failing tests print. */
import { seededRandom } from '../../../src/planner/random.ts';
import type { Buffer, Gap, Overlap, Problem } from '../../../src/planner/types.ts';

export interface Shape {
  readonly buffers: number;
  readonly steps: number;
  readonly mostBytes: number;
  readonly alignments?: readonly number[];
  /** Chances from 0 to 1. */
  readonly pins?: number;
  readonly gaps?: number;
  readonly overlaps?: number;
  /** Adds buffers until every step holds as many bytes: where the bound is hardest to reach. */
  readonly filled?: boolean;
}

export function randomProblem(seed: number, shape: Shape): Problem {
  const random = seededRandom(seed);
  const whole = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const chance = (p: number | undefined): boolean => random() < (p ?? 0);
  const ranges = Array.from({ length: shape.buffers }, () => {
    const first = whole(0, shape.steps - 1);
    return { first, end: whole(first + 1, shape.steps), bytes: whole(1, shape.mostBytes) };
  });
  if (shape.filled) fill(ranges, shape, whole);
  let pinned = 0;
  const buffers = ranges.map(({ first, end, bytes }, i): Buffer => {
    const alignment = shape.alignments ? shape.alignments[whole(0, shape.alignments.length - 1)]! : 1;
    const gaps: Gap[] = [];
    if (chance(shape.gaps)) {
      const from = whole(0, bytes - 1);
      const gapFirst = whole(first, end - 1);
      gaps.push({ first: gapFirst, end: whole(gapFirst + 1, end), from, to: whole(from + 1, bytes) });
    }
    const mayOverlap: Overlap[] = [];
    if (i > 0 && chance(shape.overlaps)) {
      const partner = whole(0, i - 1);
      mayOverlap.push({ buffer: partner, distance: whole(0, ranges[partner]!.bytes) });
    }
    // Pins follow each other upwards, so that they never contradict.
    let offset: number | undefined;
    if (chance(shape.pins)) {
      offset = Math.ceil((pinned + whole(0, 2)) / alignment) * alignment;
      pinned = offset + bytes;
    }
    return { id: `b${i}`, first, end, bytes, alignment, offset, gaps, mayOverlap };
  });
  return { buffers };
}

function fill(
  ranges: { first: number; end: number; bytes: number }[],
  shape: Shape,
  whole: (least: number, most: number) => number,
): void {
  const load = new Array<number>(shape.steps).fill(0);
  for (const { first, end, bytes } of ranges) for (let s = first; s < end; s++) load[s]! += bytes;
  const full = Math.max(...load);
  for (let first = 0; first < shape.steps; ) {
    const room = full - load[first]!;
    if (room === 0) {
      first++;
      continue;
    }
    const longest = first + whole(1, shape.steps);
    let end = first;
    let bytes = room;
    for (; end < Math.min(longest, shape.steps) && load[end]! < full; end++)
      bytes = Math.min(bytes, full - load[end]!);
    for (let s = first; s < end; s++) load[s]! += bytes;
    ranges.push({ first, end, bytes });
  }
}
