/** Remembers the moments a search has seen, and how it came to them. */

export interface States {
  /** The number of a moment; `isNew` says whether it was not there before. */
  readonly add: (bits: Uint32Array, parent: number, moves: readonly number[]) => number;
  readonly isNew: () => boolean;
  readonly count: () => number;
  /** The bits of all moments, `words` each. */
  readonly bits: () => Uint32Array;
  /** All moves from the first moment to this one. */
  readonly path: (state: number) => number[];
}

/** A moment is a set of steps: `words` times 32 bits. */
export function createStates(words: number): States {
  let room = 1024;
  let bits = new Uint32Array(room * words);
  let parents = new Int32Array(room);
  /** Where the moves of a state end in `moves`; they begin where those of the state before end. */
  let ends = new Int32Array(room);
  let moves = new Int32Array(room);
  let table = new Int32Array(room * 2).fill(-1);
  let count = 0;
  let used = 0;
  let isNew = false;

  const slotOf = (from: Uint32Array, at: number): number => {
    let hash = 0;
    for (let word = 0; word < words; word++) {
      hash = Math.imul(hash ^ from[at + word]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const state = table[slot]!;
      if (state < 0 || same(from, at, state)) return slot;
    }
  };
  const same = (from: Uint32Array, at: number, state: number): boolean => {
    for (let word = 0; word < words; word++) {
      if (from[at + word] !== bits[state * words + word]) return false;
    }
    return true;
  };
  const grow = (): void => {
    room *= 2;
    bits = extended(bits, new Uint32Array(room * words));
    parents = extended(parents, new Int32Array(room));
    ends = extended(ends, new Int32Array(room));
    table = new Int32Array(room * 2).fill(-1);
    for (let state = 0; state < count; state++) table[slotOf(bits, state * words)] = state;
  };

  const add = (from: Uint32Array, parent: number, made: readonly number[]): number => {
    if (count === room) grow();
    const slot = slotOf(from, 0);
    isNew = table[slot]! < 0;
    if (!isNew) return table[slot]!;
    table[slot] = count;
    for (let word = 0; word < words; word++) bits[count * words + word] = from[word]!;
    parents[count] = parent;
    if (used + made.length > moves.length) moves = extended(moves, new Int32Array(2 * (used + made.length)));
    for (const move of made) moves[used++] = move;
    ends[count] = used;
    return count++;
  };

  const path = (last: number): number[] => {
    const parts: Int32Array[] = [];
    for (let state = last; state >= 0; state = parents[state]!) {
      parts.push(moves.subarray(state === 0 ? 0 : ends[state - 1]!, ends[state]!));
    }
    return parts.reverse().flatMap((part) => [...part]);
  };

  return { add, isNew: () => isNew, count: () => count, bits: () => bits, path };
}

function extended<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
