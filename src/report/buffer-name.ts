/** What reports call a buffer: the tensor that one would look for. */
import type { Plan, PlanBuffer, PlanTensor } from '../plan/types.ts';

/** The tensors of every buffer by its id, in the order of the plan. */
export function membersOf({ buffers, tensors }: Plan): ReadonlyMap<number, readonly PlanTensor[]> {
  const members = new Map<number, PlanTensor[]>(buffers.map(({ id }) => [id, []]));
  for (const tensor of tensors) if (tensor.buffer !== null) members.get(tensor.buffer)?.push(tensor);
  return members;
}

/**
 * Its largest tensor among those live at the peak, where there are any: the list of the peak calls it so too. Of a copy
 * the weight that it holds. Undefined for a buffer without either.
 */
export function bufferName(
  { peak: { step } }: Plan,
  { kind, tensors }: PlanBuffer,
  members: readonly PlanTensor[],
): string | undefined {
  if (kind === 'copy') return tensors[0];
  const live = members.filter(({ first, end }) => first <= step && step < end);
  return (largest(live) ?? largest(members))?.name;
}

/** Of equals the one that came first. */
export function largest(tensors: readonly PlanTensor[]): PlanTensor | undefined {
  return tensors.reduce<PlanTensor | undefined>(
    (most, tensor) => (most === undefined || tensor.bytes > most.bytes ? tensor : most),
    undefined,
  );
}
