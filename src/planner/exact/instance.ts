/** One independent part of a problem in the form the exact search reads: sections, neighbours, scaled sizes. */
import { gcd } from '../arithmetic.ts';
import { slices } from '../conflicts.ts';
import type { Neighbours, Prepared } from '../prepare.ts';

/**
 * Sizes and offsets are in units of `scale` bytes: the common divisor of everything that can set an offset
 * (sizes, alignments, pins, overlap distances). All arrays are indexed by the part's own buffer numbers.
 */
export interface Instance {
  /** Buffer numbers of the problem. */
  readonly ids: Int32Array;
  readonly scale: number;
  readonly count: number;
  readonly size: Float64Array;
  /** Steps from birth to death. */
  readonly length: Float64Array;
  readonly alignment: Float64Array;
  /** Pinned offset or -1. */
  readonly pin: Float64Array;
  /**
   * What a buffer adds at least to a stack of buffers: its size, or less where another may overlap it from above.
   */
  readonly weight: Float64Array;
  /** Some weight is below its size, so that sums of weights count less than bytes. */
  readonly anyAligned: boolean;
  readonly anyPinned: boolean;
  readonly sections: number;
  /** Sections of buffer i: spanned[spanStart[i]] to spanned[spanStart[i + 1] - 1], ascending. */
  readonly spanStart: Int32Array;
  readonly spanned: Int32Array;
  /** Members of section s, likewise. */
  readonly memberStart: Int32Array;
  readonly members: Int32Array;
  /** Neighbour k of i: when i lies below other[k], offset(other[k]) >= offset(i) + above[k]; below[k] the other way. */
  readonly nearStart: Int32Array;
  readonly near: Int32Array;
  readonly above: Float64Array;
  readonly below: Float64Array;
}

/** Groups of buffers that are connected in time through common steps, each in order of birth; those that never hold a byte are left out. */
export function timeParts(prepared: Prepared): readonly Int32Array[] {
  const { first, end, bytes, count } = prepared;
  const order = Array.from({ length: count }, (_, i) => i)
    .filter((i) => bytes[i]! > 0 && slices(prepared.problem.buffers[i]!).length > 0)
    .sort((a, b) => first[a]! - first[b]! || a - b);
  const parts: Int32Array[] = [];
  let current: number[] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const i of order) {
    if (first[i]! >= reach && current.length > 0) {
      parts.push(Int32Array.from(current));
      current = [];
    }
    current.push(i);
    reach = Math.max(reach, end[i]!);
  }
  if (current.length > 0) parts.push(Int32Array.from(current));
  return parts;
}

/**
 * Builds the instance of some buffers. Undefined when a pair of them is not simply "one above the other" (a gap
 * leaves room inside, or an overlap may reach below its partner): the canonical search is not complete there.
 */
