/** The cheapest placement by trying everything: every memory for every buffer, every order of buffers in a memory. */
import type { PlaceableBuffer, PlaceProblem } from '../../src/place/types.ts';

/**
 * Whether the buffers can be packed into `room` bytes. Some order packs them as tightly as can be when each in turn
 * takes the lowest place above all that lie and live with it: the order of the offsets in a tightest packing.
 */
export function canPack(buffers: readonly PlaceableBuffer[], room: number): boolean {
  const place = (
    placed: readonly { buffer: PlaceableBuffer; offset: number }[],
    left: readonly PlaceableBuffer[],
  ): boolean => {
    if (left.length === 0) return true;
    return left.some((buffer, at) => {
      const top = placed
        .filter((other) => other.buffer.first < buffer.end && buffer.first < other.buffer.end)
        .reduce((most, other) => Math.max(most, other.offset + other.buffer.bytes), 0);
      const offset = Math.ceil(top / buffer.alignment) * buffer.alignment;
      if (offset + buffer.bytes > room) return false;
      return place([...placed, { buffer, offset }], [...left.slice(0, at), ...left.slice(at + 1)]);
    });
  };
  return place([], buffers);
}

/** The least cost of any placement that fits, or Infinity: traffic times one more than the rank of the memory. */
export function leastCost({ buffers, memories }: PlaceProblem): number {
  const packs = new Map<string, boolean>();
  const fits = (ids: readonly number[], memory: number): boolean => {
    const key = `${memory} ${ids.join()}`;
    const known = packs.get(key);
    if (known !== undefined) return known;
    const answer = canPack(
      ids.map((id) => buffers[id]!),
      memories[memory]!.room,
    );
    packs.set(key, answer);
    return answer;
  };
  let least = Number.POSITIVE_INFINITY;
  const total = memories.length ** buffers.length;
  for (let number = 0; number < total; number++) {
    const members = memories.map((): number[] => []);
    let cost = 0;
    for (let buffer = 0, rest = number; buffer < buffers.length; buffer++) {
      const memory = rest % memories.length;
      rest = (rest - memory) / memories.length;
      members[memory]!.push(buffer);
      cost += buffers[buffer]!.traffic * (1 + memories[memory]!.rank);
    }
    if (cost < least && members.every((ids, memory) => fits(ids, memory))) least = cost;
  }
  return least;
}
