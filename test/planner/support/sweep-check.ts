/** Checks plans of long plain lists: walks over time with the live buffers in order of offset. */
import type { Problem } from '../../../src/planner/types.ts';

/** The first pair of buffers that share bytes, or undefined. Gaps, pins and permitted overlaps are not looked at. */
export function firstClash(problem: Problem, offsets: readonly number[]): string | undefined {
  const { buffers } = problem;
  const events = buffers.flatMap(({ first, end }, i) => [
    { time: first, birth: 1, i },
    { time: end, birth: 0, i },
  ]);
  events.sort((a, b) => a.time - b.time || a.birth - b.birth);
  const live: number[] = [];
  const place = (i: number): number => {
    let [low, high] = [0, live.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const j = live[middle]!;
      if (offsets[j]! < offsets[i]! || (offsets[j] === offsets[i] && j < i)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (const { birth, i } of events) {
    const at = place(i);
    if (birth === 0) {
      live.splice(at, 1);
      continue;
    }
    const [below, above] = [live[at - 1], live[at]];
    const overBelow = below !== undefined && offsets[below]! + buffers[below]!.bytes > offsets[i]!;
    const underAbove = above !== undefined && offsets[i]! + buffers[i]!.bytes > offsets[above]!;
    if (overBelow || underAbove) return `${buffers[i]!.id} and ${buffers[overBelow ? below : above!]!.id}`;
    live.splice(at, 0, i);
  }
  return undefined;
}
