/** Random numbers that are the same in every run: tests print the seed of a failing case. */

/** A generator of integers in [0, below), by xorshift. */
export function createRandom(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 1) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}
