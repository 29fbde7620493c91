/** A plan for a range of sizes has room for every tensor of every run within it, as onnxruntime made them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDim, isKnown } from '../../src/graph/dims.ts';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { requestOf } from '../support/planned.ts';
import { recordings } from '../support/truth.ts';

const shared = corpus();
if (shared === undefined) console.warn(`skipped: ${CORPUS_MISSING}`);

interface Truth {
  readonly inputs: Readonly<Record<string, readonly [string, readonly number[]]>>;
  readonly tensors: Readonly<Record<string, readonly [string, readonly number[]]>>;
}

const truthOf = (name: string): Truth =>
  JSON.parse(readFileSync(join(shared!, 'data/truth', `${name}.json`), 'utf8')) as Truth;

const elements = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Models that were run with two sets of sizes. */
const twice =
  shared === undefined
    ? []
    : recordings(shared)
        .filter((name) => name.endsWith('.second'))
        .map((name) => name.replace(/\.second$/, ''));

describe.skipIf(shared === undefined)('models that were run twice', () => {
  let [planned, compared, sharing] = [0, 0, 0];

  it.each(twice)('%s', (name) => {
    const model = join(shared!, 'data/models', `${name}.onnx`);
    const { graph } = readModel(model);
    const runs = [truthOf(name), truthOf(`${name}.second`)];
    const ranges = new Map<string, { least: number; most: number }>();
    const inputShapes = new Map<string, readonly number[]>();
    let isNamed = true;
    for (const tensor of graph.inputs) {
      const { name: input, declared } = graph.tensors[tensor]!;
      const shapes = runs.map((run) => run.inputs[input]?.[1]);
      if (shapes[0] === undefined || declared?.shape === undefined) continue;
      declared.shape.forEach((dim, axis) => {
        if (isKnown(dim)) return;
        const symbol = formatDim(dim);
        // Dimensions without a name of their own cannot be given a range.
        if (dim.terms.length !== 1 || /^\?|^$|None|unk__/.test(symbol)) isNamed = false;
        const known = ranges.get(symbol);
        const sizes = shapes.map((shape) => shape![axis]!);
        ranges.set(symbol, {
          least: Math.min(known?.least ?? Infinity, ...sizes),
          most: Math.max(known?.most ?? 0, ...sizes),
        });
      });
    }
    if (!isNamed || ranges.size === 0) return;
    const request = {
      models: [model],
      target: 'cortex-a53',
      bindings: { ...NO_BINDINGS, inputShapes, ranges },
    };
    const { plan } = planModel(requestOf(request));
    planned++;
    expect(plan.assumptions.ranges?.map((range) => range.name)).toEqual([...ranges.keys()]);
    const tensors = new Map(plan.tensors.map((t) => [t.name, t]));
    for (const run of runs) {
      for (const [tensor, [, shape]] of Object.entries(run.tensors)) {
        const found = tensors.get(tensor);
        if (found === undefined) continue;
        compared++;
        expect(found.shape.length).toBe(shape.length);
        const small = shape.filter((size, axis) => (found.shape[axis] ?? 0) < size);
        expect(small, `${tensor} [${shape}]`).toEqual([]);
        const source = run.tensors[found.aliasOf ?? '']?.[1];
        // Parts of a tensor are shown only where all its sizes are fixed.
        const isWhole = tensors.get(found.aliasOf ?? '')?.bytes === found.bytes;
        if (source === undefined || !isWhole || !['view', 'in-place'].includes(found.how)) continue;
        sharing++;
        expect(elements(shape), `${tensor} in the place of ${found.aliasOf}`).toBe(elements(source));
      }
    }
  });

  it('were planned for ranges', () => {
    expect(planned).toBeGreaterThanOrEqual(14);
    expect(compared).toBeGreaterThan(1200);
    expect(sharing).toBeGreaterThan(100);
  });
});
