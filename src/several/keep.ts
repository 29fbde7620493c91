/** Lays models out until each keeps what the others still need of it. */
import { type Arranged, type Shares, withKeeps } from './arrange.ts';
import type { SolvedModel } from './combine.ts';

type Asked = Arranged['models'][number];

/**
 * Which tensors share bytes shows only when a model is laid out; where that makes another keep more, it is laid out
 * again. What is kept only grows, so this comes to an end.
 */
export function layOutTogether<T extends Pick<SolvedModel, 'graph' | 'buffers'>>(
  arranged: Arranged,
  layOut: (one: Asked) => T,
): { readonly arranged: Arranged; readonly models: readonly T[] } {
  let now = arranged;
  let models = now.models.map(layOut);
  while (now.links.length > 0) {
    const next = withKeeps(now, sharesIn(models));
    const before = now;
    const changed = next.models.map(
      (one, i) => one.request.keep.length > before.models[i]!.request.keep.length,
    );
    now = next;
    if (!changed.includes(true)) break;
    models = models.map((laid, i) => (changed[i] ? layOut(next.models[i]!) : laid));
  }
  return { arranged: now, models };
}

function sharesIn(models: readonly Pick<SolvedModel, 'graph' | 'buffers'>[]): Shares {
  const places = models.map(({ graph, buffers }) => {
    const found = new Map<string, { readonly buffer: number; readonly from: number; readonly to: number }>();
    buffers.buffers.forEach(({ members }, buffer) => {
      for (const { tensor, offset, bytes } of members)
        found.set(graph.tensors[tensor]!.name, { buffer, from: offset, to: offset + bytes });
    });
    return found;
  });
  return (model, a, b) => {
    const [x, y] = [places[model]!.get(a), places[model]!.get(b)];
    return x !== undefined && x.buffer === y?.buffer && x.from < y.to && y.from < x.to;
  };
}
