/** What no placement over several memories can cost less than: linear relaxations, solved as flows along the steps. */
import type { Plan } from '../../src/plan/types.ts';
import { gcd } from '../../src/planner/arithmetic.ts';

interface Item {
  readonly first: number;
  readonly end: number;
  /** Bytes that it holds at each of its steps at least, and at most. */
  readonly bytes: number;
  readonly most: number;
  readonly traffic: number;
}

/**
 * Buffers may lie in a memory in part, but for `nodes` of them, which spares as much of their traffic, and bytes count
 * alone, in whole steps of the alignment that all have: no offsets. The memories as fast as any of the k fastest are taken
 * as one, for each k: what lies in them all together is at most what fits their rooms together, and none of it is larger
 * than the largest of them.
 */
export function costBound(
  plan: Plan,
  rooms: readonly { readonly rank: number; readonly room: number }[],
  nodes: number,
): number {
  const step = plan.buffers.reduce((common, { alignment }) => gcd(common, alignment), 0);
  const items = itemsOf(plan, step);
  const all = items.reduce((sum, { traffic }) => sum + traffic, 0);
  const ranks = [...new Set(rooms.map(({ rank }) => rank))].sort((a, b) => a - b);
  const slowest = ranks.at(-1)!;
  let cost = all * (1 + slowest);
  for (const [i, rank] of ranks.slice(0, -1).entries()) {
    const fast = rooms.filter((one) => one.rank <= rank).map(({ room }) => room);
    const room = fast.reduce((sum, one) => sum + roundUp(one, step), 0);
    const fitting = items.filter(({ most }) => most <= Math.max(...fast));
    cost -= (ranks[i + 1]! - rank) * mostTraffic(fitting, room, nodes);
  }
  return cost;
}

/**
 * Offsets are multiples of `step`, so what a buffer lacks to the next one is nobody's, but for the topmost. Of a buffer that
 * is free in part for a time the least that it ever holds counts.
 */
function itemsOf({ buffers, placement }: Plan, step: number): readonly Item[] {
  const traffic = new Map(placement!.buffers.map((one) => [one.buffer, one.traffic]));
  return buffers.map(({ id, first, end, bytes, gaps }) => {
    const free = (at: number) =>
      gaps.reduce((sum, gap) => sum + (gap.first <= at && at < gap.end ? gap.to - gap.from : 0), 0);
    let least = gaps.length === 0 ? roundUp(bytes, step) : bytes;
    for (let at = first; at < end && gaps.length > 0; at++) least = Math.min(least, bytes - free(at));
    return { first, end, bytes: Math.max(0, least), most: bytes, traffic: traffic.get(id)! };
  });
}

function roundUp(bytes: number, step: number): number {
  return Math.ceil(bytes / step) * step;
}

interface Edge {
  readonly to: number;
  readonly cost: number;
  room: number;
  readonly back: number;
}

/** What a flow of bytes says of buffers: those of which none is there, and all, and the traffic that it spares. */
interface Relaxed {
  readonly traffic: number;
  /** By item, from 0 to 1. */
  readonly parts: readonly number[];
}

/** A question with some buffers settled: in or out. */
interface Node extends Relaxed {
  readonly settled: ReadonlyMap<number, boolean>;
}

/**
 * No set of buffers that fits `room` bytes at every step has more traffic than this. Buffers may be there in part, but for
 * `nodes` of those that are: each is settled both ways, the most promising question first.
 */
export function mostTraffic(items: readonly Item[], room: number, nodes = 0): number {
  const ask = (settled: Node['settled']): Node => ({ settled, ...relaxed(items, room, settled) });
  const open = [ask(new Map())];
  for (let left = nodes; left > 0; left--) {
    open.sort((a, b) => b.traffic - a.traffic);
    const { settled, parts } = open[0]!;
    const inPart = parts.flatMap((part, i) => (part > 1e-6 && part < 1 - 1e-6 ? [i] : []));
    const [most] = inPart.sort((a, b) => items[b]!.traffic - items[a]!.traffic);
    if (most === undefined) break;
    open.shift();
    for (const inside of [true, false]) {
      const asked = ask(new Map([...settled, [most, inside]]));
      // What has to be there and is not leaves no set at all.
      if ([...asked.settled].every(([i, isIn]) => !isIn || asked.parts[i]! > 1 - 1e-6)) open.push(asked);
    }
  }
  return Math.max(...open.map(({ traffic }) => traffic));
}

/**
 * The most traffic of buffers in part. Bytes flow from each step to the next, through a buffer while it lives or beside all
 * of them: the cheapest flow of `room` bytes, where a byte in a buffer spares its share of the traffic.
 */
function relaxed(items: readonly Item[], room: number, settled: Node['settled']): Relaxed {
  const steps = items.reduce((most, { end }) => Math.max(most, end), 1);
  const edges: Edge[][] = Array.from({ length: steps + 1 }, () => []);
  const join = (from: number, to: number, cap: number, cost: number): Edge => {
    const edge = { to, cost, room: cap, back: edges[to]!.length };
    edges[from]!.push(edge);
    edges[to]!.push({ to: from, cost: -cost, room: 0, back: edges[from]!.length - 1 });
    return edge;
  };
  for (let step = 0; step < steps; step++) join(step, step + 1, Number.POSITIVE_INFINITY, 0);
  const worth = items.map(({ bytes, traffic }) => (bytes === 0 ? 0 : traffic / bytes));
  // What has to be there is worth more than all that could be in its place.
  const forced = 2 * items.length * Math.max(1, ...worth);
  const through = items.map(({ first, end, bytes }, i): Edge | undefined => {
    if (bytes === 0 || settled.get(i) === false) return undefined;
    return join(first, end, bytes, -worth[i]! - (settled.get(i) === true ? forced : 0));
  });
  for (let left = room; left > 0; ) {
    const found = cheapestPath(edges, steps);
    if (found.cost > -1e-9) break;
    let bytes = left;
    for (const edge of found.path) bytes = Math.min(bytes, edge.room);
    for (const edge of found.path) {
      edge.room -= bytes;
      edges[edge.to]![edge.back]!.room += bytes;
    }
    left -= bytes;
  }
  const parts = items.map(({ bytes }, i) => {
    if (bytes === 0) return settled.get(i) === false ? 0 : 1;
    return through[i] === undefined ? 0 : (bytes - through[i].room) / bytes;
  });
  return { parts, traffic: parts.reduce((sum, part, i) => sum + part * items[i]!.traffic, 0) };
}

/** Bellman and Ford, with a queue; there is no negative ring, because every flow so far is a cheapest one. */
function cheapestPath(
  edges: readonly (readonly Edge[])[],
  to: number,
): { readonly cost: number; readonly path: readonly Edge[] } {
  const costs = edges.map(() => Number.POSITIVE_INFINITY);
  const by: (readonly [number, Edge] | undefined)[] = edges.map(() => undefined);
  const waiting = edges.map(() => false);
  const queue = [0];
  costs[0] = 0;
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at]!;
    waiting[node] = false;
    for (const edge of edges[node]!) {
      const cost = costs[node]! + edge.cost;
      if (edge.room <= 0 || cost > costs[edge.to]! - 1e-9) continue;
      costs[edge.to] = cost;
      by[edge.to] = [node, edge];
      if (!waiting[edge.to]) {
        waiting[edge.to] = true;
        queue.push(edge.to);
      }
    }
  }
  const path: Edge[] = [];
  for (let node = to; node !== 0; ) {
    const [from, edge] = by[node]!;
    path.push(edge);
    node = from;
  }
  return { cost: costs[to]!, path };
}
