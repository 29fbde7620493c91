/** Dimensions that may have any size of a range, and bounds of what depends on data. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { cornerOf, type DimRange, type DimRanges, rangeOf } from '../graph/dim-range.ts';
import { type Dim, formatShape, isKnown, product, symbolsOf } from '../graph/dims.ts';
import type { Fact, Graph } from '../graph/types.ts';
import type { Bindings } from './types.ts';

/** The largest size of an unknown number, which may be a formula of others. */
export interface OpenBound {
  readonly name: string;
  readonly most: Dim;
  readonly follows?: true;
}

/**
 * The ranges of named dimensions, for each --max-size the range of the one unknown number that the size of its tensor
 * hangs on, and those of the unknown numbers of which a largest size is known. Faults: E_BINDING.
 */
export function symbolRanges(
  graph: Graph,
  facts: readonly (Fact | undefined)[],
  { ranges = new Map(), maxSizes = new Map() }: Bindings,
  bounds: readonly OpenBound[],
): { readonly ranges: DimRanges; readonly faults: readonly Diagnostic[] } {
  const all = new Map<string, DimRange>(ranges);
  const faults: Diagnostic[] = [];
  for (const [name, elements] of maxSizes) {
    const tensor = graph.tensors.findIndex((one) => one.name === name);
    const bounded =
      tensor < 0 ? 'the model has no tensor of that name' : boundOf(facts[tensor], ranges, elements);
    if (typeof bounded === 'string') {
      const hint =
        'memplan shapes MODEL lists the tensors; --op-shape NODE:float32,1,8,8 states sizes one by one';
      faults.push(diagnostic('E_BINDING', `--max-size ${name}: ${bounded}.`, { tensor: name, hint }));
    } else {
      const { symbol, most } = bounded;
      all.set(symbol, { least: 0, most: Math.min(most, all.get(symbol)?.most ?? most) });
    }
  }
  addBounds(all, bounds);
  return { ranges: all, faults };
}

/** A bound may be a formula of others: those that are known give the rest, until none is added. */
function addBounds(all: Map<string, DimRange>, bounds: readonly OpenBound[]): void {
  let open = bounds;
  for (let before = -1; before !== open.length; ) {
    before = open.length;
    open = open.filter(({ name, most: formula, follows }) => {
      const most = rangeOf(formula, all)?.most;
      if (most === undefined) return true;
      const stated = all.get(name);
      const least = Math.max(0, Math.min(most, stated?.most ?? most));
      all.set(name, { least: 0, most: least, ...(follows && stated === undefined && { follows }) });
      return false;
    });
  }
}

/** The unknown number, at most `elements` over what it is multiplied by; or why there is none. */
function boundOf(
  fact: Fact | undefined,
  ranges: DimRanges,
  elements: number,
): { readonly symbol: string; readonly most: number } | string {
  const { shape } = fact ?? {};
  if (shape === undefined) return 'not even its rank is known';
  const open = shape.filter((dim) => !isKnown(dim));
  const unknown = new Set(open.flatMap((dim) => [...symbolsOf(dim)]).filter((name) => !ranges.has(name)));
  const [symbol] = unknown;
  const shapeText = formatShape(shape);
  if (symbol === undefined) return `its size does not depend on data: ${shapeText}`;
  if (open.length > 1 || unknown.size > 1 || (!isKnown(open[0]!) && open[0]!.text !== symbol))
    return `its size depends on more than one unknown number: ${shapeText}`;
  const others = product(shape.filter(isKnown)) as number;
  return { symbol, most: Math.floor(elements / Math.max(1, others)) };
}

/** Infers again with each dimension at one end of its range: `E_SHAPE` and its like if the model does not run there. */
export function checkEnds(
  bindings: Bindings,
  facts: readonly (Fact | undefined)[],
  all: DimRanges,
  infer: (bindings: Bindings) => readonly (Fact | undefined)[],
): void {
  const { ranges = new Map() } = bindings;
  for (const end of ['least', 'most'] as const) {
    const sizes = cornerOf(ranges, end);
    const { maxSizes: _, ranges: __, ...rest } = bindings;
    const found = inferAt(sizes, () => infer({ ...rest, dims: new Map([...bindings.dims, ...sizes]) }));
    found.forEach((fact, tensor) => {
      const bound = facts[tensor]?.shape?.map((dim) => rangeOf(dim, all)?.most);
      fact?.shape?.forEach((dim, axis) => {
        const most = bound?.[axis];
        if (!isKnown(dim) || most === undefined || dim <= most) return;
        const text = `A size of ${dim} at ${sizesText(sizes)} is above its bound of ${most}. Please report this model.`;
        throw new MemplanError([diagnostic('E_INTERNAL', text)]);
      });
    });
  }
}

function inferAt<T>(sizes: ReadonlyMap<string, number>, infer: () => T): T {
  try {
    return infer();
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    const [first, ...others] = error.diagnostics.map((one) => ({
      ...one,
      text: `With ${sizesText(sizes)}: ${one.text}`,
    }));
    throw new MemplanError([first!, ...others]);
  }
}

function sizesText(sizes: ReadonlyMap<string, number>): string {
  return [...sizes].map(([name, size]) => `${name}=${size}`).join(', ');
}
