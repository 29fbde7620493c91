/** Orders as other tools make them, for the table: no code of the product. */
import type { OrderProblem } from '../../src/order/types.ts';

/** Each step after all it waits for, following one branch to its end: depth-first from the last steps. */
export function depthFirst({ steps }: OrderProblem): readonly number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  const visit = (step: number): void => {
    if (seen.has(step)) return;
    seen.add(step);
    for (const before of steps[step]!.after) visit(before);
    order.push(step);
  };
  const needed = new Set(steps.flatMap(({ after }) => after));
  for (const step of steps.keys()) if (!needed.has(step)) visit(step);
  return order;
}

/** Steps in the order in which they become ready. */
export function breadthFirst({ steps }: OrderProblem): readonly number[] {
  const waiting = steps.map(({ after }) => after.length);
  const order = [...steps.keys()].filter((step) => waiting[step] === 0);
  for (const step of order) {
    steps.forEach(({ after }, next) => {
      if (after.includes(step) && --waiting[next]! === 0) order.push(next);
    });
  }
  return order;
}

/**
 * Liberis and Lane, "Neural networks on microcontrollers: saving memory at inference via operator reordering", 2019:
 * a memoised search backward over sets of tensors that must exist. Their cost knows no writing in place. undefined:
 * more than `most` sets.
 */
export function backwardSearch(problem: OrderProblem, most: number): readonly number[] | undefined {
  const { steps, values } = problem;
  const made: number[][] = steps.map(() => []);
  const read: number[][] = steps.map(() => []);
  const next: number[][] = steps.map(() => []);
  values.forEach(({ producer, readers }, value) => {
    if (producer >= 0) made[producer]!.push(value);
    for (const reader of readers) read[reader]!.push(value);
  });
  steps.forEach(({ after }, step) => {
    for (const before of after) next[before]!.push(step);
  });
  const bytesOf = (some: Iterable<number>): number =>
    [...some].reduce((sum, value) => sum + values[value]!.bytes, 0);
  const memo = new Map<string, { readonly peak: number; readonly step: number }>();

  /** The smallest peak of running the steps that are left, with these values needed afterwards. */
  const search = (left: ReadonlySet<number>, needed: ReadonlySet<number>): number => {
    const key = [...left].join();
    const known = memo.get(key);
    if (known !== undefined) return known.peak;
    let best = { peak: left.size === 0 ? bytesOf(needed) : Number.POSITIVE_INFINITY, step: -1 };
    for (const step of left) {
      if (memo.size > most) break;
      if (next[step]!.some((later) => left.has(later))) continue;
      const others = new Set(left);
      others.delete(step);
      const before = new Set([...needed, ...read[step]!]);
      const during = bytesOf(new Set([...before, ...made[step]!]));
      for (const value of made[step]!) before.delete(value);
      const peak = Math.max(during, search(others, before));
      if (peak < best.peak) best = { peak, step };
    }
    memo.set(key, best);
    return best.peak;
  };

  const all = new Set(steps.keys());
  search(all, new Set(values.flatMap(({ survives }, value) => (survives ? [value] : []))));
  if (memo.size > most) return undefined;
  const order: number[] = [];
  for (const left = all; left.size > 0; ) {
    const { step } = memo.get([...left].join())!;
    order.push(step);
    left.delete(step);
  }
  return order.reverse();
}