export function buildInstance(prepared: Prepared, ids: Int32Array): Instance | undefined {
  const neighbours = prepared.neighbours();
  if (ids.some((id) => overlapsFreely(prepared, neighbours, id))) return undefined;
  const count = ids.length;
  const local = new Int32Array(prepared.count).fill(-1);
  ids.forEach((id, i) => {
    local[id] = i;
  });
  const nearStart = new Int32Array(count + 1);
  const near: number[] = [];
  const above: number[] = [];
  const below: number[] = [];
  let scale = 0;
  for (let i = 0; i < count; i++) {
    const id = ids[i]!;
    scale = gcd(scale, prepared.bytes[id]!);
    // Alignment 1 asks for nothing, and sums of the others stay multiples.
    if (prepared.alignment[id]! > 1) scale = gcd(scale, prepared.alignment[id]!);
    if (prepared.pin[id]! >= 0) scale = gcd(scale, prepared.pin[id]!);
    for (let k = neighbours.start[id]!; k < neighbours.start[id + 1]!; k++) {
      const j = local[neighbours.other[k]!]!;
      if (j < 0) continue;
      // offset(i) - offset(j) may not lie in (low, high): j above i needs -low, i above j needs high.
      const [up, down] = [-neighbours.low[k]!, neighbours.high[k]!];
      if (up <= 0 || down <= 0 || (near.at(-1) === j && near.length > nearStart[i]!)) return undefined;
      near.push(j);
      above.push(up);
      below.push(down);
      scale = gcd(gcd(scale, up), down);
    }
    nearStart[i + 1] = near.length;
  }
  const scaled = (values: readonly number[] | Float64Array): Float64Array =>
    Float64Array.from(values, (v) => v / scale);
  const size = scaled(Float64Array.from(ids, (id) => prepared.bytes[id]!));
  const weight = size.slice();
  for (let i = 0; i < count; i++) {
    for (let k = nearStart[i]!; k < nearStart[i + 1]!; k++)
      weight[i] = Math.min(weight[i]!, above[k]! / scale);
  }
  const alignment = Float64Array.from(ids, (id) => Math.max(1, prepared.alignment[id]! / scale));
  const pin = Float64Array.from(ids, (id) => (prepared.pin[id]! < 0 ? -1 : prepared.pin[id]! / scale));
  return {
    ids,
    scale,
    count,
    size,
    length: Float64Array.from(ids, (id) => prepared.end[id]! - prepared.first[id]!),
    alignment,
    pin,
    weight,
    anyAligned: alignment.some((a) => a > 1),
    anyPinned: pin.some((p) => p >= 0),
    ...buildSections(prepared, ids),
    nearStart,
    near: Int32Array.from(near),
    above: scaled(above),
    below: scaled(below),
  };
}

/** Whether a permitted overlap leaves no rule between the pair: sections then hold more than stacks of buffers. */
function overlapsFreely(prepared: Prepared, neighbours: Neighbours, id: number): boolean {
  const row = neighbours.other.subarray(neighbours.start[id], neighbours.start[id + 1]);
  const { first, end } = prepared;
  return (prepared.problem.buffers[id]!.mayOverlap ?? []).some(
    ({ buffer }) => first[id]! < end[buffer]! && first[buffer]! < end[id]! && !row.includes(buffer),
  );
}

/** Sweeps births and deaths, deaths first: a section is a maximal set of buffers that hold bytes together. */
function buildSections(
  prepared: Prepared,
  ids: Int32Array,
): Pick<Instance, 'sections' | 'spanStart' | 'spanned' | 'memberStart' | 'members'> {
  const events: { time: number; birth: boolean; buffer: number }[] = [];
  ids.forEach((id, buffer) => {
    for (const slice of slices(prepared.problem.buffers[id]!)) {
      events.push({ time: slice.first, birth: true, buffer }, { time: slice.end, birth: false, buffer });
    }
  });
  events.sort((a, b) => a.time - b.time || Number(a.birth) - Number(b.birth) || a.buffer - b.buffer);
  const live = new Set<number>();
  const sets: number[][] = [];
  let grown = false;
  for (const event of events) {
    if (event.birth) {
      live.add(event.buffer);
      grown = true;
    } else {
      if (grown) sets.push([...live].sort((a, b) => a - b));
      grown = false;
      live.delete(event.buffer);
    }
  }
  const memberStart = new Int32Array(sets.length + 1);
  const spans: number[][] = Array.from(ids, () => []);
  sets.forEach((set, s) => {
    memberStart[s + 1] = memberStart[s]! + set.length;
    for (const i of set) spans[i]!.push(s);
  });
  const spanStart = new Int32Array(ids.length + 1);
  spans.forEach((span, i) => {
    spanStart[i + 1] = spanStart[i]! + span.length;
  });
  return {
    sections: sets.length,
    spanStart,
    spanned: Int32Array.from(spans.flat()),
    memberStart,
    members: Int32Array.from(sets.flat()),
  };
}
