/** Sizes carried as names agree with sizes carried as numbers, whatever the names stand for. */
import { describe, expect, it } from 'vitest';
import { formatDim, formatShape, substitute } from '../../src/graph/dims.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { type Inferred, NO_BINDINGS } from '../../src/shape/types.ts';
import { writeTemp } from '../support/onnx.ts';
import { type RandomGraph, randomGraph } from './graphs.ts';

const FIRST = 30_001;
const COUNT = 400;

function infer({ bytes }: RandomGraph): Inferred {
  const { graph } = readModel(writeTemp(bytes, 'symbols.onnx'));
  return inferShapes(graph, NO_BINDINGS, { allowOpen: true });
}

describe('random graphs with named dimensions', () => {
  const seen = { equal: 0, open: 0 };

  it.each(Array.from({ length: COUNT }, (_, i) => FIRST + i))('seed %i', (seed) => {
    const named = randomGraph(seed, true);
    const { graph: symbolic } = infer(named);
    const { graph: numeric, diagnostics } = infer(randomGraph(seed));
    // Where onnxruntime leaves the standard for a small size, a name cannot follow it.
    if (diagnostics.some(({ code }) => code === 'N_RULE_DIFFERS')) return;
    for (const [i, { name }] of symbolic.tensors.entries()) {
      const shape = symbolic.facts[i]?.shape?.map((dim) =>
        substitute(dim, (symbol) => named.sizes.get(symbol)),
      );
      const expected = numeric.facts[i]?.shape;
      const isOpen = shape === undefined || shape.some((dim) => typeof dim !== 'number');
      seen[isOpen ? 'open' : 'equal']++;
      const agrees = expected?.map((size, axis) => {
        const dim = shape?.[axis];
        return typeof dim === 'number' ? formatDim(dim) : formatDim(size);
      });
      const rank = shape === undefined || shape.length === expected?.length;
      expect(rank && `${name}[${agrees?.join(',')}]`).toBe(`${name}${formatShape(expected)}`);
    }
  });

  it('knew nearly all of them', () => {
    expect(seen.equal / (seen.equal + seen.open)).toBeGreaterThan(0.9);
  });
});
