/** Open dimensions carried by name give, once they are filled in, what inference gives with the sizes from the start. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatShape, isKnown, substitute } from '../../src/graph/dims.ts';
import type { Fact, TypedGraph } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { recordedBindings, recordings } from '../support/truth.ts';

const folder = corpus();
if (folder === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

/** Recorded with images of 1x1: a pool wider than its input yields one place where the formula for real sizes has none. */
const DEGENERATE: ReadonlySet<string> = new Set(['npm_ppocr_cls', 'yunet_s_dynamic']);

const names = folder === undefined ? [] : recordings(folder).filter((name) => !DEGENERATE.has(name));

describe.skipIf(folder === undefined)('models with open inputs', () => {
  it.each(names)('%s', (name) => {
    const { graph } = readModel(join(folder!, 'data', 'models', `${name.replace(/\.second$/, '')}.onnx`));
    const bindings = recordedBindings(folder!, name, graph)!;
    const open = inferShapes(graph, NO_BINDINGS, { allowOpen: true }).graph;
    const bound = inferShapes(graph, bindings, { allowOpen: true }).graph;
    const sizes = sizesOf(open, bound);
    const differing = graph.tensors.flatMap((tensor, i) => {
      const [by, is] = [filled(open.facts[i], sizes), bound.facts[i]];
      const agrees = by === undefined || is?.shape === undefined || formatShape(by) === formatShape(is.shape);
      return agrees ? [] : [`${tensor.name}: ${formatShape(by)}, not ${formatShape(is.shape)}`];
    });
    expect(differing).toEqual([]);
  });
});

/** What the open dimensions of the inputs are in the bound graph. */
function sizesOf(open: TypedGraph, bound: TypedGraph): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const input of open.inputs) {
    for (const [axis, dim] of (open.facts[input]!.shape ?? []).entries()) {
      const size = bound.facts[input]!.shape![axis]!;
      if (!isKnown(dim) && isKnown(size)) sizes.set(dim.text, size);
    }
  }
  return sizes;
}

/** The shape with its open dimensions filled in, or undefined where something unknown is left. */
function filled(fact: Fact | undefined, sizes: ReadonlyMap<string, number>) {
  const shape = fact?.shape?.map((dim) => substitute(dim, (name) => sizes.get(name)));
  return shape?.every(isKnown) ? shape : undefined;
}
