/**
 * Sizes of which only the largest is known: stated by the user, declared by the file, or the larger of two. They stay
 * symbols, so that nothing that holds at the largest size alone is taken for granted.
 */
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { DimRanges } from '../graph/dim-range.ts';
import { type Dim, isKnown, type Symbolic, sameDim, symbol, symbolsOf } from '../graph/dims.ts';
import type { Node } from '../graph/types.ts';
import { isUnknownName } from '../graph/unknown-dims.ts';
import { solvedDim } from './equations.ts';
import type { OpenBound } from './ranges.ts';
import { type Bound, type State, unknownDim } from './state.ts';

/**
 * The dimension, which is at most `most`: an unknown number gets that bound; a formula of unknown numbers that have
 * bounds keeps them; any other formula, or nothing, gives way to an unknown number of its own.
 */
export function boundedDim(state: State, node: Node, dim: Dim | undefined, bound: Bound): Dim {
  const found = dim === undefined ? undefined : solvedDim(state, dim);
  if (found !== undefined && isKnown(found)) return found;
  const names = found === undefined ? [] : [...symbolsOf(found)].filter(isUnknownName);
  if (names.length > 0 && names.every((name) => state.bounds.has(name))) return found!;
  const own = found === undefined ? undefined : nameOf(found);
  if (own === undefined) return freshDim(state, node, `only its largest size is ${bound.source}`, bound);
  state.bounds.set(own, bound);
  return found!;
}

/** A dimension of its own that is at most as large as the bound says. */
export function freshDim(state: State, node: Node, why: string, bound: Bound): Symbolic {
  const fresh = unknownDim(state, why, node, isKnown(bound.most) ? bound.most : undefined);
  state.bounds.set(fresh.text, bound);
  return fresh;
}

/** The name of a dimension that is one unknown number. */
function nameOf(dim: Dim): string | undefined {
  const [name] = symbolsOf(dim);
  return name !== undefined && isUnknownName(name) && sameDim(dim, symbol(name)) ? name : undefined;
}

/** The bounds by what the symbols turned out to be: other unknown numbers, or formulas that say nothing of one. */
export function openBounds(state: State): readonly OpenBound[] {
  return [...state.bounds].flatMap(([name, { most, source }]) => {
    const own = nameOf(solvedDim(state, symbol(name)));
    if (own === undefined) return [];
    return [{ name: own, most: solvedDim(state, most), ...(source === 'follows' && { follows: true }) }];
  });
}

/** What the user states to be the largest size, and what must be larger for the model to run: E_BINDING. */
export function brokenBounds(state: State): readonly Diagnostic[] {
  return [...state.bounds].flatMap(([name, { most, source }]) => {
    const size = solvedDim(state, symbol(name));
    if (source !== 'stated' || !isKnown(size) || !isKnown(most) || size <= most) return [];
    const { label } = state.reasons.get(name)!.node;
    const text = `--op-shape ${label}: a size of at most ${most} is stated, but what reads it needs ${size}.`;
    return [diagnostic('E_BINDING', text, { node: label })];
  });
}

/** One note (N_BOUND) for each node of whose outputs the file or its branches alone say how large they get. */
export function boundNotes(state: State, ranges: DimRanges): readonly Diagnostic[] {
  if (state.bounds.size === 0) return [];
  const notes = new Map<Node, Diagnostic>();
  for (const [tensor, fact] of state.facts.entries()) {
    for (const [axis, dim] of (fact?.shape ?? []).entries()) {
      const name = nameOf(dim);
      const bound = name === undefined ? undefined : state.bounds.get(name);
      const range = ranges.get(name ?? '');
      if (bound === undefined || range === undefined || !['declared', 'larger'].includes(bound.source))
        continue;
      const { node, why } = state.reasons.get(name!)!;
      const called = state.graph.tensors[tensor]!.name;
      const what = bound.source === 'declared' ? `${why}; the file declares at most ${range.most}` : why;
      const text = `${node.label} (${node.op}): ${what}; axis ${axis} of ${called} is planned at ${range.most}.`;
      if (!notes.has(node))
        notes.set(node, diagnostic('N_BOUND', text, { node: node.label, tensor: called }));
    }
  }
  return [...notes.values()];
}
