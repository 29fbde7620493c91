/** The two questions the minimiser asks: is there a plan below a capacity, and is there one below this plan. */
import { neverStopped, type Stopper } from '../stopper.ts';
import { attempts, type Turn } from './attempts.ts';
import { guidedAttempts } from './guided.ts';
import type { Instance } from './instance.ts';
import { createSearch, type Search, type Verdict } from './search.ts';

export interface Decision {
  readonly verdict: Verdict;
  /** Offsets in bytes by the part's buffer numbers, after `found`. */
  readonly offsets: Float64Array | undefined;
  readonly nodes: number;
}

export interface Decider {
  /** Whether a plan of at most this many bytes exists. Asking again goes on with new attempts. */
  readonly decide: (capacityBytes: number, budget: number) => Decision;
  /** A plan smaller than the one given, found by staying near it; `low` in bytes is known to be the least possible. */
  readonly improve?: (plan: Float64Array, low: number, budget: number) => Decision;
}

export function createDecider(instance: Instance, stopped: Stopper = neverStopped): Decider {
  const { scale } = instance;
  const search = createSearch(instance, stopped);
  const turns = new Map<number, Generator<Turn, never>>();
  const guided = guidedAttempts(instance);
  const inBytes = (offsets: Float64Array): Float64Array => offsets.map((offset) => offset * scale);

  const decide: Decider['decide'] = (capacityBytes, budget) => {
    const capacity = Math.floor(capacityBytes / scale);
    const sequence = turns.get(capacity) ?? attempts(instance);
    turns.set(capacity, sequence);
    let nodes = 0;
    while (nodes < budget && !stopped()) {
      const verdict = attempt(search, sequence.next().value, capacity, budget - nodes);
      nodes += search.nodes();
      if (verdict === 'found') return { verdict, offsets: inBytes(search.offsets), nodes };
      if (verdict === 'refuted') return { verdict, offsets: undefined, nodes };
    }
    return { verdict: 'unknown', offsets: undefined, nodes };
  };

  const improve: Decider['improve'] = (plan, low, budget) => {
    const start = plan.map((offset) => Math.floor(offset / scale));
    let nodes = 0;
    while (nodes < budget && !stopped()) {
      const { turn, capacity } = guided(start, Math.floor(low / scale));
      const verdict = attempt(search, turn, capacity, budget - nodes);
      // A capacity that is refuted at the root costs nothing, and must not keep the loop going for ever.
      nodes += Math.max(1, search.nodes());
      if (verdict === 'found') return { verdict, offsets: inBytes(search.offsets), nodes };
    }
    return { verdict: 'unknown', offsets: undefined, nodes };
  };

  return { decide, improve };
}

function attempt(search: Search, turn: Turn, capacity: number, left: number): Verdict {
  return search.run({ capacity, rule: turn.rule, rank: turn.rank, budget: Math.min(turn.budget, left) });
}
