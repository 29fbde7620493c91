/** Branch and bound over the memories of the buffers: finds the cheapest placement and proves it. */
import { bySpeed } from './greedy.ts';
import type { Packer } from './packer.ts';
import type { Rooms } from './rooms.ts';
import { costIn, isAllowed, type PlaceProblem } from './types.ts';

export interface Cheapest {
  /** By buffer; undefined: nothing cheaper than the limit. */
  readonly memory: readonly number[] | undefined;
  /** The search came to its end: nothing cheaper exists. */
  readonly proved: boolean;
}

export interface CheapestOptions {
  /** What a placement must cost less than. */
  readonly limit: number;
  /** Search nodes. */
  readonly effort: number;
  /** True ends the search with what it has. */
  readonly interrupted?: (() => boolean) | undefined;
}

/**
 * Buffers with the most traffic first, the fastest memory first. A branch ends where a buffer finds no room for its
 * live bytes, where the packing does not fit, or where the rest in the fastest memories that still have room would
 * cost no less than the best so far. `rooms` is empty before and after.
 */
export function cheapest(
  problem: PlaceProblem,
  rooms: Rooms,
  packer: Packer,
  { limit, effort, interrupted = () => false }: CheapestOptions,
): Cheapest {
  const { buffers, memories } = problem;
  const speed = bySpeed(problem);
  const order = buffers
    .map((_, index) => index)
    .sort(
      (a, b) => buffers[b]!.traffic - buffers[a]!.traffic || buffers[b]!.bytes - buffers[a]!.bytes || a - b,
    );
  const memory = new Array<number>(buffers.length).fill(0);
  const members = memories.map((): number[] => []);
  let best = limit;
  let found: readonly number[] | undefined;
  let left = effort;

  /** The least that the buffers from `depth` on can cost; Infinity: one of them has no room anywhere. */
  const rest = (depth: number): number => {
    let sum = 0;
    for (let at = depth; at < order.length; at++) {
      const buffer = order[at]!;
      const free = speed.find((m) => isAllowed(buffers[buffer]!, m) && rooms.hasRoom(buffer, m));
      if (free === undefined) return Number.POSITIVE_INFINITY;
      sum += costIn(buffers[buffer]!, memories[free]!);
    }
    return sum;
  };

  const branch = (depth: number, cost: number): void => {
    if (depth === order.length) {
      best = cost;
      found = [...memory];
      return;
    }
    const buffer = order[depth]!;
    for (const m of speed) {
      if (left-- <= 0) return;
      if (interrupted()) left = 0;
      const after = cost + costIn(buffers[buffer]!, memories[m]!);
      if (after >= best || !isAllowed(buffers[buffer]!, m) || !rooms.hasRoom(buffer, m)) continue;
      rooms.put(buffer, m);
      members[m]!.push(buffer);
      if (after + rest(depth + 1) < best && packer.fit(m, members[m]!) !== undefined) {
        memory[buffer] = m;
        branch(depth + 1, after);
      }
      members[m]!.pop();
      rooms.take(buffer, m);
    }
  };
  branch(0, 0);
  return { memory: found, proved: left > 0 };
}
