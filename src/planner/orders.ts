/** Orders in which greedy strategies place buffers: each a list of keys, ties always broken by index. */
import type { Prepared } from './prepare.ts';

/** Indexes sorted by the keys, largest first (negate a key to turn it round), ties by index. */
export function orderBy(count: number, ...keys: readonly ArrayLike<number>[]): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  return order.sort((a, b) => {
    for (const key of keys) {
      const difference = key[b]! - key[a]!;
      if (difference !== 0) return difference;
    }
    return a - b;
  });
}

/** end - first. */
export function durations(prepared: Prepared): Float64Array {
  return prepared.end.map((end, i) => end - prepared.first[i]!);
}

/** bytes x duration. */
export function areas(prepared: Prepared): Float64Array {
  return durations(prepared).map((duration, i) => duration * prepared.bytes[i]!);
}

/**
 * The heaviest step of each buffer's life: the largest sum of live bytes it is part of.
 * A sparse table over the births answers each range maximum in constant time.
 */
export function pressures(prepared: Prepared): Float64Array {
  const { count, first, end, bytes } = prepared;
  const times = Float64Array.from(new Set(first)).sort();
  const loads = loadsAt(times, first, end, bytes);
  const levels: Float64Array[] = [loads];
  for (let width = 1; 2 * width <= times.length; width *= 2) {
    const below = levels.at(-1)!;
    levels.push(below.slice(0, below.length - width).map((load, k) => Math.max(load, below[k + width]!)));
  }
  const result = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const from = indexOf(times, first[i]!);
    const to = indexOf(times, end[i]!);
    const level = 31 - Math.clz32(to - from);
    result[i] = Math.max(levels[level]![from]!, levels[level]![to - 2 ** level]!);
  }
  return result;
}

/** Live bytes at each of the ascending times. */
function loadsAt(
  times: Float64Array,
  first: Float64Array,
  end: Float64Array,
  bytes: Float64Array,
): Float64Array {
  const loads = new Float64Array(times.length + 1);
  for (let i = 0; i < first.length; i++) {
    loads[indexOf(times, first[i]!)]! += bytes[i]!;
    loads[indexOf(times, end[i]!)]! -= bytes[i]!;
  }
  for (let k = 1; k < loads.length; k++) loads[k]! += loads[k - 1]!;
  return loads.slice(0, times.length);
}

/** The position of the first time that is not below `value`. */
function indexOf(times: Float64Array, value: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (times[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
