/** The largest and smallest a dimension gets while its symbols stay within their ranges. */
import { type Dim, isKnown, type Symbolic, substitute, symbolsOf } from './dims.ts';

/** Both ends belong to it. */
export interface DimRange {
  readonly least: number;
  readonly most: number;
  /** Of an unknown number: nobody states the range, it follows from those of others. */
  readonly follows?: true;
}

/** By symbol. */
export type DimRanges = ReadonlyMap<string, DimRange>;

type Atom = Symbolic['terms'][number]['atoms'][number];

/** Combinations of sizes that are tried one by one; beyond, ends are estimated from the outside. */
const MOST_TRIED = 4096;

/**
 * Sizes that hold at every combination of the symbols: exact where the combinations are few, else no tighter than the
 * truth. Undefined where a symbol has no range, or nothing can be said.
 */
export function rangeOf(dim: Dim, ranges: DimRanges): DimRange | undefined {
  if (isKnown(dim)) return { least: dim, most: dim };
  const symbols = [...symbolsOf(dim)];
  if (!symbols.every((name) => ranges.has(name))) return undefined;
  const count = symbols.reduce((product, name) => product * sizesIn(ranges.get(name)!), 1);
  return count <= MOST_TRIED ? tried(dim, symbols, ranges) : estimated(dim, ranges);
}

/** One size for each symbol, all at their smallest or all at their largest. */
export function cornerOf(ranges: DimRanges, end: 'least' | 'most'): ReadonlyMap<string, number> {
  return new Map([...ranges].map(([name, range]) => [name, range[end]]));
}

function sizesIn({ least, most }: DimRange): number {
  return most - least + 1;
}

function tried(dim: Dim, symbols: readonly string[], ranges: DimRanges): DimRange | undefined {
  let [least, most] = [Infinity, -Infinity];
  const sizes = new Map(symbols.map((name) => [name, ranges.get(name)!.least]));
  for (;;) {
    const value = substitute(dim, (name) => sizes.get(name));
    if (!isKnown(value) || !Number.isFinite(value)) return undefined;
    [least, most] = [Math.min(least, value), Math.max(most, value)];
    const next = symbols.findLast((name) => sizes.get(name)! < ranges.get(name)!.most);
    if (next === undefined) return { least, most };
    sizes.set(next, sizes.get(next)! + 1);
    for (const name of symbols.slice(symbols.indexOf(next) + 1)) sizes.set(name, ranges.get(name)!.least);
  }
}

/** Interval arithmetic over the terms of the canonical form. */
function estimated(dim: Dim, ranges: DimRanges): DimRange | undefined {
  if (isKnown(dim)) return { least: dim, most: dim };
  let sum: DimRange = { least: dim.constant, most: dim.constant };
  for (const { coefficient, atoms } of dim.terms) {
    let term: DimRange = { least: coefficient, most: coefficient };
    for (const atom of atoms) {
      const range = atomRange(atom, ranges);
      if (range === undefined) return undefined;
      const ends = [term.least, term.most].flatMap((a) => [a * range.least, a * range.most]);
      term = { least: Math.min(...ends), most: Math.max(...ends) };
    }
    sum = { least: sum.least + term.least, most: sum.most + term.most };
  }
  return Number.isFinite(sum.least) && Number.isFinite(sum.most) ? sum : undefined;
}

function atomRange(atom: Atom, ranges: DimRanges): DimRange | undefined {
  if (atom.kind === 'symbol') return ranges.get(atom.name);
  const [a, b] = [estimated(atom.a, ranges), estimated(atom.b, ranges)];
  if (a === undefined || b === undefined) return undefined;
  if (atom.kind === 'min') return { least: Math.min(a.least, b.least), most: Math.min(a.most, b.most) };
  if (atom.kind === 'max') return { least: Math.max(a.least, b.least), most: Math.max(a.most, b.most) };
  if (b.least < 1) return undefined;
  if (atom.kind === 'mod') return { least: 0, most: b.most - 1 };
  const ends = [a.least, a.most].flatMap((x) => [Math.floor(x / b.least), Math.floor(x / b.most)]);
  return { least: Math.min(...ends), most: Math.max(...ends) };
}
