/** Seeded random numbers: the same weights, to the byte, on every machine. */

/** Marsaglia's xorshift with 32 bits of state; every operation is exact, so nothing depends on the platform. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0 || 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A seed from a text (FNV-1a), so that a weight depends on its own name and not on what was built before it. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** `count` float32 numbers spread evenly over [-limit, limit). */
export function uniform(seed: number, count: number, limit: number): Float32Array {
  const next = randomNumbers(seed);
  // The first draws of close seeds are alike.
  for (let i = 0; i < 8; i++) next();
  return Float32Array.from({ length: count }, () => (next() * 2 - 1) * limit);
}
