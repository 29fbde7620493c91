/** Decides with a node budget whether an instance has a plan below a capacity. */
import { attempts, type Turn } from './attempts.ts';
import type { Instance } from './instance.ts';
import { createSearch, type Search, type Verdict } from './search.ts';

export interface Decision {
  readonly verdict: Verdict;
  /** Offsets in bytes by the instance's buffer numbers, after `found`. */
  readonly offsets: Float64Array | undefined;
  readonly nodes: number;
}

/** A decider keeps its attempts where they are, so that asking again about the same capacity goes on, not back. */
export type Decider = (capacityBytes: number, budget: number) => Decision;

export function createDecider(instance: Instance): Decider {
  const search = createSearch(instance);
  const turns = new Map<number, Generator<Turn, never>>();
  return (capacityBytes, budget) => {
    const capacity = Math.floor(capacityBytes / instance.scale);
    const sequence = turns.get(capacity) ?? attempts(instance);
    turns.set(capacity, sequence);
    return decide(instance, search, sequence, capacity, budget);
  };
}

function decide(
  instance: Instance,
  search: Search,
  sequence: Generator<Turn, never>,
  capacity: number,
  budget: number,
): Decision {
  let nodes = 0;
  while (nodes < budget) {
    const { rule, rank, budget: wanted } = sequence.next().value;
    const verdict = search.run({ capacity, rule, rank, budget: Math.min(wanted, budget - nodes) });
    nodes += search.nodes();
    if (verdict === 'found') {
      return { verdict, offsets: search.offsets.map((offset) => offset * instance.scale), nodes };
    }
    if (verdict === 'refuted') return { verdict, offsets: undefined, nodes };
  }
  return { verdict: 'unknown', offsets: undefined, nodes };
}
