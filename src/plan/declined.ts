/** Says how far the choice of what shares bytes is proved, and names what shares none although its operator would allow it. */
import type { TypedGraph } from '../graph/types.ts';
import { HOW } from '../lifetime/buffers.ts';
import type { Buffers } from '../lifetime/types.ts';
import type { PlanDeclined, PlanSharing } from './types.ts';

interface Laid {
  readonly graph: TypedGraph;
  readonly buffers?: Pick<Buffers, 'declined' | 'sharing'>;
}

export function planDeclined({ graph, buffers }: Laid, model: number): readonly PlanDeclined[] {
  const nameOf = (tensor: number): string => graph.tensors[tensor]!.name;
  return (buffers?.declined ?? []).map(({ candidate, blocker, peakBytes }) => ({
    model,
    tensor: nameOf(candidate.output),
    source: nameOf(candidate.source),
    how: HOW[candidate.kind] as PlanDeclined['how'],
    blocker: blocker === undefined ? null : nameOf(blocker),
    peakBytes: peakBytes ?? null,
  }));
}

/** The field of the plan; nothing where nothing was declined. */
export function someDeclined(declined: readonly PlanDeclined[]): {
  readonly declined?: readonly PlanDeclined[];
} {
  return declined.length > 0 ? { declined } : {};
}

/** The field of the plan; nothing where every choice is proved. */
export function openSharing(models: readonly Laid[]): { readonly sharing?: readonly PlanSharing[] } {
  const sharing = models.flatMap(({ buffers }, model): PlanSharing[] => {
    if (buffers === undefined || buffers.sharing.peakBytes <= buffers.sharing.leastBytes) return [];
    const { peakBytes, leastBytes } = buffers.sharing;
    return [{ model, peakBytes, leastBytes }];
  });
  return sharing.length > 0 ? { sharing } : {};
}
