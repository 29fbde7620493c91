/** Attempts that follow the best plan so far: most of a good plan is right. */
import { seededRandom } from '../random.ts';
import { RULES, ranks, SHORT, type Turn } from './attempts.ts';
import type { Instance } from './instance.ts';

/** How far an offset of the plan may be shaken to rank its buffer, in shares of the plan's height. */
const NOISES = [0.003, 0.01, 0.03, 0.1] as const;
/** One attempt in so many aims at the lowest capacity at once; the others go down by steps. */
const BOLD = 10;
/** The largest step, in shares of the way that is left. */
const STEP = 0.2;

export interface Guided {
  readonly turn: Turn;
  /** In units of the scale, below the plan's height. */
  readonly capacity: number;
}

/**
 * Buffers are tried in the order of their offsets in the plan, slightly shaken, below a capacity that the plan does
 * not reach (after solution-guided search: Beck, JAIR 29, 2007). Returns the next attempt for a plan and a lowest
 * capacity worth trying.
 */
export function guidedAttempts(instance: Instance): (plan: Float64Array, low: number) => Guided {
  const { count, size } = instance;
  const random = seededRandom(count + 1);
  let turns = 0;
  return (plan, low) => {
    const height = plan.reduce((most, offset, i) => Math.max(most, offset + size[i]!), 0);
    const rule = RULES[turns % RULES.length]!;
    const noise = height * NOISES[Math.floor(turns / RULES.length) % NOISES.length]!;
    turns++;
    const key = plan.map((offset) => -(offset + noise * (random() + random() - 1)));
    const step = Math.floor(random() * random() * STEP * (height - low));
    const capacity = turns % BOLD === 0 ? low : Math.max(low, height - 1 - step);
    return { turn: { rule, rank: ranks(key), budget: SHORT * count }, capacity };
  };
}
