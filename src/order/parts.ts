/** Cuts a problem into parts that can be ordered one by one, and takes parts out of it. */
import { row } from './prepare.ts';
import type { OrderProblem, OrderStep, Value } from './types.ts';
import type { Walk } from './walk.ts';

/**
 * Runs of steps that every order keeps apart, in their order: the steps of a run come after all steps of the runs
 * before it. A run of one step is a step that every other step comes before or after. Linear in the steps.
 */
export function seriesParts({ steps }: OrderProblem): readonly (readonly number[])[] {
  const firstAfter = new Int32Array(steps.length).fill(steps.length);
  const lastBefore = Int32Array.from(steps, ({ after }, step) => {
    let last = -1;
    for (const earlier of after) {
      last = Math.max(last, earlier);
      firstAfter[earlier] = Math.min(firstAfter[earlier]!, step);
    }
    return last;
  });
  /** Each step from this one on waits for a step that is not before this. */
  const waitsFor = new Int32Array(steps.length + 1).fill(steps.length);
  for (let step = steps.length - 1; step >= 0; step--) {
    waitsFor[step] = Math.min(waitsFor[step + 1]!, lastBefore[step]!);
  }
  const parts: number[][] = [];
  let open: number[] = [];
  let waitedFor = 0;
  for (let step = 0; step < steps.length; step++) {
    const alone = waitedFor <= step && waitsFor[step + 1]! >= step;
    if (alone) {
      if (open.length > 0) parts.push(open);
      parts.push([step]);
      open = [];
    } else open.push(step);
    waitedFor = Math.max(waitedFor, firstAfter[step]!);
  }
  if (open.length > 0) parts.push(open);
  return parts;
}

/**
 * The problem of ordering some steps that run together at the moment of the walk: what they wait for outside has
 * run, all others come later. Steps are numbered in the order of `part`, which must be executable.
 */
export function partAt(walk: Walk, part: readonly number[]): OrderProblem {
  const { problem, reads, writes } = walk.prepared;
  const place = new Map(part.map((step, index) => [step, index]));
  const touched = new Set<number>();
  for (const step of part) {
    for (const value of row(reads, step)) touched.add(value);
    for (const value of row(writes, step)) touched.add(value);
  }
  let baseBytes = walk.live();
  const numbers = new Map([...touched].map((value, index) => [value, index]));
  const values = [...touched].map((value): Value => {
    const { bytes, producer, readers, survives } = problem.values[value]!;
    const from = place.get(producer) ?? -1;
    const inside = readers.flatMap((reader) => place.get(reader) ?? []);
    const later = survives || readers.some((reader) => !place.has(reader) && !walk.isTaken(reader));
    // What is there now is part of the base, unless it may be released here.
    if (from < 0 && !later) baseBytes -= bytes;
    return { bytes: from < 0 && later ? 0 : bytes, producer: from, readers: inside, survives: later };
  });
  const steps = part.map((step): OrderStep => {
    const { after, extraBytes, overwrites } = problem.steps[step]!;
    return {
      after: after.flatMap((earlier) => place.get(earlier) ?? []),
      extraBytes,
      overwrites: overwrites.map(({ over, bytes }) => ({
        over: over.map((value) => numbers.get(value)!),
        bytes,
      })),
    };
  });
  return { steps, values, baseBytes, startBytes: walk.size() === 0 ? problem.startBytes : 0 };
}
