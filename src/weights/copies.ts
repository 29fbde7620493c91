/** Which weights are copied to RAM, and where: on top of the arenas, alive at all steps. */

import { elementWidth } from '../graph/element-type.ts';
import type { PlanBuffer, PlanConstant, PlanRegion } from '../plan/types.ts';
import { gcd, roundUp } from '../planner/arithmetic.ts';

export interface Copied {
  readonly buffers: readonly PlanBuffer[];
  readonly regions: readonly PlanRegion[];
  readonly constants: readonly PlanConstant[];
}

/**
 * `hybrid`: what is read most for each of its bytes comes first, into the fastest memory that still has room for it;
 * what finds none stays in flash. `ram`: everything, whether it fits or not; the rest goes to the first region. A copy
 * lies above all that is planned, because it is never free. `reads`: times by constant, in their order. `align`: bytes
 * that offsets are multiples of. Regions without anything must be among `regions`; those that stay empty are left out.
 */
export function copyWeights(
  { buffers, regions, constants }: Copied,
  mode: 'ram' | 'hybrid',
  reads: readonly number[],
  align: number,
  steps: number,
): Copied {
  const ends = regions.map(({ used }) => used);
  const added = regions.map(() => false);
  const order = [...constants.keys()]
    .filter((i) => constants[i]!.bytes > 0)
    .sort((a, b) => reads[b]! - reads[a]! || constants[b]!.bytes - constants[a]!.bytes || a - b);
  const bySpeed = [...regions.keys()].sort(
    (a, b) => (regions[a]!.speedRank ?? 0) - (regions[b]!.speedRank ?? 0) || a - b,
  );
  const copies = new Map<number, PlanBuffer>();
  for (const index of order) {
    const constant = constants[index]!;
    const alignment = Math.max(align, elementWidth(constant.type));
    const start = (at: number) => Math.ceil(ends[at]! / alignment) * alignment;
    const found = bySpeed.find((at) => start(at) + constant.bytes <= roomOf(regions[at]!));
    const at = found ?? (mode === 'ram' ? 0 : undefined);
    if (at === undefined) continue;
    const offset = start(at);
    ends[at] = offset + constant.bytes;
    added[at] = true;
    copies.set(index, {
      id: buffers.length + copies.size,
      kind: 'copy',
      tensors: [constant.name],
      bytes: constant.bytes,
      alignment,
      first: 0,
      end: Math.max(1, steps),
      region: regions[at]!.name,
      offset,
      gaps: [],
      mayOverlap: [],
    });
  }
  const all = [...buffers, ...copies.values()];
  return {
    buffers: all,
    regions: regions
      .map((region, at) => (added[at] ? grown(region, ends[at]!, all) : region))
      .filter(({ used }, at) => used > 0 || at === 0),
    constants: constants.map((constant, index) => {
      const copy = copies.get(index);
      const accesses = constant.bytes * reads[index]!;
      if (copy === undefined) return { ...constant, accesses };
      return { ...constant, place: 'ram', accesses, buffer: copy.id };
    }),
  };
}

function roomOf({ capacity, reserved }: PlanRegion): number {
  return capacity === null ? Number.POSITIVE_INFINITY : capacity - reserved;
}

/** A region with the copies on top of what was planned in it. */
function grown(region: PlanRegion, used: number, all: readonly PlanBuffer[]): PlanRegion {
  const buffers = all.filter((buffer) => buffer.region === region.name);
  const copies = buffers.filter(({ kind }) => kind === 'copy');
  const bytes = region.peak.bytes + copies.reduce((sum, copy) => sum + copy.bytes, 0);
  const lowerBound = bytes + tailBytes(buffers, copies);
  return {
    ...region,
    used,
    alignment: copies.reduce((most, copy) => Math.max(most, copy.alignment), region.alignment),
    lowerBound,
    optimal: lowerBound === used,
    peak: { ...region.peak, bytes },
  };
}

/**
 * Bytes behind the copies that no packing can use. What is live at all steps adds to what is live at any, and every
 * buffer begins at a multiple of one number: what a copy lacks to the next multiple stays free, but for the buffer that
 * lies topmost. Where buffers have gaps, or overlap, others may reach into those bytes.
 */
function tailBytes(buffers: readonly PlanBuffer[], copies: readonly PlanBuffer[]): number {
  if (buffers.some(({ gaps, mayOverlap }) => gaps.length > 0 || mayOverlap.length > 0)) return 0;
  const step = buffers.reduce((common, { alignment }) => gcd(common, alignment), 0);
  const tails = copies.map(({ bytes }) => roundUp(bytes, step) - bytes);
  return tails.reduce((sum, tail) => sum + tail, 0) - Math.max(0, ...tails);
}
