/** Checks a packing pair by pair: alignment, pins, and no byte held by two buffers at once. */
import type { Diagnostic } from '../errors.ts';
import type { Gap, Problem } from '../planner/types.ts';
import { createAddresses } from './addresses.ts';
import { fault } from './fault.ts';

/** A buffer with its place. `id` is what `mayOverlap` of others refers to. */
export interface Placed {
  readonly id: number;
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
  capacity = Number.POSITIVE_INFINITY,
): readonly Diagnostic[] {
  if (offsets.length !== problem.buffers.length) {
    return [fault(`There are ${offsets.length} offsets for ${problem.buffers.length} buffers.`)];
  }
  const placed = problem.buffers.map((buffer, id) => ({
    ...buffer,
    id,
    offset: offsets[id]!,
    gaps: buffer.gaps ?? [],
    mayOverlap: buffer.mayOverlap ?? [],
  }));
  const pins = problem.buffers.flatMap(({ id, offset }, index) =>
    offset === undefined || offset === offsets[index]
      ? []
      : [fault(`Buffer ${id} is pinned at ${offset} but lies at ${offsets[index]}.`)],
  );
  const nameOf = ({ id }: Placed): string => problem.buffers[id]!.id;
  const over = placed.filter(({ offset, bytes }) => offset + bytes > capacity);
  return [
    ...packingFaults(placed, nameOf),
    ...pins,
    ...over.map((buffer) => {
      const end = buffer.offset + buffer.bytes;
      return fault(`Buffer ${nameOf(buffer)} ends at ${end}, beyond the capacity of ${capacity}.`);
    }),
  ];
}

/** Faults of buffers that share one address range; `nameOf` names one in messages. */
export function packingFaults<B extends Placed>(
  buffers: readonly B[],
  nameOf: (buffer: B) => string,
): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const buffer of buffers) {
    const wrong = placeFault(buffer);
    if (wrong !== undefined) faults.push(fault(`Buffer ${nameOf(buffer)} ${wrong}.`));
  }
  const solid = buffers.filter(holdsBytes);
  const births = solid.toSorted(byStart);
  const deaths = solid.toSorted((a, b) => a.end - b.end);
  const live = createAddresses<B>();
  let dead = 0;
  for (const buffer of births) {
    for (; deaths[dead]!.end <= buffer.first; dead++) live.remove(deaths[dead]!);
    for (const other of live.touching(buffer).toSorted(byStart)) {
      const step = sharedAt(other, buffer);
      if (step !== undefined && !mayShare(other, buffer)) {
        const both = `${nameOf(other)} and ${nameOf(buffer)}`;
        faults.push(fault(`Buffers ${both} hold the same byte at step ${step}.`));
      }
    }
    live.add(buffer);
  }
  return faults;
}

function byStart(a: Placed, b: Placed): number {
  return a.first - b.first || a.id - b.id;
}

/** What has no bytes, no place or no life shares none. */
function holdsBytes({ first, end, bytes, offset }: Placed): boolean {
  return bytes > 0 && end > first && [bytes, offset, offset + bytes].every(isCount);
}

/** What is wrong with the place itself, or undefined. */
function placeFault({ first, end, bytes, alignment, offset }: Placed): string | undefined {
  if (!isCount(first) || !(end > first)) return `lives from step ${first} to before ${end}`;
  if (!isCount(offset)) return `has offset ${offset}`;
  if (!isCount(bytes) || !isCount(offset + bytes)) return `has ${bytes} bytes`;
  if (alignment >= 1 && offset % alignment === 0) return undefined;
  return `at offset ${offset} is not aligned to ${alignment}`;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The first step at which both, of which each has bytes, hold one of them; or undefined. */
function sharedAt(a: Placed, b: Placed): number | undefined {
  const first = Math.max(a.first, b.first);
  const end = Math.min(a.end, b.end);
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
  let taken: [number, number][] = [[0, bytes]];
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
      ({ buffer, distance }) => buffer === below.id && above.offset - below.offset >= distance,
    );
  return permits(a, b) || permits(b, a);
}
