/** Chooses a memory for every buffer: the most traffic into the fastest ones, as far as they have room. */
import { cheapest } from './exact.ts';
import { costAtLeast, fill, improve, ordersOf, restore } from './greedy.ts';
import { createPacker, type Packer } from './packer.ts';
import { createRooms } from './rooms.ts';
import { createState } from './state.ts';
import { costIn, type Placement, type PlaceOptions, type PlaceProblem } from './types.ts';

/** Search nodes for one question of whether a set of buffers fits. */
const PACKING_EFFORT = 5_000;
/** Packings that moves and swaps may ask for. */
const IMPROVE_PACKINGS = 1_500;
/** Beyond these the exact search has no hope. */
const EXACT_BUFFERS = 60;
const EXACT_NODES = 20_000;

/**
 * The cheapest placement found: by greedy filling in several orders, moves and swaps, and, for problems that are
 * small enough, an exact search. Undefined: none was found that fits every memory.
 */
export function place(problem: PlaceProblem, options: PlaceOptions = {}): Placement | undefined {
  const packer = createPacker(problem, PACKING_EFFORT);
  const least = costAtLeast(problem);
  if (least === Number.POSITIVE_INFINITY) return undefined;
  const greedy = filled(problem, packer, least, options);
  if (greedy?.cost === least) return placementOf(problem, packer, greedy.memory, true, options);
  const limit = greedy?.cost ?? Number.POSITIVE_INFINITY;
  // Without a placement there is nothing to end with.
  const interrupted = greedy === undefined ? undefined : options.interrupted;
  const exact =
    problem.buffers.length <= EXACT_BUFFERS
      ? cheapest(problem, createRooms(problem), packer, { limit, effort: EXACT_NODES, interrupted })
      : undefined;
  const memory = exact?.memory ?? greedy?.memory;
  if (memory === undefined) return undefined;
  return placementOf(problem, packer, memory, exact?.proved ?? false, options);
}

export interface Filled {
  readonly memory: readonly number[];
  readonly cost: number;
}

/** The best of greedy filling in several orders, improved by moves and swaps; `least`: what no placement costs less than. */
export function filled(
  problem: PlaceProblem,
  packer: Packer,
  least = 0,
  { interrupted = () => false }: Pick<PlaceOptions, 'interrupted'> = {},
): Filled | undefined {
  const state = createState(problem, createRooms(problem), packer);
  let best: Filled | undefined;
  for (const order of ordersOf(problem)) {
    if (!fill(problem, state, order)) continue;
    if (best === undefined || state.cost() < best.cost) {
      best = { memory: Array.from(state.memory), cost: state.cost() };
    }
    if (best.cost === least || interrupted()) return best;
  }
  if (best === undefined) return undefined;
  const until = packer.asked() + IMPROVE_PACKINGS;
  if (!restore(state, best.memory)) return best;
  improve(problem, state, () => packer.asked() < until && !interrupted());
  return { memory: Array.from(state.memory), cost: state.cost() };
}

/** Packs each memory as small as it will go. */
function placementOf(
  problem: PlaceProblem,
  packer: Packer,
  memory: readonly number[],
  proved: boolean,
  options: PlaceOptions,
): Placement {
  const { buffers, memories } = problem;
  const parts = memories.flatMap((_, at) => {
    const ids = memory.flatMap((m, buffer) => (m === at ? [buffer] : []));
    if (ids.length === 0) return [];
    return [{ memory: at, buffers: ids, solution: packer.pack(at, ids, options) }];
  });
  const cost = buffers.reduce((sum, buffer, i) => sum + costIn(buffer, memories[memory[i]!]!), 0);
  return { memory, parts, cost, proved };
}
