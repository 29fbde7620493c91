/** How many bytes of each buffer a run reads and writes. */

import type { JointBuffers, Schedule } from '../lifetime/types.ts';
import { type Places, placesOf } from './lookup.ts';

/**
 * Bytes by index of the buffer: a step counts what it reads and what it writes once, and its scratch twice (written,
 * then read). Views and elided copies move nothing. The steps of a loop's body count once, since how often it turns
 * is not known. Weights that are brought for their steps are written once, and read once by each.
 */
export function trafficOf(schedules: readonly Schedule[], joint: JointBuffers): readonly number[] {
  const traffic = joint.buffers.map(({ moves = 0 }) => moves);
  schedules.forEach((schedule, model) => {
    addTraffic(schedule, placesOf(joint, model), traffic);
  });
  return traffic;
}

function addTraffic({ steps }: Schedule, places: Places, traffic: number[]): void {
  const count = (tensor: number, times = 1): void => {
    const buffer = places.buffer(tensor);
    if (buffer !== undefined) traffic[buffer]! += times * places.member(tensor)!.bytes;
  };
  /** The tensor lies in the bytes of one of `others`, and so is not moved. */
  const lies = (tensor: number, others: readonly number[]): boolean => {
    if (places.buffer(tensor) === undefined) return false;
    const { how, aliasOf } = places.member(tensor)!;
    return (how === 'view' || how === 'elided') && aliasOf !== undefined && others.includes(aliasOf);
  };
  for (const { reads, writes, scratch } of steps) {
    for (const tensor of scratch) count(tensor, 2);
    const written = writes.filter((tensor) => !lies(tensor, reads));
    if (written.length === 0 && writes.length > 0) continue;
    for (const tensor of written) count(tensor);
    for (const tensor of reads) {
      if (!lies(tensor, writes)) count(tensor);
      // What already lies in a result is not written again.
      else if (written.includes(places.member(tensor)!.aliasOf!)) count(tensor, -1);
    }
  }
}
