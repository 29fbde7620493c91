/** The sizes that a plan is good for, where it is not for one size of each tensor. */
import { isKnown, sameDim, symbol, symbolsOf } from '../graph/dims.ts';
import type { TypedGraph } from '../graph/types.ts';
import { isUnknownName } from '../graph/unknown-dims.ts';
import type { Bindings } from '../shape/types.ts';
import type { Assumptions, PlanBound } from './types.ts';

/** What was asked for by name, and the unknown numbers that have bounds without having been asked for. */
export function boundsOf(
  graph: TypedGraph,
  { ranges = new Map(), maxSizes = new Map() }: Bindings,
): Pick<Assumptions, 'ranges' | 'maxSizes' | 'bounds'> {
  const named = [...ranges].map(([name, { least, most }]) => ({ name, least, most }));
  const elements = [...maxSizes].map(([tensor, elements]) => ({ tensor, elements }));
  const bounds = sizesOf(graph, new Set(maxSizes.keys()));
  return {
    ...(named.length > 0 && { ranges: named }),
    ...(elements.length > 0 && { maxSizes: elements }),
    ...(bounds.length > 0 && { bounds }),
  };
}

/** By unknown number the first tensor that has it as a size; those of the tensors that are bounded as a whole are left out. */
function sizesOf({ ranges, facts, tensors }: TypedGraph, bounded: ReadonlySet<string>): readonly PlanBound[] {
  const found = new Map<string, PlanBound | undefined>();
  for (const [tensor, fact] of ranges === undefined ? [] : facts.entries()) {
    const { name } = tensors[tensor]!;
    for (const [axis, dim] of (fact?.shape ?? []).entries()) {
      if (isKnown(dim)) continue;
      const [own] = symbolsOf(dim);
      const range = ranges?.get(own!);
      if (!isUnknownName(own!) || range === undefined || range.follows || !sameDim(dim, symbol(own!)))
        continue;
      if (bounded.has(name)) found.set(own!, undefined);
      else if (!found.has(own!)) found.set(own!, { tensor: name, axis, most: range.most });
    }
  }
  return [...found.values()].filter((one) => one !== undefined);
}
