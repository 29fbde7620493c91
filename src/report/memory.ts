/** Why tensors lie in their memory, and what more of a memory would gain, in words. */

import { percent } from '../percent.ts';
import type { Plan, PlanPlacement, PlanTensor, PlanWhy } from '../plan/types.ts';
import { bytesText, printable } from './text.ts';

const WHY: Readonly<Record<PlanWhy, string>> = {
  home: 'the preferred memory has room for all that may lie there',
  rule: 'rules leave no other memory',
  fastest: 'no memory that may be used is faster',
  size: 'it is larger than every faster memory',
  full: 'the faster memories are full of what is read and written more for its size, or fits nowhere else',
};

/** Of a tensor whose plan placed several regions together; null of any other. */
export interface MemoryReason {
  /** Bytes of its buffer that a run reads and writes. */
  readonly traffic: number;
  readonly why: string;
}

export function memoryReason({ placement }: Plan, { buffer }: PlanTensor): MemoryReason | null {
  const found = placement?.buffers.find((one) => one.buffer === buffer);
  return found === undefined ? null : { traffic: found.traffic, why: WHY[found.why] };
}

export function memoryText({ traffic, why }: MemoryReason): string {
  return `${why}; a run reads and writes ${bytesText(traffic)} of its buffer`;
}

/** `more would spare slower memories 337,920 bytes a run`. */
export function gainText({ traffic }: PlanPlacement['gains'][number]): string {
  return `more would spare slower memories ${bytesText(traffic)} a run`;
}

/** `8.2 % of what a run reads and writes`. */
export function trafficText(traffic: number, all: number): string {
  return `${percent(traffic, all)} of what a run reads and writes`;
}

export function gainLabel({ region }: PlanPlacement['gains'][number]): string {
  return `more ${printable(region)}`;
}
