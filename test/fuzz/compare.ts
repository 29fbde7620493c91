/** Infers a random graph through the whole reader and compares every tensor with what a run gave. */
import { formatShape } from '../../src/graph/dims.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import type { Outcome } from './oracle.ts';

/** One text per tensor that is wrong, or not known, or a fault of ours where the run went through. */
export function differences(path: string, outcome: Outcome): readonly string[] {
  let inferred: ReadonlyMap<string, string>;
  try {
    const { graph } = inferShapes(readModel(path).graph, NO_BINDINGS, { allowOpen: true });
    inferred = new Map(
      graph.tensors.map(({ name }, i) => {
        const fact = graph.facts[i];
        return [name, fact === undefined ? 'nothing' : `${fact.type}${formatShape(fact.shape)}`];
      }),
    );
  } catch (error) {
    const text = (error as Error).message;
    if ('outputs' in outcome) return [`refused: ${text}`];
    return (error as Error).name === 'MemplanError' ? [] : [`crashed: ${text}`];
  }
  if ('error' in outcome) return [];
  return Object.entries(outcome.outputs).flatMap(([name, [type, shape]]) => {
    const expected = `${type}${formatShape(shape)}`;
    const got = inferred.get(name);
    return got === expected ? [] : [`${name}: ${got}, not ${expected}`];
  });
}
