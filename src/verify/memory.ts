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
  let runs: readonly Run[] = [];
  return {
    take: (from, to, owner) => {
      if (from >= to) return;
      const before = runs.flatMap((run) => (run.from < from ? [{ ...run, to: Math.min(run.to, from) }] : []));
      const after = runs.flatMap((run) => (run.to > to ? [{ ...run, from: Math.max(run.from, to) }] : []));
      runs = [...before, { from, to, owner }, ...after];
    },
    intruder: (from, to, owner) => {
      let at = from;
      for (const run of runs) {
        if (run.to <= at || run.from >= to) continue;
        if (run.from > at) return null;
        if (run.owner !== owner) return run.owner;
        at = run.to;
      }
      return at < to ? null : undefined;
    },
  };
}
