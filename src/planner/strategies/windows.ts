/** Repairs a plan where it is too high: a window in time is searched exactly while everything around stays put. */
import { createDecider } from '../exact/decide.ts';
import { buildInstance } from '../exact/instance.ts';
import { minimise } from '../exact/minimise.ts';
import { firstFit, firstFitWork } from '../first-fit.ts';
import { durations, orderBy } from '../orders.ts';
import { type Prepared, prepare } from '../prepare.ts';
import { createStopper, type Stopper } from '../stopper.ts';
import type { Placement, Strategy } from '../strategy.ts';
import type { Buffer, SolveOptions } from '../types.ts';

/** Search nodes when nothing else is asked for. */
const DEFAULT_EFFORT = 100_000;
/** Buffers that may move in a window: small ones first, since most repairs are local. */
const ROOM = [60, 200, 600] as const;
/** Buffers that a window may see, those that stay put included. */
const MAX_SEEN = 2500;
/** Share of the effort for one window. */
const WINDOW_SHARE = 0.1;

export const windows: Strategy = {
  name: 'windows',
  about: 'Takes the plan found so far and searches again, exactly, around the buffers that end too high.',
  cost: 'limited by effort; each window looks at all n',
  source: 'large neighbourhood search: Shaw, 1998, with the exact search as its engine',
  work: (prepared) => firstFitWork(prepared) + 1000 * prepared.count,
  place: (prepared, options, incumbent) => {
    if (!prepared.plain)
      return { refused: 'it cannot keep gaps and permitted overlaps at the edge of a window' };
    const { count, bytes } = prepared;
    const start = incumbent ?? firstFit(prepared, orderBy(count, bytes, durations(prepared)));
    return repair(prepared, options, Float64Array.from(start));
  },
};

function repair(prepared: Prepared, options: SolveOptions, offsets: Float64Array): Placement {
  const effort = options.effort ?? DEFAULT_EFFORT;
  let aim = Math.max(prepared.bound.bytes, options.capacity ?? 0);
  const stopped = createStopper(options);
  let nodes = 0;
  while (nodes < effort && !stopped()) {
    const cluster = highCluster(prepared, offsets, aim);
    if (cluster === undefined) break;
    for (const room of ROOM) {
      const high = clusterTop(prepared, offsets, cluster);
      if (high <= aim) break;
      const share = effort * WINDOW_SHARE;
      nodes += searchWindow(prepared, offsets, cluster, room, { low: aim, high }, share, stopped);
    }
    // What could not be repaired sets the aim for the rest.
    aim = Math.max(aim, clusterTop(prepared, offsets, cluster));
  }
  return { offsets, nodes };
}

interface Span {
  readonly first: number;
  readonly end: number;
}

/** The time that the first group of overlapping buffers above the aim lives; undefined: none lies above it. */
function highCluster(prepared: Prepared, offsets: Float64Array, aim: number): Span | undefined {
  const { count, first, end, bytes } = prepared;
  const high = Array.from({ length: count }, (_, i) => i)
    .filter((i) => offsets[i]! + bytes[i]! > aim)
    .sort((a, b) => first[a]! - first[b]! || a - b);
  const [head] = high;
  if (head === undefined) return undefined;
  let reach = end[head]!;
  for (const i of high) {
    if (first[i]! >= reach) break;
    reach = Math.max(reach, end[i]!);
  }
  return { first: first[head]!, end: reach };
}

function clusterTop(prepared: Prepared, offsets: Float64Array, { first, end }: Span): number {
  let top = 0;
  for (let i = 0; i < prepared.count; i++) {
    if (prepared.first[i]! >= first && prepared.end[i]! <= end)
      top = Math.max(top, offsets[i]! + prepared.bytes[i]!);
  }
  return top;
}

/** Searches the widest window around the cluster in which at most `room` buffers may move. Returns the nodes spent. */
function searchWindow(
  prepared: Prepared,
  offsets: Float64Array,
  cluster: Span,
  room: number,
  range: { readonly low: number; readonly high: number },
  effort: number,
  stopped: Stopper,
): number {
  const span = widen(prepared, cluster, room);
  const moving: number[] = [];
  const fixed: Block[] = [];
  for (let i = 0; i < prepared.count; i++) {
    const [first, end, bytes] = [prepared.first[i]!, prepared.end[i]!, prepared.bytes[i]!];
    if (first >= span.end || end <= span.first || bytes === 0) continue;
    if (first >= span.first && end <= span.end) moving.push(i);
    else {
      const clipped = { first: Math.max(first, span.first), end: Math.min(end, span.end) };
      fixed.push({ ...clipped, from: offsets[i]!, to: offsets[i]! + bytes });
    }
  }
  const least = moving.reduce((most, i) => Math.min(most, prepared.bytes[i]!), Number.POSITIVE_INFINITY);
  const blocks = merge(fixed, least);
  if (moving.length + blocks.length > MAX_SEEN) return effort;
  const buffers = [...moving.map((i) => prepared.problem.buffers[i]!), ...blocks.map(pinnedBuffer)];
  const instance = buildInstance(prepare({ buffers }), Int32Array.from(buffers.keys()));
  if (instance === undefined) return effort;
  const found = minimise(instance, createDecider(instance, stopped), range, effort, stopped);
  moving.forEach((i, k) => {
    if (found.offsets !== undefined) offsets[i] = found.offsets[k]!;
  });
  return found.nodes;
}

/** Bytes [from, to) that are taken during [first, end). */
interface Block extends Span {
  readonly from: number;
  readonly to: number;
}

/** Joins blocks of one span when nothing that moves fits between them: thousands of long lives become a few. */
function merge(blocks: Block[], least: number): readonly Block[] {
  blocks.sort((a, b) => a.first - b.first || a.end - b.end || a.from - b.from);
  const merged: Block[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    const joins = last?.first === block.first && last.end === block.end && block.from - last.to < least;
    if (joins) merged[merged.length - 1] = { ...last, to: Math.max(last.to, block.to) };
    else merged.push(block);
  }
  return merged;
}

function pinnedBuffer({ first, end, from, to }: Block, k: number): Buffer {
  return { id: `fixed ${k}`, first, end, bytes: to - from, alignment: 1, offset: from };
}

/** Doubles the time around the cluster for as long as no more than `room` buffers lie wholly inside. */
function widen(prepared: Prepared, cluster: Span, room: number): Span {
  const { count, first, end } = prepared;
  let span = cluster;
  for (let margin = 1; ; margin *= 2) {
    const wider = { first: cluster.first - margin, end: cluster.end + margin };
    let inside = 0;
    for (let i = 0; i < count; i++) if (first[i]! >= wider.first && end[i]! <= wider.end) inside++;
    if (inside > room || inside === count) return inside === count && inside <= room ? wider : span;
    span = wider;
  }
}
