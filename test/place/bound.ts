/** What no placement over several memories can cost less than: a linear relaxation, solved as a flow along the steps. */
import type { Plan } from '../../src/plan/types.ts';

interface Item {
  readonly first: number;
  readonly end: number;
  /** Bytes that it holds at each of its steps at least, and at most. */
  readonly bytes: number;
  readonly most: number;
  readonly traffic: number;
}

/**
 * Buffers may lie in a memory in part, which spares as much of their traffic, and bytes count alone: no offsets, no
 * alignment. The memories as fast as any of the k fastest are taken as one, for each k: what lies in them all together is
 * at most what fits their rooms together, and none of it is larger than the largest of them.
 */
export function costBound(
  plan: Plan,
  rooms: readonly { readonly rank: number; readonly room: number }[],
): number {
  const items = itemsOf(plan);
  const all = items.reduce((sum, { traffic }) => sum + traffic, 0);
  const ranks = [...new Set(rooms.map(({ rank }) => rank))].sort((a, b) => a - b);
  const slowest = ranks.at(-1)!;
  let cost = all * (1 + slowest);
  for (const [i, rank] of ranks.slice(0, -1).entries()) {
    const fast = rooms.filter((one) => one.rank <= rank).map(({ room }) => room);
    const room = fast.reduce((sum, one) => sum + one, 0);
    const fitting = items.filter(({ most }) => most <= Math.max(...fast));
    cost -= (ranks[i + 1]! - rank) * mostTraffic(fitting, room);
  }
  return cost;
}

function itemsOf({ buffers, placement }: Plan): readonly Item[] {
  const traffic = new Map(placement!.buffers.map((one) => [one.buffer, one.traffic]));
  return buffers.map(({ id, first, end, bytes, gaps }) => {
    const free = (step: number) =>
      gaps.reduce((sum, gap) => sum + (gap.first <= step && step < gap.end ? gap.to - gap.from : 0), 0);
    let least = bytes;
    for (let step = first; step < end; step++) least = Math.min(least, bytes - free(step));
    return { first, end, bytes: Math.max(0, least), most: bytes, traffic: traffic.get(id)! };
  });
}

interface Edge {
  readonly to: number;
  readonly cost: number;
  room: number;
  readonly back: number;
}

/**
 * The most traffic that fits `room` bytes at every step. Bytes flow from each step to the next, through a buffer while it
 * lives or beside all of them: the cheapest flow of `room` bytes, where a byte in a buffer spares its share of the traffic.
 */
export function mostTraffic(items: readonly Item[], room: number): number {
  const steps = items.reduce((most, { end }) => Math.max(most, end), 1);
  const edges: Edge[][] = Array.from({ length: steps + 1 }, () => []);
  const join = (from: number, to: number, cap: number, cost: number): void => {
    edges[from]!.push({ to, cost, room: cap, back: edges[to]!.length });
    edges[to]!.push({ to: from, cost: -cost, room: 0, back: edges[from]!.length - 1 });
  };
  let spared = 0;
  for (let step = 0; step < steps; step++) join(step, step + 1, Number.POSITIVE_INFINITY, 0);
  for (const { first, end, bytes, traffic } of items) {
    if (bytes === 0) spared += traffic;
    else if (traffic > 0) join(first, end, bytes, -traffic / bytes);
  }
  for (let left = room; left > 0; ) {
    const found = cheapestPath(edges, steps);
    if (found.cost > -1e-9) break;
    let bytes = left;
    for (const edge of found.path) bytes = Math.min(bytes, edge.room);
    for (const edge of found.path) {
      edge.room -= bytes;
      edges[edge.to]![edge.back]!.room += bytes;
    }
    spared -= bytes * found.cost;
    left -= bytes;
  }
  return spared;
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
