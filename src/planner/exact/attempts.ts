/** The attempts of the exact search: which rule, which order and how many nodes, one restart after another. */
import { orderBy } from '../orders.ts';
import { seededRandom } from '../random.ts';
import type { BranchRule } from './branch.ts';
import type { Instance } from './instance.ts';

export interface Turn {
  readonly rule: BranchRule;
  readonly rank: Int32Array;
  readonly budget: number;
}

/**
 * Where the search is quick it needs little more than a node for each buffer; where it is lost it stays lost. So most
 * attempts are short and differ in everything that can differ.
 */
export const SHORT = 3;
/** A long attempt, at the end a proof, gets as many nodes as the short ones before it took together. */
const FIRST_LONG = 8;

const balanced: BranchRule = { floor: 1, slack: 0.5, anyLowest: false };
const lowest: BranchRule = { floor: 1, slack: 0, anyLowest: false };
/** The lowest floor, and the tightest section among equals. */
const lowestTight: BranchRule = { floor: 1, slack: 1e-6, anyLowest: false };
const tight: BranchRule = { floor: 1, slack: 1, anyLowest: false };
const eager: BranchRule = { floor: 1, slack: 0.5, anyLowest: true };

/** Each has solved what the others could not. The first is also the best in proofs. */
export const RULES: readonly [BranchRule, ...BranchRule[]] = [balanced, lowest, tight, eager];

/** The first attempts, by plain keys: on most problems one of them succeeds. */
const OPENING: readonly (readonly [KeyName, BranchRule])[] = [
  ['length', balanced],
  ['area', lowestTight],
  ['bulk', balanced],
  ['pressure', balanced],
  ['neighbours', tight],
  ['size', lowestTight],
];

/** How far the logarithm of a key may be shaken either way: a little breaks ties, more finds other orders. */
const NOISES = [0.15, 0.25, 0.45] as const;

/**
 * An endless sequence of attempts; the same for the same instance. First come the plain keys, each with the rule that
 * suits it, then shaken keys with every rule in turn.
 */
export function* attempts(instance: Instance): Generator<Turn, never> {
  const keys = logKeys(instance);
  const shaken = [keys.area, keys.pressure, keys.length, keys.sections, keys.bulk];
  const short = SHORT * instance.count;
  const random = seededRandom(instance.count);
  for (const [name, rule] of OPENING) yield { rule, rank: ranks(keys[name]), budget: short };
  let long = FIRST_LONG * instance.count;
  let spent = 0;
  for (let turn = 0; ; turn++) {
    const round = Math.floor(turn / shaken.length);
    const noise = NOISES[round % NOISES.length]!;
    const key = shaken[turn % shaken.length]!.map((value) => value + noise * (random() + random() - 1));
    yield { rule: RULES[round % RULES.length]!, rank: ranks(key), budget: short };
    spent += short;
    if (spent < long) continue;
    yield { rule: RULES[0], rank: ranks(keys.area), budget: long };
    long *= 2;
    spent = 0;
  }
}

type KeyName = 'length' | 'area' | 'sections' | 'bulk' | 'pressure' | 'neighbours' | 'size';

/** Logarithms of what orders go by; each has solved something that the others could not. */
function logKeys(instance: Instance): Readonly<Record<KeyName, Float64Array>> {
  const { count, size, spanStart, spanned, length, nearStart } = instance;
  const load = new Float64Array(instance.sections);
  for (let i = 0; i < count; i++) {
    for (let q = spanStart[i]!; q < spanStart[i + 1]!; q++) load[spanned[q]!]! += size[i]!;
  }
  const key = (value: (i: number, sections: number, pressure: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => {
      const span = spanned.subarray(spanStart[i]!, spanStart[i + 1]!);
      const pressure = span.reduce((most, s) => Math.max(most, load[s]!), 0);
      return value(i, span.length, pressure);
    });
  return {
    length: key((i) => Math.log(length[i]!)),
    area: key((i) => Math.log(length[i]! * size[i]!)),
    sections: key((_, sections) => Math.log(sections)),
    bulk: key((i, sections) => Math.log(sections * size[i]!)),
    pressure: key((_, sections, pressure) => 8 * Math.log(pressure) + Math.log(sections)),
    neighbours: key((i) => Math.log1p(nearStart[i + 1]! - nearStart[i]!)),
    size: key((i) => Math.log(size[i]!)),
  };
}

/** Each buffer's place when sorted by falling key. */
export function ranks(key: Float64Array): Int32Array {
  const result = new Int32Array(key.length);
  orderBy(key.length, key).forEach((buffer, place) => {
    result[buffer] = place;
  });
  return result;
}
