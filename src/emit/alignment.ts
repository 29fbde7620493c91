/** What a plan promises about the alignment of tensors. */
import { elementWidth } from '../graph/element-type.ts';
import type { PlanBuffer, PlanTensor } from '../plan/types.ts';

/**
 * The number that the offset of a placed tensor is a multiple of: its buffer's alignment, or inside a buffer the
 * width of an element where the offset has it.
 */
export function offsetAlignment(tensor: PlanTensor, buffer: PlanBuffer | undefined): number {
  if (buffer !== undefined && buffer.offset === tensor.offset) return buffer.alignment;
  const width = elementWidth(tensor.type);
  return tensor.offset! % width === 0 ? width : 1;
}

/** The alignment of the tensor's address in an aligned arena: the largest power of two in the offset's. */
export function addressAlignment(offsetAligned: number): number {
  let power = 1;
  while (offsetAligned % (power * 2) === 0) power *= 2;
  return power;
}

/** What compilers can be asked for: the next power of two. */
export function arenaAlignment(alignment: number): number {
  let power = 1;
  while (power < alignment) power *= 2;
  return power;
}
