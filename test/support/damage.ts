/** Damages data at random: one number, name or entry of a list is changed, however deep it lies. */
const NUMBERS = [0, 1, 99, 2 ** 31, 2 ** 52];
const NAMES = ['', 'x', 'own', 'view', 'in-place', 'elided', 'external', 'Concat', 'Split', 'Loop', 'If'];

type Random = (below: number) => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** The same data with one change; `random(n)` gives one of the numbers below n. */
export function damaged<T>(data: T, random: Random): T {
  const copy = structuredClone(data) as Record<string, unknown>;
  let at = copy;
  for (;;) {
    const keys = Object.keys(at);
    if (keys.length === 0) return copy as T;
    const key = pick(random, keys);
    const value = at[key];
    const inside = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
    if (inside && random(8) > 0) {
      at = value as Record<string, unknown>;
      continue;
    }
    if (Array.isArray(at)) at.splice(Number(key), random(2), ...(random(2) === 0 ? [pick(random, at)] : []));
    else if (typeof value === 'number') at[key] = pick(random, [...NUMBERS, value + 1, value - 1, 2 * value]);
    else if (typeof value === 'string') at[key] = pick(random, [...NAMES, `${value}/a`]);
    else if (typeof value === 'boolean') at[key] = !value;
    else if (value === null) at[key] = pick(random, [0, 'x']);
    else delete at[key];
    return copy as T;
  }
}
