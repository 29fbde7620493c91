/** A region of memory that remembers whose bytes lie where. */

interface Run {
  readonly from: number;
  readonly to: number;
  readonly owner: string;
}

/** Bytes [from, to). Empty ranges own nothing and are always found. */
export interface Memory {
  /** Makes the bytes the owner's, whoever had them. */
  readonly take: (from: number, to: number, owner: string) => void;
  /** Who holds a byte of the range instead of the owner: a name, null for nobody, undefined when all is well. */
  readonly intruder: (from: number, to: number, owner: string) => string | null | undefined;
}

export function createMemory(): Memory {
  /** Disjoint, ascending. */
  const runs: Run[] = [];
  /** The first run that reaches beyond an address. */
  const beyond = (address: number): number => {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (runs[middle]!.to > address) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    take: (from, to, owner) => {
      if (from >= to) return;
      const first = beyond(from);
      const found = runs[first];
      if (found?.from === from && found.to === to) {
        runs[first] = { from, to, owner };
        return;
      }
      let end = first;
      const left: Run[] = [];
      for (; end < runs.length && runs[end]!.from < to; end++) {
        const run = runs[end]!;
        if (run.from < from) left.push({ ...run, to: from });
        if (run.to > to) left.push({ ...run, from: to });
      }
      const kept = [...left, { from, to, owner }].sort((a, b) => a.from - b.from);
      runs.splice(first, end - first, ...kept);
    },
    intruder: (from, to, owner) => {
      let at = from;
      for (let i = beyond(from); i < runs.length && at < to; i++) {
        const run = runs[i]!;
        if (run.from > at) return null;
        if (run.owner !== owner) return run.owner;
        at = run.to;
      }
      return at < to ? null : undefined;
    },
  };
}
