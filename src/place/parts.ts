/** Places lists of buffers that share no byte with each other, whenever they live: those of models that run at once. */
import { place } from './place.ts';
import { type Block, commonAlignment, stack } from './stack.ts';
import type { Placement, PlaceOptions, PlaceProblem } from './types.ts';

/** Of more lists the orders are too many to try. */
const ALL_ORDERS = 3;

/**
 * One list after another, each into the room that those before it have left: the cheapest of all orders, of many lists the
 * one with the most traffic first. Undefined: none was found in which all have a place. Within an order each list takes what
 * is best for itself, so nothing is proved.
 */
export function placeParts(
  problem: PlaceProblem,
  lists: readonly (readonly number[])[],
  options: PlaceOptions,
): Placement | undefined {
  const { buffers } = problem;
  const traffic = lists.map((ids) => ids.reduce((sum, id) => sum + buffers[id]!.traffic, 0));
  const hottest = [...lists.keys()].sort((a, b) => traffic[b]! - traffic[a]! || a - b);
  const orders = lists.length > ALL_ORDERS ? [hottest] : permutations(hottest);
  let best: Placement | undefined;
  for (const order of orders) {
    const placed = placeInOrder(problem, lists, order, options);
    if (placed !== undefined && placed.cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = placed;
  }
  return best;
}

/** Each order once, the given one first. */
function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

function placeInOrder(
  { buffers, memories }: PlaceProblem,
  lists: readonly (readonly number[])[],
  order: readonly number[],
  options: PlaceOptions,
): Placement | undefined {
  const alignment = commonAlignment(buffers);
  const taken = memories.map(() => 0);
  const blocks = memories.map((): (Block & { readonly ids: readonly number[] })[] => []);
  const memory = new Array<number>(buffers.length).fill(0);
  let cost = 0;
  for (const at of order) {
    const ids = lists[at]!;
    const places = new Map(ids.map((id, index) => [id, index]));
    const own = ids.map((id) => {
      const buffer = buffers[id]!;
      const mayOverlap = (buffer.mayOverlap ?? []).flatMap((one) => {
        const other = places.get(one.buffer);
        return other === undefined ? [] : [{ ...one, buffer: other }];
      });
      return { ...buffer, mayOverlap };
    });
    const left = memories.map((one, m) => ({ ...one, room: Math.max(0, one.room - taken[m]!) }));
    const found = place({ buffers: own, memories: left }, options);
    if (found === undefined) return undefined;
    cost += found.cost;
    found.memory.forEach((m, index) => {
      memory[ids[index]!] = m;
    });
    for (const part of found.parts) {
      const members = part.buffers.map((index) => own[index]!);
      blocks[part.memory]!.push({
        buffers: members.map((buffer) => ({ ...buffer, mayOverlap: [] })),
        ids: part.buffers.map((index) => ids[index]!),
        solution: part.solution,
      });
      // Every block begins at a multiple of the alignment of all.
      taken[part.memory]! += Math.ceil(part.solution.bytes / alignment) * alignment;
    }
  }
  const parts = blocks.flatMap((inside, at) => {
    if (inside.length === 0) return [];
    return [{ memory: at, buffers: inside.flatMap(({ ids }) => ids), solution: stack(inside).solution }];
  });
  return { memory, parts, cost, proved: false };
}
