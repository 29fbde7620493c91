/** Longest lives first, each on top of everything placed before it in its steps. */
import { roundUp } from '../arithmetic.ts';
import { durations, orderBy } from '../orders.ts';
import type { Strategy } from '../strategy.ts';
import { PINNED } from '../sweep.ts';

export const skyline: Strategy = {
  name: 'skyline',
  about:
    'Longest live range first, each on top of what lies in its steps so far; gaps below are never filled.',
  cost: 'O(n log n)',
  source:
    'skyline (bottom-left without filling) of strip packing: Burke, Kendall and Whitwell, Operations Research 52, 2004',
  work: (prepared) => prepared.count * 500,
  place: (prepared) => {
    const { count, first, end, bytes, alignment, pin } = prepared;
    if (pin.some((offset) => offset >= 0)) return PINNED;
    const times = Float64Array.from(new Set([...first, ...end])).sort();
    const indexOf = new Map(Array.from(times, (time, k) => [time, k] as const));
    const tops = createTops(times.length);
    const offsets = new Float64Array(count);
    for (const i of orderBy(count, durations(prepared), bytes)) {
      if (bytes[i] === 0) continue;
      const [from, to] = [indexOf.get(first[i]!)!, indexOf.get(end[i]!)!];
      offsets[i] = roundUp(tops.highest(from, to), alignment[i]!);
      tops.set(from, to, offsets[i]! + bytes[i]!);
    }
    return { offsets };
  },
};

/** The skyline as a segment tree: highest value of a range, and setting a range to a value not below its highest. */
function createTops(length: number): {
  highest: (from: number, to: number) => number;
  set: (from: number, to: number, value: number) => void;
} {
  let leaves = 1;
  while (leaves < length) leaves *= 2;
  /** Highest of each node's range; and a value that covers the whole range. Values only rise, so neither is pushed. */
  const most = new Float64Array(2 * leaves);
  const cover = new Float64Array(2 * leaves);
  const highest = (from: number, to: number): number => {
    let result = 0;
    const visit = (node: number, low: number, high: number): void => {
      if (to <= low || high <= from) return;
      if (from <= low && high <= to) {
        result = Math.max(result, most[node]!);
        return;
      }
      result = Math.max(result, cover[node]!);
      const middle = (low + high) >>> 1;
      visit(2 * node, low, middle);
      visit(2 * node + 1, middle, high);
    };
    visit(1, 0, leaves);
    return result;
  };
  const set = (from: number, to: number, value: number): void => {
    const visit = (node: number, low: number, high: number): void => {
      if (to <= low || high <= from) return;
      most[node] = Math.max(most[node]!, value);
      if (from <= low && high <= to) {
        cover[node] = value;
        return;
      }
      const middle = (low + high) >>> 1;
      visit(2 * node, low, middle);
      visit(2 * node + 1, middle, high);
    };
    visit(1, 0, leaves);
  };
  return { highest, set };
}
