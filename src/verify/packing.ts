/** Checks a packing pair by pair: alignment, pins, and no byte held by two buffers at once. */
import type { Diagnostic } from '../errors.ts';
import type { Gap, Problem } from '../planner/types.ts';
import { fault } from './fault.ts';

/** A buffer with its place. `id` names it in messages; `index` is what `mayOverlap` of others refers to. */
export interface Placed {
  readonly id: string;
  readonly index: number;
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
  readonly alignment: number;
  readonly offset: number;
  readonly gaps: readonly Gap[];
  readonly mayOverlap: readonly { readonly buffer: number; readonly distance: number }[];
}

/** Every promise that the offsets break; offsets by buffer index, `capacity` in bytes. */
export function verifyPacking(
  problem: Problem,
  offsets: readonly number[],
  capacity?: number | undefined,
): readonly Diagnostic[] {
  if (offsets.length !== problem.buffers.length) {
    return [fault(`There are ${offsets.length} offsets for ${problem.buffers.length} buffers.`)];
  }
  const placed = problem.buffers.map((buffer, index) => ({
    ...buffer,
    index,
    offset: offsets[index]!,
    gaps: buffer.gaps ?? [],
    mayOverlap: buffer.mayOverlap ?? [],
  }));
  const pins = problem.buffers.flatMap(({ id, offset }, index) =>
    offset === undefined || offset === offsets[index]
      ? []
      : [fault(`Buffer ${id} is pinned at ${offset} but lies at ${offsets[index]}.`)],
  );
  const over = placed.filter(({ offset, bytes }) => capacity !== undefined && offset + bytes > capacity);
  return [
    ...packingFaults(placed),
    ...pins,
    ...over.map(({ id, offset, bytes }) =>
      fault(`Buffer ${id} ends at ${offset + bytes}, beyond the capacity of ${capacity}.`),
    ),
  ];
}

/** Faults of buffers that share one address range. */
export function packingFaults(buffers: readonly Placed[]): readonly Diagnostic[] {
  const faults = buffers.flatMap(placeFaults);
  const byStart = [...buffers].sort((a, b) => a.first - b.first);
  let live: Placed[] = [];
  for (const buffer of byStart) {
    live = live.filter(({ end }) => end > buffer.first);
    for (const other of live) {
      const step = sharedAt(other, buffer);
      if (step !== undefined && !mayShare(other, buffer)) {
        faults.push(fault(`Buffers ${other.id} and ${buffer.id} hold the same byte at step ${step}.`));
      }
    }
    live.push(buffer);
  }
  return faults;
}

function placeFaults({ id, first, end, bytes, alignment, offset }: Placed): Diagnostic[] {
  const whole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  if (!whole(first) || !(end > first)) {
    return [fault(`Buffer ${id} lives from step ${first} to before ${end}.`)];
  }
  if (!whole(offset)) return [fault(`Buffer ${id} has offset ${offset}.`)];
  if (!whole(bytes) || !whole(offset + bytes)) return [fault(`Buffer ${id} has ${bytes} bytes.`)];
  if (alignment >= 1 && offset % alignment === 0) return [];
  return [fault(`Buffer ${id} at offset ${offset} is not aligned to ${alignment}.`)];
}

/** The first step at which both hold one byte, or undefined. */
function sharedAt(a: Placed, b: Placed): number | undefined {
  const first = Math.max(a.first, b.first);
  const end = Math.min(a.end, b.end);
  if (first >= end || a.offset >= b.offset + b.bytes || b.offset >= a.offset + a.bytes) return undefined;
  // What is taken changes only where a gap begins or ends.
  const moments = [first, ...[...a.gaps, ...b.gaps].flatMap((gap) => [gap.first, gap.end])];
  return moments
    .filter((step) => step >= first && step < end)
    .sort((x, y) => x - y)
    .find((step) => {
      const takenB = takenAt(b, step);
      return takenAt(a, step).some(([from, to]) => takenB.some(([low, high]) => from < high && low < to));
    });
}

/** Address ranges [from, to) that the buffer holds at the step: all of it but its gaps. */
function takenAt({ offset, bytes, gaps }: Placed, step: number): readonly (readonly [number, number])[] {
  let taken: [number, number][] = bytes > 0 ? [[0, bytes]] : [];
  for (const gap of gaps) {
    if (step < gap.first || step >= gap.end) continue;
    taken = taken.flatMap(([from, to]): [number, number][] =>
      [
        [from, Math.min(to, gap.from)] as [number, number],
        [Math.max(from, gap.to), to] as [number, number],
      ].filter(([low, high]) => low < high),
    );
  }
  return taken.map(([from, to]) => [offset + from, offset + to]);
}

/** A permitted partial overlap: one lies far enough above the other. */
function mayShare(a: Placed, b: Placed): boolean {
  const permits = (above: Placed, below: Placed): boolean =>
    above.mayOverlap.some(
      ({ buffer, distance }) => buffer === below.index && above.offset - below.offset >= distance,
    );
  return permits(a, b) || permits(b, a);
}
