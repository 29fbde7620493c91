/** Looks up where the tensors of one of several models lie. */
import type { JointBuffers, Member } from '../lifetime/types.ts';

/** Of one model, by index of the tensor. */
export interface Places {
  /** Undefined for a tensor without bytes in memory. */
  readonly member: (tensor: number) => Member | undefined;
  /** Index of the buffer that it lies in; undefined also for memory that the caller owns. */
  readonly buffer: (tensor: number) => number | undefined;
}

export function placesOf({ buffers, external }: JointBuffers, model: number): Places {
  const members: Member[] = [];
  const places: number[] = [];
  buffers.forEach((buffer, index) => {
    for (const member of buffer.members) {
      if (member.model !== model) continue;
      members[member.tensor] = member;
      places[member.tensor] = index;
    }
  });
  for (const member of external) if (member.model === model) members[member.tensor] = member;
  return { member: (tensor) => members[tensor], buffer: (tensor) => places[tensor] };
}
