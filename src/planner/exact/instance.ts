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
  /** The next buffer that differs in nothing but its name, in a ring; -1: there is none. */
  readonly twin: Int32Array;
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
  const pairs = localPairs(neighbours, ids, local);
  if (pairs === undefined) return undefined;
  const scale = commonScale(prepared, ids, pairs);
  const scaled = (values: Float64Array): Float64Array => values.map((value) => value / scale);
  const size = Float64Array.from(ids, (id) => prepared.bytes[id]! / scale);
  const weight = size.slice();
  const above = scaled(pairs.above);
  for (let i = 0; i < count; i++) {
    for (let k = pairs.nearStart[i]!; k < pairs.nearStart[i + 1]!; k++)
      weight[i] = Math.min(weight[i]!, above[k]!);
  }
  const alignment = Float64Array.from(ids, (id) => Math.max(1, prepared.alignment[id]! / scale));
  const pin = Float64Array.from(ids, (id) => (prepared.pin[id]! < 0 ? -1 : prepared.pin[id]! / scale));
  const spans = buildSections(prepared, ids);
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
    twin: prepared.plain ? findTwins(size, alignment, pin, spans) : new Int32Array(count).fill(-1),
    ...spans,
    ...pairs,
    above,
    below: scaled(pairs.below),
  };
}

type Pairs = Pick<Instance, 'nearStart' | 'near' | 'above' | 'below'>;

/** The neighbours within the part, distances in bytes; undefined when a pair is not simply one above the other. */
function localPairs(neighbours: Neighbours, ids: Int32Array, local: Int32Array): Pairs | undefined {
  const { start, other, low, high } = neighbours;
  const nearStart = new Int32Array(ids.length + 1);
  ids.forEach((id, i) => {
    let inside = 0;
    for (let k = start[id]!; k < start[id + 1]!; k++) if (local[other[k]!]! >= 0) inside++;
    nearStart[i + 1] = nearStart[i]! + inside;
  });
  const entries = nearStart[ids.length]!;
  const near = new Int32Array(entries);
  const above = new Float64Array(entries);
  const below = new Float64Array(entries);
  let next = 0;
  for (const id of ids) {
    for (let k = start[id]!; k < start[id + 1]!; k++) {
      const j = local[other[k]!]!;
      if (j < 0) continue;
      // Room inside a gap makes several stretches; a distance of 0 or less reaches below the partner.
      const again = k > start[id]! && other[k - 1] === other[k];
      if (again || low[k]! >= 0 || high[k]! <= 0) return undefined;
      near[next] = j;
      above[next] = -low[k]!;
      below[next++] = high[k]!;
    }
  }
  return { nearStart, near, above, below };
}

/** Common divisor of everything that can set an offset; alignment 1 asks for nothing. */
function commonScale(prepared: Prepared, ids: Int32Array, pairs: Pairs): number {
  const { bytes, alignment, pin, plain } = prepared;
  let scale = 0;
  for (const id of ids) {
    scale = gcd(scale, bytes[id]!);
    if (alignment[id]! > 1) scale = gcd(scale, alignment[id]!);
    if (pin[id]! >= 0) scale = gcd(scale, pin[id]!);
  }
  // In plain problems the distances are the sizes themselves.
  for (const distance of plain ? [] : pairs.above) scale = gcd(scale, distance);
  return scale;
}

/** Whether a permitted overlap leaves no rule between the pair: sections then hold more than stacks of buffers. */
function overlapsFreely(prepared: Prepared, neighbours: Neighbours, id: number): boolean {
  const row = neighbours.other.subarray(neighbours.start[id], neighbours.start[id + 1]);
  const { first, end } = prepared;
  return (prepared.problem.buffers[id]!.mayOverlap ?? []).some(
    ({ buffer }) => first[id]! < end[buffer]! && first[buffer]! < end[id]! && !row.includes(buffer),
  );
}

/** Rings of unpinned buffers with the same size, alignment and sections. In plain problems nothing else matters. */
function findTwins(
  size: Float64Array,
  alignment: Float64Array,
  pin: Float64Array,
  spans: Sections,
): Int32Array {
  const { spanStart, spanned } = spans;
  const twin = new Int32Array(size.length).fill(-1);
  const heads = new Map<string, number>();
  for (let i = 0; i < size.length; i++) {
    if (pin[i]! >= 0) continue;
    const key = [size[i], alignment[i], spanned[spanStart[i]!], spanned[spanStart[i + 1]! - 1]].join();
    const head = heads.get(key);
    if (head === undefined) heads.set(key, i);
    else [twin[i], twin[head]] = [twin[head]! < 0 ? head : twin[head]!, i];
  }
  return twin;
}

type Sections = Pick<Instance, 'sections' | 'spanStart' | 'spanned' | 'memberStart' | 'members'>;

/** Sweeps births and deaths, deaths first: a section is a maximal set of buffers that hold bytes together. */
function buildSections(prepared: Prepared, ids: Int32Array): Sections {
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
