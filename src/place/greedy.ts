/** Fills memories buffer by buffer, then moves and swaps buffers while that makes the placement cheaper. */
import { NOWHERE, type State } from './state.ts';
import { costIn, isAllowed, type PlaceProblem, sizeIn } from './types.ts';

/** How often a buffer that found no room may be put first. */
const RETRIES = 24;
/** Rounds of moves and swaps. */
const ROUNDS = 8;

/**
 * Orders in which buffers choose their memory: those that would lose most in a slow one first, by the room they take,
 * by their bytes, or by themselves; and the large ones first, which are the hardest to fit anywhere.
 */
export function ordersOf({ buffers }: PlaceProblem): readonly (readonly number[])[] {
  const keys = buffers.map(({ traffic, bytes, first, end }) => {
    const size = Math.max(1, bytes);
    return [traffic / (size * (end - first)), traffic / size, traffic, size];
  });
  const indexes = buffers.map((_, index) => index);
  return [0, 1, 2, 3].map((k) => [...indexes].sort((a, b) => keys[b]![k]! - keys[a]![k]! || a - b));
}

/** Memories from the fastest; of equally fast ones the earlier. */
export function bySpeed({ memories }: PlaceProblem): readonly number[] {
  return memories.map((_, index) => index).sort((a, b) => memories[a]!.rank - memories[b]!.rank || a - b);
}

/**
 * Each buffer into the fastest memory that has room. One that finds none is put to the front, and all begin again.
 * False: no placement was found, and the state holds a part of one.
 */
export function fill(problem: PlaceProblem, state: State, order: readonly number[]): boolean {
  const memories = bySpeed(problem);
  let turn = [...order];
  for (let retry = 0; retry <= RETRIES; retry++) {
    clear(state);
    const failed = turn.find((buffer) => !memories.some((memory) => state.tryPut(buffer, memory)));
    if (failed === undefined) return true;
    if (failed === turn[0]) return false;
    turn = [failed, ...turn.filter((buffer) => buffer !== failed)];
  }
  return false;
}

export function clear(state: State): void {
  state.memory.forEach((at, buffer) => {
    if (at !== NOWHERE) state.take(buffer);
  });
}

/** Puts every buffer where `memory` says; the placement is known to fit. */
export function restore(state: State, memory: ArrayLike<number>): boolean {
  clear(state);
  return Array.from(memory).every((at, buffer) => state.tryPut(buffer, at));
}

/** Moves and swaps until nothing is gained, or `mayGoOn` says no. The state always holds a whole placement. */
export function improve(problem: PlaceProblem, state: State, mayGoOn: () => boolean): void {
  const memories = bySpeed(problem);
  const hottest = ordersOf(problem)[2]!;
  for (let round = 0; round < ROUNDS; round++) {
    let gained = false;
    for (const buffer of hottest) {
      if (!mayGoOn()) return;
      for (const memory of memories) {
        if (saving(problem, state, buffer, memory) <= 0 || !couldHold(problem, buffer, memory)) continue;
        if (move(state, buffer, memory) || swap(problem, state, buffer, memory, mayGoOn)) {
          gained = true;
          break;
        }
      }
    }
    if (!gained) return;
  }
}

/** The memory is allowed and, empty, has room for the buffer. */
export function couldHold({ buffers, memories }: PlaceProblem, buffer: number, memory: number): boolean {
  const { offset = 0 } = buffers[buffer]!;
  const { room } = memories[memory]!;
  return (
    isAllowed(buffers[buffer]!, memory) && offset + sizeIn(buffers[buffer]!, memories[memory]!).bytes <= room
  );
}

/** What no placement costs less than: every buffer in the fastest memory that could hold it. */
export function costAtLeast(problem: PlaceProblem): number {
  const memories = bySpeed(problem);
  return problem.buffers.reduce((sum, buffer, index) => {
    const best = memories.find((memory) => couldHold(problem, index, memory));
    return best === undefined ? Number.POSITIVE_INFINITY : sum + costIn(buffer, problem.memories[best]!);
  }, 0);
}

function saving({ buffers, memories }: PlaceProblem, state: State, buffer: number, to: number): number {
  const from = memories[state.memory[buffer]!]!;
  return costIn(buffers[buffer]!, from) - costIn(buffers[buffer]!, memories[to]!);
}

function move(state: State, buffer: number, to: number): boolean {
  const from = state.memory[buffer]!;
  state.take(buffer);
  if (state.tryPut(buffer, to)) return true;
  state.tryPut(buffer, from);
  return false;
}

/** Puts the buffer into `to` in exchange for one or two that live with it and lose less than it gains. */
function swap(
  problem: PlaceProblem,
  state: State,
  buffer: number,
  to: number,
  mayGoOn: () => boolean,
): boolean {
  const { buffers } = problem;
  const { first, end } = buffers[buffer]!;
  const gain = saving(problem, state, buffer, to);
  const rivals = [...state.members(to)]
    .filter((rival) => buffers[rival]!.first < end && first < buffers[rival]!.end)
    .sort((a, b) => buffers[a]!.traffic - buffers[b]!.traffic || a - b);
  const groups = [
    ...rivals.map((rival) => [rival]),
    ...rivals.flatMap((a, i) => rivals.slice(i + 1).map((b) => [a, b])),
  ];
  return groups.some((group) => mayGoOn() && exchange(problem, state, buffer, to, group, gain));
}

/** The buffer goes to `to`, each of the group to the fastest other memory with room; undone where that gains nothing. */
function exchange(
  problem: PlaceProblem,
  state: State,
  buffer: number,
  to: number,
  group: readonly number[],
  gain: number,
): boolean {
  const homes = new Map([buffer, ...group].map((moved) => [moved, state.memory[moved]!]));
  for (const moved of homes.keys()) state.take(moved);
  const memories = bySpeed(problem);
  let lost = 0;
  const put = (moved: number): boolean =>
    memories.some((memory) => {
      if (memory === to || !state.tryPut(moved, memory)) return false;
      lost -= savingFrom(problem, moved, to, memory);
      return true;
    });
  if (state.tryPut(buffer, to) && group.every(put) && lost < gain) return true;
  for (const moved of homes.keys()) if (state.memory[moved] !== NOWHERE) state.take(moved);
  for (const [moved, home] of homes) state.tryPut(moved, home);
  return false;
}

function savingFrom({ buffers, memories }: PlaceProblem, buffer: number, from: number, to: number): number {
  return costIn(buffers[buffer]!, memories[from]!) - costIn(buffers[buffer]!, memories[to]!);
}
