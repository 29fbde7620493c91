/** What a buffer rests on: the buffers below it that end where it starts, while both are live. */
import type { PlanBuffer } from '../../plan/types.ts';

/** By buffer id, the ids of those that it rests on, at most `most` of them; empty at offset 0. */
export function supports(buffers: readonly PlanBuffer[], most = 3): ReadonlyMap<number, readonly number[]> {
  const byTop = new Map<number, PlanBuffer[]>();
  for (const buffer of buffers) {
    if (buffer.bytes === 0) continue;
    const top = buffer.offset + buffer.bytes;
    const group = byTop.get(top);
    if (group === undefined) byTop.set(top, [buffer]);
    else group.push(buffer);
  }
  for (const group of byTop.values()) group.sort((a, b) => a.first - b.first || a.id - b.id);
  const tops = [...byTop.keys()].sort((a, b) => a - b);
  return new Map(buffers.map((buffer) => [buffer.id, restsOn(buffer, byTop, tops, most)]));
}

/** A buffer starts at the first multiple of its alignment above the top of what holds it up. */
function restsOn(
  buffer: PlanBuffer,
  byTop: ReadonlyMap<number, readonly PlanBuffer[]>,
  tops: readonly number[],
  most: number,
): readonly number[] {
  const { offset, alignment } = buffer;
  if (offset === 0 || buffer.bytes === 0) return [];
  const found: number[] = [];
  for (let i = atMost(tops, offset); i >= 0 && tops[i]! > offset - alignment; i--) {
    for (const below of liveWith(byTop.get(tops[i]!)!, buffer)) {
      found.push(below.id);
      if (found.length === most) return found;
    }
  }
  return found;
}

/** Buffers with one top are live at different times, so those that overlap a range stand side by side. */
function* liveWith(group: readonly PlanBuffer[], { first, end, id }: PlanBuffer): Iterable<PlanBuffer> {
  let low = 0;
  let high = group.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (group[middle]!.end <= first) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < group.length && group[i]!.first < end; i++) {
    const below = group[i]!;
    if (below.end > first && below.id !== id) yield below;
  }
}

/** The last index whose value is at most `limit`; -1 if none is. */
function atMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
