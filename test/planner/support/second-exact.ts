/**
 * A second exact method, written apart from the planner and on another idea: decide for every pair that lives together
 * which of the two lies above, and see how high the chains grow. For plain problems only.
 */
import type { Problem } from '../../../src/planner/types.ts';

/** Whether some plan fits into the capacity; undefined after `limit` decisions. */
export function fitsByOrientation(problem: Problem, capacity: number, limit: number): boolean | undefined {
  const { buffers } = problem;
  const n = buffers.length;
  const meets = (i: number, j: number): boolean =>
    buffers[i]!.first < buffers[j]!.end && buffers[j]!.first < buffers[i]!.end;
  const pairs: [number, number][] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) if (meets(i, j)) pairs.push([i, j]);
  const weight = ([i, j]: [number, number]): number => buffers[i]!.bytes + buffers[j]!.bytes;
  pairs.sort((a, b) => weight(b) - weight(a));
  /** above[i]: buffers decided to lie above i. */
  const above: number[][] = buffers.map(() => []);
  let decisions = 0;

  /** Lowest offsets under the decisions so far, or undefined when a chain leaves the capacity or closes a circle. */
  const settle = (): number[] | undefined => {
    const at = new Array<number>(n).fill(0);
    for (let round = 0; round <= n; round++) {
      let moved = false;
      for (let i = 0; i < n; i++) {
        const top = at[i]! + buffers[i]!.bytes;
        if (top > capacity) return undefined;
        for (const j of above[i]!) {
          if (at[j]! >= top) continue;
          at[j] = top;
          moved = true;
        }
      }
      if (!moved) return at;
    }
    return undefined;
  };

  const decide = (): boolean | undefined => {
    if (++decisions > limit) return undefined;
    const at = settle();
    if (at === undefined) return false;
    const shares = ([i, j]: [number, number]): boolean =>
      at[i]! < at[j]! + buffers[j]!.bytes && at[j]! < at[i]! + buffers[i]!.bytes;
    const open = pairs.find(shares);
    if (open === undefined) return true;
    for (const [low, high] of [open, [open[1], open[0]]] as [number, number][]) {
      above[low]!.push(high);
      const answer = decide();
      above[low]!.pop();
      if (answer !== false) return answer;
    }
    return false;
  };
  return decide();
}
